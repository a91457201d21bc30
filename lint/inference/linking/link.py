"""Resolves the questions that files left open about each other: parameters, results, attributes, callers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from ...bounds.limit import limited
from ...declared import Declared
from ...facts import distributions, libraries, library_waits
from ...facts.graph_layers import calls_layer
from ...finding import Frequency, Level
from ..library.access import taking
from ..library.expected import as_expected
from ..library.method_names import tensor_only
from ..library.shown import shown_by_index, shown_tensor
from ..notes.operations import Call, Compare, Convert, HostRead, Index, IndexWrite, Iterate, Operation, Pass, Truth
from ..notes.summary import FileSummary, Placed
from ..often.local import Local
from ..values.certainty import OBJECT, can_wait, in_text, may_be_array
from ..values.joining import join_all
from ..values.lattice import SCALAR
from ..values.unfinished import pending
from ..values.union import UNKNOWN, Batch, Host, OneOf, Tensor, Value, options_of
from .asking import Asking
from .by_callers import with_callers
from .index.built_index import BuiltIndex
from .index.followed import Following
from .index.places import Fail, Places, raise_it
from .index.project_index import ProjectIndex
from .index.reads import Reads, Unnoted
from .index.unused import inner_in, unused_in
from .indices import resolved_indices
from .lives.loader_lives import asked_for, fed, loaders_in
from .lives.metric_lives import followed
from .resolving.defaults import with_defaults
from .resolving.resolve import Resolver

if TYPE_CHECKING:
    from ...settings.config import Settings
    from ...settings.versions import Versions
    from ..notes.uses import Uses


def link(
    summaries: Sequence[FileSummary],
    settings: Settings,
    reported: Collection[str] | None = None,
    fail: Fail = raise_it,
) -> Iterator[Operation]:
    """Yield the operations of the reported files (None: of all), with questions resolved, and how often each runs.

    Operations that cannot wait any more (their values turned out to live on the host) are left out. Of the other files
    some calls matter: they tell what becomes of metrics and loaders. `fail` is told of errors of our own, each of which
    costs the place where it happened.
    """
    for operation in WholeProject(summaries, reported, fail).operations(settings):
        if reported is None or operation.span.filename in reported:
            yield operation


class WholeProject:
    """All files of a project; `follows`: calls in files that are not reported tell what becomes of an object.

    `uses` is what they mention together, if they are all there is. `noted`: what linking reads is noted, in `reads`.
    `following` may know from a run before what calls run, if nothing is noted. `last`: see `Scope`.
    """

    def __init__(
        self,
        summaries: Sequence[FileSummary],
        reported: Collection[str] | None = None,
        fail: Fail = raise_it,
        uses: Uses | None = None,
        noted: bool = False,
        following: Following | None = None,
        last: bool = False,
    ) -> None:
        self.summaries = summaries
        self._reported = reported
        self._fail = fail
        with limited() as limit:
            self.index = BuiltIndex(summaries, Places(fail, limit), None if noted else following)
            self.index.unused = unused_in(self.index, summaries, uses)
            self.index.inner = inner_in(summaries, uses)
        told = ((each.filename, each.telling) for each in summaries)
        self.follows = reported is not None and follows(self.index, told, reported)
        self._noted = noted
        self._last = last
        self.reads: Reads = Unnoted()

    def operations(self, settings: Settings) -> list[Operation]:
        """Return the operations of the reported files, and of the others what tells about these."""
        self.reads = Reads() if self._noted else Unnoted()
        scope = Scope(self._reported, self.follows, last=self._last)
        return linked(Asking(self.index, settings, self.reads), self.summaries, scope, self._fail)


class Scope(NamedTuple):
    """What a run is about: the reported files (None: all); whether calls in others tell what becomes of an object.

    `switched`: files that are not linked again turn off the checks of distributions. `last`: nobody needs the
    operations of a file after it has been linked, so that their memory can be free.
    """

    reported: Collection[str] | None = None
    follows: bool = False
    switched: bool = False
    last: bool = False


def linked(asking: Asking, summaries: Sequence[FileSummary], scope: Scope, fail: Fail = raise_it) -> list[Operation]:
    """Return the operations of some files of a project, and of those that are not reported what tells about these."""
    with limited() as limit:
        places = Places(fail, limit)
        operations = list(_answers_in(asking, summaries, scope, places))
        for tell in (partial(with_defaults, switched=scope.switched), followed, fed):
            with places.at(operations[0].span.filename if operations else ""):
                operations = list(tell(operations))
    return operations


def _answers_in(asking: Asking, summaries: Sequence[FileSummary], scope: Scope, places: Places) -> Iterator[Operation]:
    index, resolver, settings = asking.index, asking.resolver, asking.settings
    answers = _Answers(resolver, settings.versions, asking.declared)
    for summary in summaries:
        is_reported = scope.reported is None or summary.filename in scope.reported
        if not is_reported and not scope.follows and not any(map(is_switch, summary.telling)):
            continue
        index.reads.begin_file(summary.filename)
        for placed in summary.operations:
            if not is_reported and not _tells(placed.operation, scope.follows):
                continue
            operation = None
            asking.questions.begin()
            with places.at(summary.filename, placed.operation.span.row, resolver):
                if not _is_allowed(placed, settings.allowed_contexts):
                    local = placed.local if not placed.ways else _on_the_only_way(placed, resolver)
                    often = asking.callers.said(local, placed.owner or f"{summary.module}:")
                    asking.questions.begin()
                    operation = _answered(placed, answers, often, index.kind)
                    if operation is not None and placed.owner:
                        operation = with_callers(asking, placed.operation, operation, placed.owner)
            if operation is not None:
                yield operation
        if scope.last:
            summary.operations = ()
    index.reads.keep(asking.questions.for_others())
    asking.questions.let_go()
    if scope.last:
        index.let_go()


def _on_the_only_way(placed: Placed, resolver: Resolver) -> Local:
    """Return how often an operation runs per call of its function: on the way that gives a tensor, if only one does.

    What the others give must be known then.
    """
    waiting = []
    for value, local in placed.ways:
        options = options_of(resolver.resolve(value))
        if any(map(can_wait, options)):
            waiting.append(local)
        elif not all(isinstance(each, Tensor | Batch | Host) and each != OBJECT for each in options):
            return placed.local
    return waiting[0] if len(waiting) == 1 else placed.local


def _answered(
    placed: Placed, answers: _Answers, frequency: Frequency, kind_of: Callable[[str], str | None]
) -> Operation | None:
    """Return the operation with its questions answered, and with its frequency; None if it cannot wait."""
    hooked = asked_for(placed.operation, kind_of)
    if frequency.level is Level.NEVER and hooked is None:
        return None
    return answers.resolved(hooked or placed.operation, frequency)


def follows(index: ProjectIndex, told: Iterable[tuple[str, Iterable[str]]], reported: Collection[str]) -> bool:
    """Whether calls in other files may tell what becomes of a metric, or of a loader, of the reported files.

    `told` are the files with the functions called in each that tell about others.
    """
    if any(index.inheritance.kind(name) == "metric" for name in index.classes):
        return True
    return any(
        libraries.is_metric(name) or (filename in reported and libraries.class_kind(name) == "dataloader")
        for filename, names in told
        for name in names
    )


def _tells(operation: Operation, follows: bool) -> bool:
    """Whether another file's operation tells about the reported ones; `follows`: what becomes of an object matters."""
    if not isinstance(operation, Call):
        return follows and isinstance(operation, Pass)
    return is_switch(operation.name) if operation.receiver is None else follows


