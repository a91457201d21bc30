"""The outcomes of the examples, and the table of them that `verify` prints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

CONFIRMED: Final = "confirmed"
"""A real GPU waited where it is marked, and nowhere else."""
OBSERVED: Final = "observed"
"""torch's CUDA code did, on the emulated device."""
MODELLED: Final = "modelled"
"""The simulated device did, which is an opinion and not a proof."""
DISAGREES: Final = "disagrees"
NOT_MEASURED: Final = "not measured"
"""Nothing was expected to wait, and nothing did: advice, of which one device shows nothing."""
NOT_APPLICABLE: Final = "not applicable"
HEAD = ("rule", "name", "expected", "seen", "waits", "blocked", "verdict")


@dataclass(slots=True)
class Outcome:
    """The outcome of one example.

    `expected` and `seen` are rows of the hazard that wait, `waits` and `seconds` theirs per step. `proofs` says by what
    it was seen, and `why` what is wrong or was not done. `libraries` are the versions of those that the example names.
    """

    code: str
    name: str
    verdict: str
    expected: list[int] = field(default_factory=list)
    seen: list[int] = field(default_factory=list)
    waits: int = 0
    seconds: float | None = None
    proofs: list[str] = field(default_factory=list)
    why: list[str] = field(default_factory=list)
    libraries: dict[str, str] = field(default_factory=dict)


def table(outcomes: Sequence[Outcome], device: str) -> str:
    """Yield one row per rule, then what disagrees or was not done, then the counts."""
    rows = [HEAD, *(_row(outcome) for outcome in outcomes)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    notes = [f"{outcome.code} {outcome.name}: {why}" for outcome in outcomes for why in outcome.why]
    return "\n".join([*lines, "", *notes, *([""] if notes else []), _counts(outcomes, device)])


def _row(outcome: Outcome) -> tuple[str, ...]:
    blocked = "-" if outcome.seconds is None else f"{outcome.seconds * 1e3:.3f} ms"
    expected, seen = _lines(outcome.expected), _lines(outcome.seen)
    if not outcome.expected and outcome.proofs:
        expected = seen = ", ".join(outcome.proofs)
    waits = str(outcome.waits) if outcome.waits else "-"
    return (outcome.code, outcome.name, expected, seen, waits, blocked, outcome.verdict)


def _lines(rows: Sequence[int]) -> str:
    """Return rows of a file, or a dash; many of them as a count."""
    if len(rows) > 6:
        return f"{len(rows)} lines"
    return ",".join(map(str, rows)) or "-"


def _counts(outcomes: Sequence[Outcome], device: str) -> str:
    verdicts = [outcome.verdict for outcome in outcomes]
    counted = ", ".join(f"{verdicts.count(verdict)} {verdict}" for verdict in dict.fromkeys(sorted(verdicts)))
    noun = "rule" if len(outcomes) == 1 else "rules"
    return f"{len(outcomes)} {noun} on the {device}: {counted}"
