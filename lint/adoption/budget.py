"""How many findings a part of a project may have: a number that only ever goes down."""

from __future__ import annotations

import os
from collections.abc import Sequence

import click

from ..files.paths import is_below, real
from ..files.patterns import Patterns
from ..finding import Finding, Severity, many
from ..output.text import escape
from ..settings.config import Settings
from ..severity import fails
from ..task import Task


def is_failing(task: Task, settings: Settings, findings: Sequence[Finding]) -> bool:
    """Whether there are more findings than `max-findings` allows, or one that fails the run where it sets no limit.

    The findings are those in files for which the settings hold. Tells of every number that is exceeded or could be
    lowered.
    """
    threshold = settings.fail_on
    least = min(threshold or Severity.WARNING, Severity.WARNING)
    counted = [each for each in findings if each.severity >= least]
    covered: set[str] = set()
    exceeded = False
    for pattern, limit in settings.max_findings.items():
        patterns = Patterns(os.path.abspath(settings.root), [pattern])
        names = {each.span.filename for each in counted}
        inside = {name for name in names if patterns.cover(os.path.abspath(name))}
        number = sum(each.span.filename in inside for each in counted)
        covered |= inside
        exceeded = exceeded or number > limit
        _tell(task, settings, pattern, number, limit)
    failing = (each for each in findings if each.span.filename not in covered)
    return exceeded or (threshold is not None and any(fails(each, threshold) for each in failing))


def _tell(task: Task, settings: Settings, pattern: str, number: int, limit: int) -> None:
    where = f"{escape(pattern)}: {many(number, 'finding')}"
    if number > limit:
        click.echo(f"{where}, but max-findings allows {limit}; fix or suppress {number - limit}", err=True)
    elif number < limit and not task.options.quiet and _is_whole(task, settings, pattern):
        click.echo(f"{where}, and max-findings allows {limit}; lower it to {number}", err=True)


def _is_whole(task: Task, settings: Settings, pattern: str) -> bool:
    """Whether the run saw every finding that the pattern covers."""
    if task.options.narrows or task.found.problems or "-" in task.paths:
        return False
    fixed = []
    for part in pattern.strip("/").split("/") if "/" in pattern.rstrip("/") else ():
        if any(character in part for character in "*?["):
            break
        fixed.append(part)
    place = real(os.path.join(settings.root, *fixed))
    return any(place == real(each) or is_below(place, each) for each in task.paths)
