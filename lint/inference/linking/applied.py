"""What `apply` of an autograd function runs: its `forward`, which is given a context first.

Source: torch 2.13 `torch/autograd/function.py`: a function that defines `setup_context` gives that the context.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

APPLY: Final = ".apply"
FORWARD: Final = ".forward"
_OTHERS: Final = (FORWARD, ".__call__")


def gives_context(name: str, function: str, canonical: Callable[[str], str], called: Callable[[str], object]) -> bool:
    """Whether a call by a name, which runs a function, gives that a context; `called` finds what a name runs."""
    if not function.endswith(FORWARD) or name.endswith(_OTHERS):
        return False
    cls, dot, last = canonical(name).rpartition(".")
    return dot + last == APPLY and called(f"{cls}.setup_context") is None
