"""The runs of several ranks as one: what one rank refutes another may confirm, so a line waits if it waits on any."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import click

from ...lint.fields import FieldError
from ...lint.output.aligned import aligned
from ...lint.output.text import escape
from .recorded import Line, Recorded, recorded

_STRONGEST: Final = ("confirmed", "unclear", "only before", "refuted", "not reached")
"""What a report comes to if its ranks differ: whoever has seen it wait is right, and who has seen it run comes next."""
_HEAD: Final = ("verdict", "waits/step", "line", "rule", "ranks")


@dataclass(frozen=True, slots=True)
class Joined:
    """A line with what all ranks come to, and the places in the list of those that say so."""

    line: Line
    verdict: str
    ranks: tuple[int, ...]
    count: float


def main(names: Sequence[str]) -> int:
    """Print what the runs of several ranks come to, and return the exit code. Raises click.ClickException."""
    try:
        runs = [recorded(Path(name)) for name in names]
    except FieldError as error:
        raise click.ClickException(escape(str(error))) from error
    for rank, run in enumerate(runs):
        click.echo(f"synclint: rank {rank}: {escape(run.name)}: {escape(run.device)}, {run.steps or 'no'} steps")
    found = joined(runs)
    for line in aligned([_HEAD, *map(_cells, found)]):
        click.echo(line)
    verdicts = list(dict.fromkeys(each.verdict for each in found))
    counts = (f"{sum(each.verdict == verdict for each in found)} {verdict}" for verdict in verdicts)
    click.echo(f"synclint: {', '.join(counts) or 'nothing waited, and nothing is reported'}.")
    return 0


def joined(runs: Sequence[Recorded]) -> list[Joined]:
    """Return one verdict for each report of a line and for each line that waits unreported, the most waits first."""
    groups: dict[tuple[str, int, str], list[tuple[int, Line]]] = {}
    for rank, run in enumerate(runs):
        for line in run.lines:
            # Of two reports on a line each rank may confirm another one.
            for about in line.codes or (line.verdict,):
                groups.setdefault((line.filename, line.line, about), []).append((rank, line))
    found = [_joined(about, group) for (_, _, about), group in groups.items()]
    return sorted(found, key=lambda each: (-each.count, _order(each.verdict), each.line.filename, each.line.line))


def _joined(about: str, group: Sequence[tuple[int, Line]]) -> Joined:
    verdict = min((line.verdict for _, line in group), key=_order)
    saying = [(rank, line) for rank, line in group if line.verdict == verdict]
    first = saying[0][1]
    line = replace(first, codes=(about,) if first.codes else ())
    ranks = tuple(dict.fromkeys(rank for rank, _ in saying))
    return Joined(line, verdict, ranks, max(each.count for _, each in saying))


def _order(verdict: str) -> int:
    return _STRONGEST.index(verdict) if verdict in _STRONGEST else 0


def _cells(found: Joined) -> tuple[str, ...]:
    return (
        escape(found.verdict),
        f"{found.count:.4g}" if found.line.operators else "-",
        escape(f"{found.line.filename}:{found.line.line}"),
        escape(" ".join(found.line.codes)) or "-",
        ",".join(map(str, found.ranks)),
    )
