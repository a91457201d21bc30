"""Which kinds of waits prove which rule: a copy on the line of an `.item()` says nothing about the `.item()`.

PyTorch's debug mode tells only the line, and what an operator waits for is inferred from its name. Where that fails,
the kind is unknown, which proves no rule that reports waits of certain kinds.
"""

from __future__ import annotations

import linecache
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from ...lint.facts.logging_frameworks import NAN_FILTER
from ...lint.facts.torchmetrics import NAN_CHECK, VALIDATIONS
from ..observe import Kind, Wait

_READ: Final[frozenset[Kind]] = frozenset({"reads value", "check"})
_SIZE: Final[frozenset[Kind]] = frozenset({"data-dependent shape", "reads value", "check"})
_TO_HOST: Final[frozenset[Kind]] = frozenset({"copy to host"})
_TO_DEVICE: Final[frozenset[Kind]] = frozenset({"copy to device"})
_BARRIER: Final[frozenset[Kind]] = frozenset({"synchronize", "allocator"})
_WITHIN: Final[frozenset[Kind]] = frozenset(_SIZE | _TO_HOST | _TO_DEVICE)

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
    kinds = PROOFS.get(code)
    return not code.startswith("SYNC") or (kind in kinds if kinds is not None else kind not in _BARRIER)


@dataclass(frozen=True, slots=True)
class Check:
    """Where an object does what its set-up asks for: functions by how their names end, or a line of a file.

    An object whose functions are known is a module, and is known again where it waits.
    """

    functions: tuple[str, ...] = ()
    line: tuple[str, str] | None = None

    def holds(self, wait: Wait) -> bool:
        """Whether a wait is in one of these places."""
        if self.line is None:
            return any(name.endswith(self.functions or "") for _, _, name in wait.stack)
        (filename, row), (file, text) = wait.library or ("", 0), self.line
        return filename.replace("\\", "/").endswith(file) and text in linecache.getline(filename, row)


CHECKS: Final[Mapping[str, Check]] = {
    "SYNC402": Check((NAN_CHECK,)),
    "SYNC405": Check(VALIDATIONS),
    "SYNC408": Check(line=NAN_FILTER),
}
"""By code; what is set up for another rule may wait anywhere in its object."""
ANYWHERE: Final = Check()


def is_about_calls(code: str) -> bool:
    """Whether the rule reports calls of functions that may wait in a line of their own, or may be a plugin's."""
    return code == "SYNC112" or not code.startswith("SYNC")
