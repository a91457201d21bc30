"""What conditions ask about the state of a program: whether it trains, evaluates, is traced, or has gone wrong.

Source: common usage in training code, not documentation, where no other is named.
"""

from __future__ import annotations

TRAINING_FLAGS = r"^_?(?:(?:do|is|in|run)_?)?train(?:ing)?(?:_?mode|_?phase|_?loader)?$"
"""A pattern for names, in lower case, of what is true while a program trains."""

EVALUATION_FLAGS = (
    r"^_?(?:(?:do|is|in|run|just|only)_?)?(?:eval|evaluate|evaluation|evaluating|test|testing|validation|validating)"
    r"(?:_?only|_?mode|_?phase|_?run|_?time)?$|^(?:val|valid|validate)_(?:only|mode|phase)$"
    r"|^is_(?:valid|infer)_loader$|^sanity_checking$"
)
"""A pattern for names, in lower case, of what is true while a program evaluates.

Sources: Catalyst 22.4 `IRunner`, Lightning 2.6 `Trainer`, common usage in options of command lines.
"""

FINITE = "isfinite"
NOT_FINITE = ("isnan", "isinf")
"""Last names of functions that tell what is finite, or not. Sources: torch 2.13, NumPy 2.3, Python's `math`."""

TRACING = (
    "is_scripting", "is_tracing", "_is_tracing", "is_in_onnx_export", "is_exporting", "is_current_stream_capturing",
)  # fmt: skip
"""Beginnings of the names of functions that tell that code is being traced or captured, not run.

Sources: torch 2.13, `torch/jit`, `torch/onnx`; torchvision 0.28, `torchvision/__init__.py`; mmcv 1.7,
`is_in_onnx_export_without_custom_ops` of `mmcv/ops/point_sample.py`.
"""

CAPTURING = frozenset(("is_current_stream_capturing",))
"""Names of functions that are true while a CUDA graph is captured. Source: torch 2.13, `torch/cuda/graphs.py`."""

CAPTURES = r"captur|cuda_?graph"
"""A pattern for names, in lower case, of what is false where no CUDA graph is captured.

Sources: `get_is_capture_mode` of SGLang 0.5, `is_graph_capturing` of Megatron Core 0.14, `use_cuda_graph` of many.
"""

COMPILING = frozenset(("is_compiling", "is_dynamo_compiling"))
"""Names of functions that are true while `torch.compile` reads code, as it does once."""
