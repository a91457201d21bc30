"""How many findings a part of a project may have: a number that only ever goes down."""

from __future__ import annotations

import os
from pathlib import Path

import click

from .discovery import Patterns
from .engine import Result
from .finding import Severity
from .output.text import escape
from .paths import is_below, real
from .task import Task

_NARROWING = ("select", "extend_select", "ignore", "min_confidence", "exclude")


def is_failing(task: Task, result: Result) -> bool:
    """Whether there is more than `max-findings` allows, or something that fails the run where it says nothing.

    Tells of every number that is exceeded or could be lowered.
    """
    threshold = task.settings.fail_on
    least = min(threshold or Severity.WARNING, Severity.WARNING)
    counted = [each for each in result.findings if each.severity >= least]
    covered: set[str] = set()
    exceeded = False
    for pattern, limit in task.settings.max_findings.items():
        patterns = Patterns(str(task.settings.root.absolute()), [pattern])
        names = {each.span.filename for each in counted}
        inside = {name for name in names if patterns.verdict(str(Path(name).absolute()))}
        number = sum(each.span.filename in inside for each in counted)
        covered |= inside
        exceeded = exceeded or number > limit
        _tell(task, pattern, number, limit)
    failing = (each for each in result.findings if each.span.filename not in covered)
    return exceeded or (threshold is not None and any(each.severity >= threshold for each in failing))


def _tell(task: Task, pattern: str, number: int, limit: int) -> None:
    where = f"{escape(pattern)}: {number} finding{'' if number == 1 else 's'}"
    if number > limit:
        click.echo(f"{where}, but max-findings allows {limit}; repair or suppress {number - limit}", err=True)
    elif number < limit and not task.options["quiet"] and _is_whole(task, pattern):
        click.echo(f"{where}, and max-findings allows {limit}; lower it to {number}", err=True)


def _is_whole(task: Task, pattern: str) -> bool:
    """Whether the run saw every finding that the pattern speaks of."""
    if any(task.options[name] for name in _NARROWING) or task.found.problems or "-" in task.paths:
        return False
    fixed = []
    for part in pattern.strip("/").split("/") if "/" in pattern.rstrip("/") else ():
        if any(character in part for character in "*?["):
            break
        fixed.append(part)
    place = real(os.path.join(task.settings.root, *fixed))
    return any(place == real(each) or is_below(place, each) for each in task.paths)
