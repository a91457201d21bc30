"""The command `trace`: what really waited on the user's GPU, line by line, next to what `check` reports."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import click

from ...lint.finding import Finding, Kind
from ...lint.output.aligned import aligned
from ...lint.output.text import escape
from ...lint.run.discovery import discover
from ...lint.run.engine import run as check_files
from ...lint.run.file import File
from ...lint.run.project import check_file
from ...lint.settings.configurations import Configurations
from ...lint.settings.files import ConfigError, find_settings
from ...lint.settings.selection import chosen_rules
from .joining import VERDICTS, Joined, Match, Place, join, operators_of
from .reading import TraceError
from .waits import Trace, frame_of, trace_of

_HEAD: Final = ("verdict", "waits", "ms", "line", "rule", "operator", "match")
FAILING: Final = {"never": (), "confirmed": ("confirmed",), "not-reported": ("not reported",)}
FAIL_ON: Final = (*FAILING, "any")


def main(traces: Sequence[str], project: str, fail_on: str, at_least: float, form: str) -> int:
    """Join traces with the project's findings, print the result, and return the exit code. Raises ClickException."""
    try:
        found = [(name, trace_of(Path(name))) for name in traces]
        files, places, findings = _project(project)
    except (TraceError, ConfigError) as error:
        raise click.ClickException(escape(str(error))) from error
    results = [(name, trace, join(trace, files, places, findings)) for name, trace in found]
    if form == "json":
        click.echo(json.dumps([_record(*each) for each in results], indent=2))
    else:
        for each in results:
            for line in _table(*each):
                click.echo(line)
    return int(any(_fails(match, fail_on, at_least) for _, _, joined in results for match in joined.matches))


def _project(project: str) -> tuple[list[str], list[Place], list[Finding]]:
    """Return the project's files, its operations and the findings about it. Raises ConfigError."""
    settings = find_settings(Path(project))
    files = discover([project], Configurations(settings)).files
    given = [File(name, named=True) for name in files]
    result = check_files(given, settings, chosen_rules([settings.layer]), jobs=1)
    places = [place for name in files for place in _places(name)]
    return files, places, [each for each in result.findings if each.kind in (Kind.STALL, Kind.SETUP)]


def _places(filename: str) -> Iterator[Place]:
    summary = check_file(File(filename, named=True)).summary
    if summary is None:
        return
    module = "." + os.path.splitext(os.path.abspath(filename))[0].replace(os.sep, ".").removesuffix(".__init__")
    for placed in summary.operations:
        operation: Any = placed.operation
        operators = operators_of(type(operation).__name__, str(getattr(operation, "name", "")))
        function = "" if module.endswith(f".{operation.scope}") else operation.scope
        yield Place(filename, operation.span.row, function, operators)


def _fails(match: Match, fail_on: str, at_least: float) -> bool:
    verdicts = FAILING.get(fail_on, ("confirmed", "not reported"))
    return match.verdict in verdicts and match.seconds * 1000 >= at_least


def _table(name: str, trace: Trace, joined: Joined) -> Iterator[str]:
    yield f"synclint: {escape(name)}: {_summary(trace)}"
    if joined.matches:
        yield from aligned([_HEAD, *map(_cells, joined.matches)])
    yield from _elsewhere(joined)
    counts = Counter(match.verdict for match in joined.matches)
    yield f"synclint: {', '.join(f'{counts[verdict]} {verdict}' for verdict in VERDICTS)}."


def _summary(trace: Trace) -> str:
    text = f"{_many(len(trace.waits), 'wait')}, {trace.seconds * 1000:.2f} ms blocked"
    if trace.steps:
        text += f", {_many(trace.steps, 'step')}, {trace.seconds * 1000 / trace.steps:.2f} ms of it per step"
    return f"{text}."


def _cells(match: Match) -> tuple[str, ...]:
    return (
        match.verdict,
        str(len(match.waits)) if match.waits else "-",
        f"{match.seconds * 1000:.2f}" if match.waits else "-",
        escape(f"{match.filename}:{' or '.join(map(str, match.rows))}"),
        " ".join(dict.fromkeys(each.code for each in match.findings)) or "-",
        escape(match.operator) or "-",
        match.certainty if match.waits else "-",
    )


def _elsewhere(joined: Joined) -> Iterator[str]:
    """Yield what waited without a line of the project: by the outermost operator, or the runtime's call."""
    if not joined.elsewhere:
        return
    by_name = Counter((wait.spans[0].name if wait.around else wait.call) for wait in joined.elsewhere)
    waits = f"{_many(len(joined.elsewhere), 'wait')}, {sum(wait.seconds for wait in joined.elsewhere) * 1000:.2f} ms"
    named = ", ".join(f"{escape(name)} ({count})" for name, count in by_name.most_common(5))
    yield f"synclint: {waits}, on no line of the project: {named}."
    if not any(frame_of(span.name) for wait in joined.elsewhere for span in wait.around):
        yield "synclint: the trace has no Python stacks for them; record it with `profile(…, with_stack=True)`."


def _many(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _record(name: str, trace: Trace, joined: Joined) -> dict[str, Any]:
    return {
        "trace": name,
        "waits": len(trace.waits),
        "blocked_ms": trace.seconds * 1000,
        "steps": trace.steps or None,
        "elsewhere": len(joined.elsewhere),
        "lines": [
            {
                "filename": match.filename,
                "lines": list(match.rows),
                "function": match.function,
                "verdict": match.verdict,
                "match": match.certainty if match.waits else None,
                "codes": list(dict.fromkeys(each.code for each in match.findings)),
                "operator": match.operator or None,
                "count": len(match.waits),
                "blocked_ms": match.seconds * 1000,
            }
            for match in joined.matches
        ],
    }
