"""What a wait means that a CUDA graph captures: for rules, which report it there as a failure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from .finding import Confidence, Kind, Severity
from .operations import Call, Compare, Convert, Index, IndexWrite, Iterate, Truth
from .rule import Report, Rule, all_rules

COPYING = frozenset(("SYNC209", "SYNC301", "SYNC302", "SYNC303", "SYNC502"))
"""Rules about copies from the host to the device, which a capture refuses in its own words."""
SYNCHRONIZING = frozenset(("SYNC111",))
"""Rules about calls that wait on purpose, of which another rule tells what they mean in a capture."""
FAILS = "in the capture of a CUDA graph that is an error"

Operation = Call | Compare | Convert | Index | IndexWrite | Iterate | Truth


def waits(op: Operation, codes: Callable[[str], bool]) -> Iterator[tuple[Rule, Report]]:
    """Yield what the rules with some codes say about a captured operation, as if it were not captured."""
    if op.captured is None:
        return
    plain, name = replace(op, captured=None, compiled=None), getattr(op, "name", "")
    for each in all_rules():
        if each.kind is Kind.STALL and codes(each.code) and each.wants(type(op), name):
            report = each.check(plain)
            if report is not None and report.kind is None and report.confidence > Confidence.POSSIBLE:
                yield each, replace(report, instead=report.instead or each.instead)


def _where(conditions: Sequence[str]) -> str:
    """Return conditions in words; some say how often instead: `only in evaluation`."""
    often = [each for each in conditions if each.startswith("only ")]
    others = [each if each.startswith("`") else f"`{each}`" for each in conditions if each not in often]
    return ", ".join(["", *often]) + (f", where {' and '.join(others)}" if others else "")


def in_capture(op: Operation, report: Report, how: str = "") -> Report | None:
    """Return a report on what is captured as that of an error, weaker where it hangs on conditions; `how` says more."""
    if op.captured is None:
        return None
    cap, message = Severity.ERROR, f"{report.message}; {how}" if how else report.message
    if conditions := op.captured.conditions:
        cap = Severity.WARNING if report.confidence is Confidence.CERTAIN else Severity.NOTE
        message += _where(conditions)
    return replace(
        report,
        message=message,
        kind=Kind.BUG,
        cap=min(cap, report.cap),
        reasons=(*op.captured.reasons, *report.reasons),
        frequency=replace(op.frequency, conditions=(), others=()),
        fatal=True,
    )
