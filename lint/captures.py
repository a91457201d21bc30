"""What a wait means that a CUDA graph captures: for rules, which report it there as a failure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace

from .finding import Confidence, Kind, Severity
from .operations import Call, Compare, Convert, Index, IndexWrite, Iterate, Truth
from .rule import Report, Rule, all_rules

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
                yield each, report


def failing(op: Operation, codes: Callable[[str], bool], how: str) -> Report | None:
    """Return the report that a captured operation fails, for the first rule that says that it waits; `how` says so."""
    for rule, report in waits(op, codes):
        return in_capture(op, replace(report, message=f"{report.message}; {how}", instead=report.instead or rule.instead))
    return None


def in_capture(op: Operation, report: Report) -> Report | None:
    """Return a report on what is captured, as that of an error: weaker where it hangs on conditions."""
    if op.captured is None:
        return None
    cap = Severity.ERROR
    if conditions := op.captured.conditions:
        cap = Severity.WARNING if report.confidence is Confidence.CERTAIN else Severity.NOTE
        told = " and ".join(each if each.startswith("`") else f"`{each}`" for each in conditions)
        report = replace(report, message=f"{report.message}, where {told}")
    return replace(
        report,
        kind=Kind.BUG,
        cap=min(cap, report.cap),
        reasons=(*op.captured.reasons, *report.reasons),
        frequency=replace(op.frequency, conditions=(), others=()),
        fatal=True,
    )


def among(*codes: str) -> Callable[[str], bool]:
    """Return whether a code is one of these, or begins with one."""
    return lambda code: code.startswith(codes)


def but(codes: Collection[str]) -> Callable[[str], bool]:
    """Return whether a code is none of these."""
    return lambda code: code not in codes
