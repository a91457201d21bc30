"""The command `run`: runs a user's program, watches what waits, and joins that with what the linter reports.

The program runs as it would under Python itself. However it ends, whatever was seen up to then is reported, and its
exit code is ours.
"""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import click

from ...lint.fields import FieldError
from ...lint.files.texts import Texts
from ...lint.measurements.writing import record
from ...lint.output.targets import STDOUT, Target, targets, write
from ...lint.output.text import escape
from ...lint.plugins.known import load
from ...lint.rule import names_of_calls
from ...lint.run.engine import run as check_files
from ...lint.run.file import Checked, Failure, File, Project
from ...lint.run.project import check_file
from ...lint.run.result import Result
from ...lint.settings.config import Settings
from ...lint.settings.files import ConfigError, find_settings
from ...lint.settings.selection import chosen_rules
from ..device import DeviceError, watch
from ..observe import Watcher, is_library
from .children import noted
from .following import followed
from .inside import said_of
from .kept import end, kept, threads_left
from .limits import Limits
from .lines import Lines, Ran, real
from .makers import Makers, Traced, remembered
from .program import Enough, Program, ProgramError, exit_code, is_of_synclint, places_of
from .recording import Recorded, evidence_of
from .report import Report, as_json, rendered, table, versions
from .steps import Steps, counted
from .timeline import timeline
from .trace import traced
from .verdicts import Known, Seen, judge

_PYTHONS_OWN: Final = (2000, 10, 0) if sys.version_info >= (3, 13) else (700, 10, 10)
"""How often Python collects garbage by default."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to run: the device, after how many steps to stop, how many not to count, and the outputs by format."""

    device: str = "auto"
    steps: int | None = None
    warmup: int = 3
    outputs: tuple[Target, ...] = ()
    trace: str = ""
    record: str = ""
    limits: Limits = Limits()


def main(
    words: Sequence[str],
    device: str,
    steps: int | None,
    warmup: int,
    output: Sequence[str],
    trace: str = "",
    record: str = "",
    **limits: Any,
) -> int:
    """Run the program given on the command line and return its exit code. Raises click.ClickException."""
    trace, record = (os.path.abspath(name) if name else "" for name in (trace, record))
    try:
        options = Options(device, steps, warmup, targets(output), trace, record, Limits.of(**limits))
        program = Program.of(words)
        program.check()
        settings = find_settings(Path(program.filename).parent)
        return run(program, options, settings, watch(device, roots_of(program)))
    except (ProgramError, DeviceError, ConfigError, FieldError) as error:
        raise click.ClickException(str(error)) from error


def roots_of(program: Program) -> tuple[str, ...]:
    """Return where the user's lines are, if the program itself is part of an installed library."""
    return (os.path.dirname(program.filename),) if is_library(program.filename) else ()


def run(program: Program, options: Options, settings: Settings, watcher: Watcher) -> int:
    """Run the program under the watcher, report what was seen, and return the exit code."""
    process, here = os.getpid(), os.getcwd()
    makers = Makers(roots_of(program))
    watcher.waits = Traced(makers)
    steps, lines = Steps(watcher.waits, options.steps), Lines(counted=bool(options.record))
    children: list[str] = []
    with kept(), noted(children), remembered(makers):
        device, error = _execute(program, settings, watcher, steps, lines)
        if isinstance(error, DeviceError | ProgramError):
            raise error
        code = exit_code(error)
    if os.getpid() != process:  # this is a child that the program forked; its parent will report
        return code
    with contextlib.suppress(OSError):
        os.chdir(here)
    threads = threads_left() if isinstance(error, Enough) else ()
    done = _Run(program, options, settings, device, watcher.has_clock, steps, lines, error, tuple(children), threads)
    try:
        exceeded = _tell(done)
        code = code or exceeded
    except (OSError, FieldError) as trouble:
        sys.stderr.write(f"synclint: could not write the report: {escape(str(trouble))}\n")
        code = code or 2
    if threads:
        end(code)
    return code


def _execute(
    program: Program, settings: Settings, watcher: Watcher, steps: Steps, lines: Lines
) -> tuple[str, BaseException | None]:
    """Run the program and return the device's name and what the program raised; everything is restored."""
    device, before = "", gc.get_threshold()
    gc.set_threshold(*_PYTHONS_OWN)
    try:
        with ExitStack() as stack:
            stack.enter_context(watcher)
            stack.enter_context(counted(steps))
            stack.enter_context(followed(lines, partial(rows_of_operations, _declared(settings))))
            try:
                program.run()
            finally:
                device = watcher.device
        return device, None
    except SystemError as error:  # torch's trace has lost an exception in flight: ours, if the steps are done
        return device, Enough(0) if steps.is_done else error
    except BaseException as error:
        return device, error
    finally:
        gc.set_threshold(*before)


def _declared(settings: Settings) -> Project:
    """Return what the configuration and its plugins say about the files of a project."""
    calls = names_of_calls(rule for plugin in load(settings.plugins) for rule in plugin.rules)
    return Project(
        gpu_names=settings.gpu_names, calls=calls, facts=settings.facts, default_device=settings.default_device
    )


def rows_of_operations(project: Project, filename: str) -> Collection[int]:
    """Return the rows of a file that could be reported at all."""
    summary = check_file(File(filename, named=True, project=project)).summary
    if summary is None:
        return ()
    spans = [placed.operation.span for placed in summary.operations]
    return frozenset(row for span in spans for row in range(span.row, span.end_row + 1))


