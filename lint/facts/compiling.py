"""`torch.compile`: what compiles code, and what keeps code from it.

Sources: torch 2.13 `torch/__init__.py`, `torch/compiler/__init__.py`, `torch/_dynamo/decorators.py`.
"""

from __future__ import annotations

from typing import Final

COMPILERS: Final = frozenset(("torch.compile", "torch.compiler.compile", "torch._dynamo.optimize"))
"""Functions and decorators that compile a function, or the `forward` of a module."""

LEFT_TO_PYTHON: Final = frozenset(("torch.compiler.disable", "torch._dynamo.disable"))
"""Decorators of functions that `torch.compile` leaves to Python, with what they call."""