def is_switch(name: str) -> bool:
    """Whether a function by this name turns the checks of distributions on or off."""
    return name.rpartition(".")[2] == distributions.SWITCH


def _is_allowed(placed: Placed, allowed: Sequence[str]) -> bool:
    """Whether waiting is intended here: the configuration names an enclosing context manager."""
    return any(context == name or context.endswith(f".{name}") for context in placed.local.contexts for name in allowed)


class _Answers:
    """Replaces questions in operations by their answers."""

    def __init__(self, resolver: Resolver, versions: Versions, declared: Declared) -> None:
        self.resolver = resolver
        self.versions = versions
        self.declared = declared

    def resolved(self, operation: Operation, frequency: Frequency) -> Operation | None:
        """Return the operation with its operands resolved, or None if it cannot wait."""
        changes = self._operands(operation)
        return None if changes is None else replace(operation, frequency=frequency, versions=self.versions, **changes)

    def _operands(self, operation: Operation) -> dict[str, Any] | None:
        answer = self.resolver.resolve
        match operation:
            case Truth(of_one=True):
                value = join_all(filter(_is_of_one, options_of(answer(operation.value))))
                return None if value is UNKNOWN else {"value": value}
            case Convert(to="str"):
                value = answer(operation.value)
                return {"value": value} if any(map(can_wait, in_text(value))) else None
            case Truth() | Convert():
                value = answer(operation.value)
                return {"value": value} if can_wait(value) else None
            case Pass():
                value = answer(operation.value)
                return {"value": value} if any(loaders_in(value)) else None
            case Iterate():
                return {"value": answer(operation.value), "reads": tuple(map(answer, operation.reads))}
            case HostRead():
                value = answer(operation.value)
                return None if pending(value) is None else {"value": value}
            case Compare():
                values = tuple(map(answer, operation.values))
                return {"values": values} if any(map(can_wait, values)) else None
            case Index():
                base = answer(operation.base)
                indices = resolved_indices(self.resolver, operation.indices, base)
                return {"base": shown_by_index(base, indices), "indices": indices}
            case IndexWrite():
                return self._written(operation)
            case Call():
                return self._call(operation)
        return None

    def _written(self, operation: IndexWrite) -> dict[str, Any] | None:
        answer = self.resolver.resolve
        base, value = answer(operation.base), answer(operation.value)
        if not can_wait(base) and not (may_be_array(base) and can_wait(value)):
            return None
        indices = resolved_indices(self.resolver, operation.indices, base)
        return {"base": shown_by_index(base, indices), "indices": indices, "value": value}

    def _call(self, operation: Call) -> dict[str, Any] | None:
        answer = self.resolver.resolve
        receiver = None if operation.receiver is None else answer(operation.receiver)
        if isinstance(receiver, Batch | OneOf):
            receiver = taking(receiver, operation.last_name, len(operation.positional), dict(operation.keywords))
            if receiver is UNKNOWN:
                return None
            receiver = shown_tensor(receiver, operation.last_name, tensor_only(True))
        name = operation.name
        if receiver is not None and operation.is_open:
            found, receiver = self.resolver.callees.of(operation.name, receiver)
            if found is None:
                return None
            name = found
        if (name in library_waits.ROWS or calls_layer(name)) and self.resolver.runs_own(name):
            return None  # what waits in it is told there
        positional = tuple(map(answer, operation.positional))
        keywords = tuple((key, answer(value)) for key, value in operation.keywords)
        if operation.is_open:
            positional, keywords = as_expected(name, positional, keywords)
        fact = self.declared.wait(name)
        return {"name": name, "receiver": receiver, "positional": positional, "keywords": keywords, "declared": fact}


def _is_of_one(value: Value) -> bool:
    """Whether this is a 0-dim tensor, which has one element."""
    return isinstance(value, Tensor) and value.rank == SCALAR
