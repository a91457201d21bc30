"""What `apply` of an autograd function runs: its `forward`, which is given a context first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ....facts.autograd import APPLY, RUNS, SETUP

FORWARD: Final = f".{RUNS}"
_OTHERS: Final = (FORWARD, ".__call__")


def gives_context(name: str, function: str, canonical: Callable[[str], str], called: Callable[[str], object]) -> bool:
    """Whether a call by a name, which runs a function, gives that a context; `called` finds what a name runs."""
    if not function.endswith(FORWARD) or name.endswith(_OTHERS):
        return False
    cls, _, last = canonical(name).rpartition(".")
    return last == APPLY and called(f"{cls}.{SETUP}") is None
