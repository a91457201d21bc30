"""What `torch.compile` makes of a wait, in the words of a report: as measured, by version and option."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from .facts.dynamo import ROWS, Row
from .finding import Kind, Severity
from .inference.notes.operations import Call, Compare, Convert, Index, IndexWrite, Iterate, Operation, Truth
from .rule import Report, Rule
from .settings.versions import Versions

_BREAKS: Final = "`torch.compile` breaks the graph here"
_CAPTURED: Final = "`torch.compile` captures it, and it still waits"
_REFUSED: Final = "`torch.compile(fullgraph=True)` refuses it, which is an error"
_SPARED: Final = "`torch.compile` makes an operator of it that does not wait"
_DECIDES: Final = f"{_CAPTURED}; where the result decides what runs, `fullgraph=True` refuses it"
_EITHER: Final = f"{_BREAKS}, or captures it, and it still waits"
_OR_REFUSED: Final = f"{_CAPTURED}, or refuses it with `fullgraph=True`"
_NUMBERS: Final = ("SYNC101", "SYNC105")
"""Rules about numbers, which `torch.compile` captures as symbols as long as they decide nothing."""


def in_compiled(rule: Rule, thing: object, report: Report | None) -> Report | None:
    """Return what a rule reports, with what becomes of a wait in compiled code; as it is if that is not known."""
    if report is None or not isinstance(thing, Operation) or thing.compiled is None:
        return report
    if rule.kind is not Kind.STALL or report.kind is not None:
        return report
    rows = _rows(f"{rule.code}:{_what(thing)}", thing.versions) or _rows(rule.code, thing.versions)
    if not rows:
        return report
    is_whole = "fullgraph" in thing.compiled.options
    said = dict.fromkeys(_words(rule.code, row, is_whole) for row in rows)
    newest, *before = reversed(said)
    words = f"since torch {rows[-1].since}, {newest}; before, {before[0]}" if before else newest
    report = replace(report, message=f"{report.message}; {words}", reasons=(*thing.compiled.reasons, *report.reasons))
    if said.keys() == {_SPARED}:
        return replace(report, cap=min(report.cap, Severity.NOTE))
    if said.keys() == {_REFUSED}:
        cap = Severity.WARNING if thing.compiled.conditions else report.cap
        return replace(report, kind=Kind.BUG, cap=min(cap, report.cap))
    return report


def _rows(kind: str, versions: Versions) -> list[Row]:
    """Return the rows that hold for a version of torch that may be in use."""
    rows = ROWS.get(kind, ())
    ends = [*(row.since for row in rows[1:]), ""]
    return [row for row, until in zip(rows, ends) if versions.may_be("torch", row.since, until)]


def _what(op: Operation) -> str:
    """Return the word for what is done, in the names of the table's rows."""
    match op:
        case Call():
            return op.last_name
        case Truth():
            return op.how
        case Convert():
            return op.by if op.to == "str" else op.to
        case Compare():
            return op.by
        case Index() | IndexWrite():
            return "index"
        case Iterate():
            return "iterate"
    return ""


def _words(code: str, row: Row, is_whole: bool) -> str:
    match row.whole if is_whole else row.default:
        case "breaks":
            return _BREAKS
        case "error":
            return _REFUSED
        case "captured" if row.waits is False:
            return _SPARED
        case "captured" if not (is_whole and code in _NUMBERS):
            return _CAPTURED
    if not is_whole:
        return _EITHER
    return _DECIDES if code in _NUMBERS else _OR_REFUSED