@dataclass(frozen=True, slots=True)
class _Run:
    """A finished run."""

    program: Program
    options: Options
    settings: Settings
    device: str
    has_clock: bool
    steps: Steps
    lines: Lines
    error: BaseException | None
    children: tuple[str, ...]
    threads: tuple[str, ...]


def _tell(done: _Run) -> int:
    """Judge what was seen, print and write the report, and return 1 if it exceeds what was allowed."""
    files = [File(name, named=True) for name in _files_of(done)]
    result = _checked(files, done)
    ran = done.lines.ran({real(each.span.filename) for each in result.findings}, result.texts.source)
    window = done.steps.window(done.options.warmup)
    cut = {(real(name), row) for name, row in places_of(done.error)}
    seen = Seen(done.steps.waits, window, ran if done.lines.followed else None, cut)
    judgement = judge(seen, _known(result))
    notes, started = tuple(_notes(done, result)), done.steps.started
    said = said_of(window.ledger.waits)
    report = Report(done.device, window, judgement, notes, versions(), done.has_clock, started, said)
    if "tqdm" in sys.modules:
        sys.stderr.write("\n")  # a progress bar leaves its line open
    for line in table(report):
        sys.stderr.write(f"{line}\n")  # the program may have replaced `print`
    for each in done.options.outputs:
        write(of_rank(each.path), _rendered(report, each.form, done, result), each.form)
    if done.options.trace:
        write(of_rank(done.options.trace), traced(done.options.trace, done.device, done.steps))
    return _kept(done, result, report, ran)


def _kept(done: _Run, result: Result, report: Report, ran: Mapping[str, Ran]) -> int:
    """Keep what was seen as evidence, if asked to, and return 1 if it exceeds what was allowed."""
    if not done.options.record and not done.options.limits.compare:
        return done.options.limits.told(report, None)
    top, program = os.fspath(done.settings.top), done.program.filename
    found = evidence_of(Recorded(top, program, report, result.findings, ran, result.texts.source))
    if done.options.record:
        record(Path(done.options.record), found)
    return done.options.limits.told(report, found)


def _rendered(report: Report, form: str, done: _Run, result: Result) -> Iterator[str]:
    if form == "json":
        return as_json(report, result.texts.lines, timeline(report, done.steps))
    if form != "html":
        return rendered(report, form, result.texts.lines)
    from ...lint.fix.lookup import Lookup
    from .page import as_html

    return as_html(report, done.steps, result.texts.lines, Lookup(result.findings, result.texts.source).fix)


def of_rank(path: str) -> str:
    """Return the file for this process's report: each rank that torchrun has started writes its own."""
    rank = os.environ.get("RANK", "")
    if path == STDOUT or not rank.isdigit() or os.environ.get("WORLD_SIZE", "1") == "1":
        return path
    root, extension = os.path.splitext(path)
    return f"{root}.rank{rank}{extension}"


def _checked(files: Sequence[File], done: _Run) -> Result:
    """Return what the linter reports; if it fails altogether, the run is reported without it."""
    try:
        rules = chosen_rules([done.settings.layer], done.settings.plugins)
        return check_files(files, done.settings, rules, jobs=1)
    except Exception as error:
        failure = Failure.of(done.program.filename, "the comparison with the linter", error)
        return Result((), (failure,), len(files), 0.0, Texts({}))


def _notes(done: _Run, result: Result) -> Iterator[str]:
    """Yield what else is worth knowing about the run."""
    error, count = done.error, len(done.steps.marks)
    if isinstance(error, Enough):
        yield f"stopped after {count} steps, as requested."
    elif isinstance(error, KeyboardInterrupt):
        yield "the program was interrupted; this is what it did up to then."
    elif isinstance(error, SystemExit):
        yield f"the program exited with {error.code!r}." if error.code else "the program exited on its own."
    elif error is not None:
        yield f"the program stopped with {type(error).__name__}: {error}".split("\n")[0]
    if done.options.steps is not None and not isinstance(error, Enough):
        yield f"the program ended after {count} of {done.options.steps} steps."
    if 0 < count <= done.options.warmup:
        ran = "1 step does" if count == 1 else f"{count} steps do"
        yield f"{ran} not exceed the {done.options.warmup} warm-up steps; only the last one is measured."
    if done.children:
        yield f"processes that the program has started were not watched: {', '.join(done.children)}."
    if done.threads:
        yield f"threads of the program still ran, and ended with it: {', '.join(done.threads)}."
    if not done.lines.followed:
        yield "another tracer was active, so reported lines that did not wait could not be judged."
    for each in result.failures:
        yield f"{each.filename}: internal error in {each.part}: {each.error}"


def _files_of(done: _Run) -> list[str]:
    """Return the user's files that took part, by paths relative to here."""
    loaded = [getattr(module, "__file__", None) for module in tuple(sys.modules.values())]
    names = {done.program.filename, *done.lines.files, *(wait.filename for wait in done.steps.waits)}
    names |= {name for name in loaded if isinstance(name, str) and not is_of_synclint(name)}
    roots = roots_of(done.program)
    users = (
        name for name in names if name.endswith(".py") and (not is_library(name) or name.startswith(roots or "\0"))
    )
    here = os.path.realpath(os.getcwd()) + os.sep
    return sorted({real(name).removeprefix(here) for name in users if os.path.isfile(name)})


def _known(result: Result) -> Known:
    checked: dict[str, Checked] = {}

    def is_accepted(filename: str, row: int) -> bool:
        if filename not in checked:
            checked[filename] = check_file(File(filename, named=True))
        accepting = (each for each in checked[filename].suppressions if each.kind != "expect")
        return any(each.rows[0] <= row <= each.rows[1] for each in accepting)

    return Known(result.findings, is_accepted)
