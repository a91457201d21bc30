"""Names of files and folders, and words in their text, and what they suggest where nothing else is known.

Source: common usage in training code, not documentation; a name only shows what is likely, so anything known otherwise
takes precedence.
"""

from __future__ import annotations

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

SHOWING_WORDS = frozenset(("demo", "demos", "benchmark", "benchmarks"))
"""Words in names of files, and of folders of files, that show what a model does, or measure it: `demo_offline`."""

TEST_FILE = r"(test_.*|.*_test|conftest|testing(_.*)?)\.py$"
"""A pattern for names of files with test code."""
