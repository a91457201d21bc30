"""The command `trace`: what really waited on the user's GPU, line by line, next to what `check` reports."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click

from ...lint.fields import FieldError
from ...lint.measurements.writing import record as write_evidence
from ...lint.output.aligned import aligned
from ...lint.output.text import escape
from ...lint.settings.files import ConfigError
from .baseline import Slower, baseline, slower, spent
from .joining import VERDICTS, Joined, Match
from .project import Project
from .reading import TraceError
from .waits import Trace, frame_of, trace_of

_HEAD: Final = ("verdict", "waits", "ms", "line", "rule", "operator", "match")
FAILING: Final = {"never": (), "confirmed": ("confirmed",), "not-reported": ("not reported",)}


@dataclass(frozen=True, slots=True)
class Limits:
    """What makes the command fail: verdicts, an earlier report, by how many percent more, and from how many ms."""

    fail_on: str = "never"
    baseline: str = ""
    tolerance: float = 10.0
    at_least: float = 0.0


def main(traces: Sequence[str], project: str, form: str, limits: Limits, record: str = "") -> int:
    """Join traces with the project's findings, print the result, and return the exit code. Raises ClickException."""
    try:
        before = baseline(Path(limits.baseline)) if limits.baseline else None
        found = [(name, trace_of(Path(name))) for name in traces]
        program = Project(project)
    except (TraceError, ConfigError, FieldError) as error:
        raise click.ClickException(escape(str(error))) from error
    results = [(name, trace, program.join(trace)) for name, trace in found]
    if form == "json":
        click.echo(json.dumps([_record(*each) for each in results], indent=2))
    else:
        for each in results:
            for line in _table(*each):
                click.echo(line)
    if record:
        _record_evidence(record, results, program)
    silent = [name for name, trace, _ in results if not trace.has_calls]
    if silent and (limits.fail_on != "never" or before is not None):
        raise click.ClickException(f"{escape(', '.join(silent))}: no waits were recorded, so the check cannot pass")
    matches = [match for _, _, joined in results for match in joined.matches]
    fails = any(_fails(match, limits.fail_on, limits.at_least) for match in matches)
    fails |= limits.fail_on == "any" and any(_waits_elsewhere(joined, limits.at_least) for _, _, joined in results)
    if before is not None:
        now = spent(matches, [trace.steps for _, trace in found])
        worse = list(slower(matches, before, now, limits.tolerance / 100, limits.at_least))
        for text in _told(worse, limits.baseline, "step" if before.steps and now.steps else "trace"):
            click.echo(f"synclint: {text}", err=form == "json")
        fails = fails or bool(worse)
    return int(fails)


def _record_evidence(name: str, results: Sequence[tuple[str, Trace, Joined]], program: Project) -> None:
    """Add what the traces tell to a file of evidence. Raises ClickException."""
    from .recording import evidence_of

    try:
        for path, trace, joined in results:
            write_evidence(Path(name), evidence_of(Path(path), trace, joined, program))
    except (FieldError, OSError) as error:
        raise click.ClickException(f"{escape(name)} was not written: {escape(str(error))}") from error


def _told(worse: Sequence[Slower], name: str, unit: str) -> Iterator[str]:
    """Yield what is said about lines that block longer than before."""
    yield f"{_many(len(worse), 'line')} blocked longer than in {escape(name)}."
    for each in worse:
        rows = " or ".join(map(str, each.match.rows))
        yield f"{escape(each.match.filename)}:{rows}: {each.now:.2f} ms per {unit}, {each.before:.2f} ms before"


def _fails(match: Match, fail_on: str, at_least: float) -> bool:
    verdicts = FAILING.get(fail_on, ("confirmed", "not reported"))
    return match.verdict in verdicts and match.seconds * 1000 >= at_least


def _waits_elsewhere(joined: Joined, at_least: float) -> bool:
    """Whether anything waits that could not be placed on a line, for so many milliseconds together."""
    return bool(joined.elsewhere) and sum(wait.seconds for wait in joined.elsewhere) * 1000 >= at_least


def _table(name: str, trace: Trace, joined: Joined) -> Iterator[str]:
    yield f"synclint: {escape(name)}: {_summary(trace)}"
    if joined.matches:
        yield from aligned([_HEAD, *map(_cells, joined.matches)])
    yield from _elsewhere(joined)
    if not trace.has_calls:
        yield "synclint: the trace has no calls of the CUDA runtime; record it on a GPU, with `ProfilerActivity.CUDA`."
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
