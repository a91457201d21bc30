"""Explains a location: each name's value, its device and why, and how often the line runs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, Protocol

from ..facts.command_lines import OPTIONS
from ..files.modules import Modules
from ..files.source import Source
from ..finding import Frequency, Level, Reason, Span
from ..settings.config import Settings
from .linking.asking import Asking
from .linking.index.built_index import BuiltIndex
from .linking.index.reads import Unnoted
from .linking.index.unused import inner_in, unused_in
from .notes.imports import Imports
from .notes.mentions import Mentions, mentions
from .notes.names import Names
from .notes.summary import FileSummary
from .notes.uses import uses
from .often.placing import local_of
from .often.regions import Region
from .reading.interpreter import read
from .reading.state.file_state import FileState
from .reading.state.frame import Frame
from .values.union import UNKNOWN, Batch, Class, DeviceRef, Function, Module, Tensor, Value, options_of

_NAMES: Final = (Module, Function, Class)
"""Values about which only the name is known, which the line shows already."""


SILENT: Final = "nothing is reported here"
_SELDOM: Final = {
    Level.NEVER: "this line does not run on the thread that drives the GPU",
    Level.FAILURE: "this line runs only on the way to an error",
    Level.ONCE: "this line runs once, in no loop over steps",
}


class Analysed(Protocol):
    """What is known about another file."""

    @property
    def filename(self) -> str: ...
    @property
    def summary(self) -> FileSummary | None: ...
    @property
    def mentions(self) -> Mentions | None: ...


class Others(NamedTuple):
    """The rest of a project: the summaries of its files, and what they mention."""

    summaries: Sequence[FileSummary] = ()
    mentions: Mapping[str, Mentions] = {}

    @classmethod
    def of(cls, analyses: Iterable[Analysed]) -> Others:
        """Return the rest of a project by the analyses of its files."""
        every = [*analyses]
        summaries = [each.summary for each in every if each.summary is not None]
        return cls(summaries, {each.filename: each.mentions for each in every if each.mentions is not None})


class Explained(NamedTuple):
    """What is known about a line, and what to say if nothing is reported on it."""

    lines: list[str]
    silent: str


class Seen(NamedTuple):
    """An expression on the requested line, with its value and its region."""

    node: ast.expr
    value: Value
    region: Region
    scope: str


class Known(NamedTuple):
    """The facts about one expression: its source, its value, and the reasons for it."""

    text: str
    span: Span
    value: Value
    reasons: tuple[Reason, ...]
    frequency: Frequency


NO_OTHERS: Final = Others()


def explain(
    source: Source,
    line: int,
    column: int | None = None,
    settings: Settings | None = None,
    others: Others = NO_OTHERS,
) -> Explained:
    """Return what is known about a line, one fact per line; with `column`, only about expressions that cover it."""
    found = [each for each in known_at(source, line, settings, others) if not isinstance(each.value, _NAMES)]
    if column is not None:
        found = [each for each in found if _covers(each.span, column)] or found
    if not found:
        place = Span(source.filename, line, 1, line, 1, source.cell(line))
        return Explained([f"{source.filename}:{place.line}: there is no expression here"], f"{SILENT}: nothing runs")
    lines = []
    for each in found:
        lines += [f"{each.text}: {shown(each.value)}", *(f"    {_where(reason)}" for reason in each.reasons)]
    return Explained([*lines, *_often(found[0].frequency)], _why_silent(found))


def _why_silent(found: Sequence[Known]) -> str:
    """Return why a line with these expressions may not be reported, so that a user can say what is not known."""
    level = found[0].frequency.level
    if level <= Level.ONCE:
        return f"{SILENT}: {_SELDOM[level]}"
    values = [option for each in found for option in options_of(each.value)]
    unknown = [each.text for each in found if each.value is UNKNOWN]
    if any(isinstance(option, Tensor | Batch) and not option.device.on_cpu for option in values):
        rest = f"; the type of `{unknown[-1]}` is not known" if unknown else ""
        return f"{SILENT}: no operation here is known to make the host wait for these values{rest}"
    if unknown:
        return f"{SILENT}: the type of `{unknown[-1]}` is not known, nor whether it is on the GPU"
    return f"{SILENT}: no value here is on the GPU"


def known_at(
    source: Source, line: int | None, settings: Settings | None = None, others: Others = NO_OTHERS
) -> Iterator[Known]:
    """Yield what is known about each expression that begins on a line, in source order; about all of them for None.

    `others` are the rest of the project.
    """
    settings = settings or Settings()
    known = {**others.mentions, source.filename: mentions(source.text, source.filename)}
    modules = Modules(str(settings.top.absolute()), [*known])
    file = _AskedFile(source, line, modules, settings)
    summary = read(file, _KeepingFrame)
    built = BuiltIndex([summary, *others.summaries])
    graph = Imports(modules, known)
    together = uses(graph, Names.of(graph))
    built.unused = unused_in(built, built.summaries, together)
    built.inner = inner_in(built.summaries, together)
    asking = Asking(built, settings, Unnoted())
    for seen in sorted(file.seen.values(), key=_order):
        value = asking.resolver.resolve(seen.value)
        frequency = asking.callers.said(local_of(seen.region), seen.scope or f"{summary.module}:")
        text, span = file.recorder.text(seen.node), source.span(seen.node)
        yield Known(text, span, value, tuple(_reasons(value)), frequency)


def shown(value: Value) -> str:
    """Return a value in words; what one file parses of a command line is a class of its own, but not to people."""
    return re.sub(rf"[\w.]+\.(?={re.escape(OPTIONS)})", "", str(value))


def _covers(span: Span, column: int) -> bool:
    """Whether the span covers a column of its first line."""
    return span.column <= column and (span.end_row > span.row or column < span.end_column)


def _order(seen: Seen) -> tuple[int, int, int]:
    return seen.node.lineno, seen.node.col_offset, -(seen.node.end_col_offset or 0)


def _reasons(value: Value) -> Iterator[Reason]:
    for option in options_of(value):
        if isinstance(option, Tensor | Batch | DeviceRef) and option.device.why is not None:
            yield option.device.why
        if isinstance(option, Tensor) and option.by_use:
            yield Reason(f"assumed to be a tensor: {option.by_use}")


def _where(reason: Reason) -> str:
    place = f" ({reason.span.filename}:{reason.span.line})" if reason.span else ""
    return f"{reason.message}{place}"


def _often(frequency: Frequency) -> list[str]:
    return [
        f"this line runs: {frequency.words}",
        *(f"    {_where(reason)}" for reason in frequency.reasons),
    ]


class _AskedFile(FileState):
    """A file that keeps the values of the expressions on one line, or of all for None."""

    def __init__(self, source: Source, line: int | None, modules: Modules, settings: Settings) -> None:
        super().__init__(
            source, modules, settings.gpu_names, facts=settings.facts, default_device=settings.default_device
        )
        self.line = line
        self.seen: dict[ast.expr, Seen] = {}

    def wants(self, node: ast.stmt | ast.expr) -> bool:
        """Whether the node begins on the requested line."""
        return self.line is None or node.lineno == self.line


class _KeepingFrame(Frame):
    """A frame that keeps what is evaluated in it on the requested line."""

    file: _AskedFile

    def eval(self, node: ast.expr) -> Value:
        value = super().eval(node)
        if self.file.wants(node) and not isinstance(node, ast.Constant | ast.Slice | ast.JoinedStr):
            self.file.seen[node] = Seen(node, value, self.region, self.scope)
        return value

    def assign_name(self, name: str, value: Value) -> None:
        super().assign_name(name, value)
        self._keep_target(name, value)

    def _keep_target(self, name: str, value: Value) -> None:
        """Keep the value of a name that a statement on the line binds."""
        if not isinstance(self.statement, ast.Assign | ast.For | ast.AnnAssign) or not self.file.wants(self.statement):
            return
        targets = self.statement.targets if isinstance(self.statement, ast.Assign) else [self.statement.target]
        for target in (part for each in targets for part in ast.walk(each)):
            if isinstance(target, ast.Name) and target.id == name:
                self.file.seen[target] = Seen(target, value, self.region, self.scope)
