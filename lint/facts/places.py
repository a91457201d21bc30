"""Names of files and folders, and words in their text, and what they suggest where nothing else is known.

Source: common usage in training code, not documentation; a name only shows what is likely, so anything known otherwise
takes precedence.
"""

from __future__ import annotations

DATA_FILES = frozenset((
    "tokenizer", "tokenizers", "tokenization", "dataset", "datasets", "dataloader", "dataloaders", "data_loader",
))  # fmt: skip
"""Names of files whose functions prepare data, or turn it into text again."""

DATA_FOLDERS = frozenset((
    "data", "dataset", "datasets", "dataloader", "dataloaders", "data_loader", "loader", "loaders", "sampler",
    "samplers", "io", "preprocessing", "tokenization", "tokenizers", "transforms", "transform",
))  # fmt: skip
"""Last words of folders whose functions are not assumed to run in a step just because they work on tensors."""

TEST_FOLDERS = frozenset(("tests", "test", "testing", "test_utils"))
"""Folders of test code, which waits on purpose to look at results."""

ASIDE_FOLDERS = frozenset((
    "docs", "doc", "examples", "example", "tutorials", "third_party", "third-party", "thirdparty", "3rdparty", "vendor",
    "vendored", "_vendor", "_vendored", "extern", "external", "externals",
))  # fmt: skip
"""Folders of documentation, of examples, and of copies of other projects: who works on a project looks there last."""

EVALUATION_PLACES = frozenset((
    "eval", "evaluate", "evaluation", "evaluator", "evaluators", "val", "validate", "validation", "validator", "test",
    "metric", "metrics",
))  # fmt: skip
"""Names of files, and of folders of files, whose functions evaluate."""

EVALUATION_WORDS = frozenset(("eval", "evaluate", "evaluation"))
"""Words in such names: `eval_tasks`, `run_eval`."""

SHOWING_WORDS = frozenset(("demo", "demos", "benchmark", "benchmarks"))
"""Words in names of files, and of folders of files, that show what a model does, or measure it: `demo_offline`."""

DRAWING_PLACES = frozenset((
    "plot", "plots", "plotting", "plotter", "vis", "viz", "visual", "visualize", "visualizer", "visualization",
    "visualizations", "visualisation", "drawing", "vis_utils", "plot_utils", "visualization_utils",
))  # fmt: skip
"""Names of files, and of folders of files, whose functions draw for people."""

EXPORTS = r"(?:^|_)(?:export|exporters?|exporting|onnx|tensorrt|trt)(?:_|$)"
"""A pattern for names of files and folders whose modules are traced once, for export to another format."""

CONVERTS = r"(?:^|_)(?:convert|converters?|conversion)(?:_|$)"
"""A pattern for names of files and folders that convert models, or tensors in a step: their text tells which."""

CONVERTED_MODELS = (
    r"state_dict|checkpoint|ckpt|onnx|coreml|tflite|ggml|gguf|safetensors|from_pretrained|torchscript|quantiz|argparse"
    r"|torch\.(?:load|save|jit|export|fx)\b|__main__|nn\.Module\b|add_module|setattr\("
)
"""A pattern for the text of files that convert models."""

TEST_FILE = r"(test_.*|.*_test|conftest|testing(_.*)?)\.py$"
"""A pattern for names of files with test code."""
