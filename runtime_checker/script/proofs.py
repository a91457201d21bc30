"""Which kinds of waits prove which rule: a copy on the line of an `.item()` says nothing about the `.item()`.

A wait of an unknown kind proves any rule: PyTorch's debug mode tells only the line, and what an operator waits for is
inferred from its name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..observe import Kind

_READ: Final[frozenset[Kind]] = frozenset({"reads value", "check"})
_SIZE: Final[frozenset[Kind]] = frozenset({"data-dependent shape", "reads value", "check"})
_TO_HOST: Final[frozenset[Kind]] = frozenset({"copy to host"})
_TO_DEVICE: Final[frozenset[Kind]] = frozenset({"copy to device"})
_BARRIER: Final[frozenset[Kind]] = frozenset({"synchronize", "allocator"})
_WITHIN: Final[frozenset[Kind]] = frozenset(_SIZE | _TO_HOST | _TO_DEVICE)
"""What operators and library code wait for, other than on purpose."""

PROOFS: Final[Mapping[str, frozenset[Kind]]] = {
    **dict.fromkeys(("SYNC101", "SYNC104", "SYNC105", "SYNC107", "SYNC108", "SYNC109"), _READ),
    **dict.fromkeys(("SYNC102", "SYNC103"), _TO_HOST),
    "SYNC106": _SIZE | _TO_HOST,
    "SYNC110": _SIZE,
    "SYNC111": _BARRIER,
    "SYNC112": _WITHIN | _BARRIER,
    **dict.fromkeys(("SYNC201", "SYNC202", "SYNC203", "SYNC204", "SYNC205", "SYNC206", "SYNC207"), _SIZE),
    "SYNC209": _TO_DEVICE,
    **dict.fromkeys(("SYNC301", "SYNC302", "SYNC303"), _TO_DEVICE),
    **dict.fromkeys(("SYNC401", "SYNC403"), _TO_DEVICE),
    "SYNC402": _SIZE,
    "SYNC501": _SIZE,
    "SYNC502": _TO_DEVICE,
    "SYNC506": _SIZE,
    "SYNC601": _TO_DEVICE,
    "SYNC603": _WITHIN | _BARRIER,
    "SYNC604": _SIZE | _TO_HOST,
}
"""By code; a rule that is not here is about code inside libraries, which may wait for anything but a barrier."""


def proves(code: str, kind: Kind) -> bool:
    """Whether a wait of this kind is what the rule reports; what those of plugins report is not known here."""
    return kind == "unknown" or not code.startswith("SYNC") or kind in PROOFS.get(code, _WITHIN)


def is_about_calls(code: str) -> bool:
    """Whether the rule reports calls of functions that may wait in a line of their own, or may be a plugin's."""
    return code == "SYNC112" or not code.startswith("SYNC")
