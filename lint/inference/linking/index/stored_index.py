"""The index of a project as it is kept between runs: names only. The summary of a file is loaded when it is needed."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias, TypeVar

from ....limits import MOST_FOLLOWED
from ...notes.summary import CallSite, ClassSummary, FileSummary
from ...values.union import Value
from .asked_calls import AskedCalls
from .built_index import BuiltIndex
from .call_sites import CallsOfFile, Found
from .places import Places
from .project_index import ProjectIndex
from .reads import Unnoted
from .rows import Calls, Row, counted_in, crowded, derived_in, of_functions, options_in, row_of

T = TypeVar("T")
Tables: TypeAlias = dict[str, Any]
"""Which classes are derived from which, what nothing runs and what only the project; as JSON."""
Load: TypeAlias = Callable[[str], FileSummary]
_BY_FUNCTION: Final = ("makers", "binding", "calling")
_KINDS: Final = ("sites", "named")
"""What is known of calls: the function that they run, or no more than the name of a method."""


def rows_of(index: BuiltIndex) -> list[Row]:
    """Return the rows of all files."""
    found = zip(index.summaries, index.direct, index.through_attributes)
    return [row_of(summary)._replace(direct=direct, through_attributes=through) for summary, direct, through in found]


def tables_of(index: ProjectIndex) -> Tables:
    """Return what a stored index is made of besides its rows."""
    return {
        "derived": index.every_derived(),
        "unused": index.unused,
        "inner": index.inner,
    }


class OfFiles(Mapping[str, T]):
    """Things by name, each of which is found in a file when it is asked for."""

    def __init__(self, files: Mapping[str, Any], find: Callable[[str, Any], T]) -> None:
        self.files = files
        self._find = find
        self._known: dict[str, T] = {}

    def __getitem__(self, name: str) -> T:
        if name not in self._known:
            self._known[name] = self._find(name, self.files[name])
        return self._known[name]

    def __contains__(self, name: object) -> bool:
        return name in self.files

    def __iter__(self) -> Iterator[str]:
        return iter(self.files)

    def __len__(self) -> int:
        return len(self.files)


class StoredIndex(ProjectIndex):
    """The index that rows describe; `load` returns the summary of a file by its name.

    It holds as long as no file tells the others anything else; what is inside of functions may be another.
    """

    def __init__(
        self,
        rows: Sequence[Row],
        load: Load,
        derived: Mapping[str, Sequence[str]] | None = None,
        unused: Mapping[str, str] | None = None,
        inner: Sequence[str] = (),
    ) -> None:
        self.rows = list(rows)
        self.numbers = {row.filename: at for at, row in enumerate(rows)}
        self._load = load
        self._summaries: dict[int, FileSummary] = {}
        self.shapes = {name: (at, shape) for at, row in enumerate(rows) for name, shape in row.classes.items()}
        functions = _files([row.functions for row in rows])
        constants, aliases = _files([row.constants for row in rows]), _files([row.aliases for row in rows])
        self._files_of = {"function": functions, "constant": constants, "alias": aliases}
        self.functions = OfFiles(functions, self._function)
        self.classes = OfFiles(self.shapes, self._class)
        self.constants = OfFiles(constants, lambda name, at: self._in(at).constants[name])
        self.aliases = OfFiles(aliases, lambda name, at: self._in(at).aliases[name])
        self.tests = frozenset(name for row in rows if row.tests for name in row.functions)
        self.makers, self.binding, self.calling = (of_functions(rows, part, functions) for part in _BY_FUNCTION)
        self.names = frozenset((*functions, *self.shapes, *constants, *aliases))
        self._exports = {name: meant for row in rows for name, meant in row.exports.items()}
        self._offered = frozenset(name for row in rows for name in row.offered)
        self._public = frozenset(name for row in rows for name in row.public)
        self._bound_anywhere = frozenset(name for row in rows for name in row.bound)
        self._passed_anywhere = frozenset(name for row in rows for name in row.passed)
        self._trains = any(row.trains for row in rows)
        self._traces = any(row.traces for row in rows)
        self._options = options_in(row.options for row in rows)
        self._chosen = {name: meant for row in rows for name, meant in row.chosen.items()}
        super().__init__()
        self._derived = derived_in(self.classes, self.inheritance.bases) if derived is None else derived
        self.unused, self.inner = unused or {}, inner
        self.asked, self.asked_later = AskedCalls(self), AskedCalls(self)
        self._looked_up = AskedCalls(self, Unnoted())
        self._direct: dict[int, Found] = {}
        self._later: dict[int, Found] = {}
        self._counted = counted_in(self.rows)
        self._calls_in = {kind: _where(self.rows, kind) for kind in _KINDS}
        self._look_up_calls()

    def replace(self, rows: Mapping[int, Row]) -> None:
        """Take other rows of some files, which define the same as before but whose calls run something else."""
        for number, row in rows.items():
            old, self.rows[number] = self.rows[number], row
            self._counted.subtract(counted_in([old]))
            self._counted.update(counted_in([row]))
            for kind, files in self._calls_in.items():
                for way in range(2):
                    before, after = (getattr(each.calls[way], kind).keys() for each in (old, row))
                    _move(number, way, before - after, after - before, files)
        self._look_up_calls()

    def _look_up_calls(self) -> None:
        """Look up anew what the calls of files run."""
        self._members.clear()
        self._bound: dict[int, Sequence[tuple[str, str, Value]]] = {}
        self._looked_up.forget()
        self.crowded = crowded(self._counted, self.rows, MOST_FOLLOWED)
        self._crowds: dict[str, list[str]] = {}
        for name in self.crowded:
            self._crowds.setdefault(name.rpartition(".")[2], []).append(name)
        self.sites = OfFiles(self._calls_in["sites"], self._sites)
        self._named_sites = OfFiles(self._calls_in["named"], self._named)
        self._given = OfFiles(_given(self.rows), self._bound_by_calls)

    def defined_in(self, kind: str, name: str) -> list[str]:
        """Return the file that defines something."""
        number = self._files_of[kind].get(name)
        return [] if number is None else [self.rows[number].filename]

    def attribute_in(self, cls: str, name: str) -> list[str]:
        """Return the file with a class that binds an attribute itself."""
        number, shape = self.shapes.get(cls, (0, ()))
        return [self.rows[number].filename] if shape and name in shape[2] else []

    def called_in(self, kind: str, name: str) -> list[list[str]]:
        """Return the files that have calls by that name, for each of the two ways to find them out."""
        files = self._calls_in[kind].get(name, ())
        return [[self.rows[at].filename for at in each] for each in files]

    def calls_in(self, kind: str, name: str, filename: str) -> list[CallSite]:
        """Return the calls by that name in one file."""
        number, files = self.numbers.get(filename, -1), self._calls_in[kind].get(name, ())
        found = [self._calls_by(number, way, kind, name) for way, each in enumerate(files) if number in each]
        return [site for each in found for site in each]

    def given_in(self, cls: str, name: str) -> list[str]:
        """Return the files with calls that bind an attribute of a class."""
        given = self._given.get(cls, {})
        files = given.files if isinstance(given, OfFiles) else {}
        return [self.rows[at].filename for at in files.get(name, ())]

    def has(self, name: str) -> bool:
        """Whether something is defined under that very name."""
        return name in self.names

    def exported(self, name: str) -> str:
        """Return what a module, or a name in one, stands for that it imports from elsewhere; empty if it does not."""
        return self._exports.get(name, "")

    def summary(self, filename: str) -> FileSummary:
        """Return the summary of a file, whose questions are known from then on."""
        return self._in(self.numbers[filename])

    def _in(self, number: int) -> FileSummary:
        """Return the summary of a file; what is known about its questions is known from then on."""
        if number not in self._summaries:
            summary = self._summaries[number] = self._load(self.rows[number].filename)
            self._add_questions(summary)
        return self._summaries[number]

    def _function(self, name: str, number: int) -> Any:
        functions = self._in(number).functions
        return functions["" if name == f"{self.rows[number].module}:" else name]

    def _class(self, name: str, known: tuple[int, Any]) -> ClassSummary:
        number, (bases, methods, attributes, fields) = known
        bound: Any = OfFiles(dict.fromkeys(attributes, number), lambda each, at: self._attribute(name, each, at))
        return ClassSummary(name, tuple(bases), frozenset(methods), bound, tuple(fields))

    def _attribute(self, cls: str, name: str, number: int) -> list[Value]:
        return self._in(number).classes[cls].attributes[name]

    def _sites(self, name: str, files: list[list[int]]) -> list[CallSite]:
        direct = [site for at in files[0] for site in self._calls_by(at, 0, "sites", name)]
        return direct + [site for at in files[1] for site in self._calls_by(at, 1, "sites", name)]

    def _named(self, name: str, files: list[list[int]]) -> list[CallSite]:
        direct = [site for at in files[0] for site in self._calls_by(at, 0, "named", name)]
        return direct + [site for at in files[1] for site in self._calls_by(at, 1, "named", name)]

    def _calls_by(self, number: int, way: int, kind: str, name: str) -> list[CallSite]:
        """Return the calls by a name in one file; others are followed only where these depend on how many there are."""
        known, row = (self._direct, self._later)[way], self.rows[number].calls[way]
        if number in known or self._is_counted(row, name):
            found = (self.direct, self.through_attributes)[way](number)
        else:
            calls = CallsOfFile(self._looked_up, self._in(number), {}, Places())
            numbers = getattr(row, kind)[name]
            found = calls.through_attributes(calls.calls(numbers)) if way else calls.direct(numbers)
        sites: list[CallSite] = getattr(found, kind)[name]
        return sites

    def _is_counted(self, row: Calls, name: str) -> bool:
        """Whether calls of others by the same last name, of which not all are followed, may run what has that name."""
        crowd = self._crowds.get(name.rpartition(".")[2], ())
        return any(each in row.counted for each in crowd if each != name)

    def _bound_by_calls(self, cls: str, names: dict[str, list[int]]) -> Mapping[str, list[Value]]:
        def bound(name: str, files: list[int]) -> list[Value]:
            given = [each for at in files for each in self._bound_in(at)]
            return [value for owner, attribute, value in given if (owner, attribute) == (cls, name)]

        return OfFiles(names, bound)

    def _bound_in(self, number: int) -> Sequence[tuple[str, str, Value]]:
        """Return the attributes of classes that the calls of a file bind: those of functions that make such."""
        if (row := self.rows[number]).tests or number in self._direct:
            return self.direct(number).given  # in tests, not all calls are listed by what they run
        if (known := self._bound.get(number)) is None:
            sites = row.direct.sites
            numbers = sorted({each for name in sites.keys() & self.binding.keys() for each in sites[name]})
            found = CallsOfFile(self._looked_up, self._in(number), {}, Places()).direct(numbers)
            known = self._bound[number] = found.given
        return known

    def direct(self, number: int) -> Found:
        """Return what the calls of a file run, as far as that is known without knowing what attributes hold."""
        if number not in self._direct:
            before = {name: sum(n for at, n, _ in files if at < number) for name, files in self.crowded.items()}
            self._direct[number] = CallsOfFile(self.asked, self._in(number), before, Places()).direct()
        return self._direct[number]

    def through_attributes(self, number: int) -> Found:
        """Return what the calls of a file of what attributes hold run."""
        if number not in self._later:
            before = {
                name: sum(first + (then if at < number else 0) for at, first, then in files)
                for name, files in self.crowded.items()
            }
            calls = CallsOfFile(self.asked_later, self._in(number), before, Places())
            self._later[number] = calls.through_attributes(self.direct(number).held.items())
        return self._later[number]

    def forget_calls(self, number: int) -> None:
        """Forget what the calls of a file run: other files have more calls of the same name than before."""
        self._direct.pop(number, None)
        self._later.pop(number, None)


def _files(names: Sequence[Sequence[str]]) -> dict[str, int]:
    return {name: number for number, each in enumerate(names) for name in each}


def _where(rows: Sequence[Row], kind: str) -> dict[str, list[list[int]]]:
    """Return the numbers of the files that have calls by that name, for each of the two ways to find them out."""
    found: dict[str, list[list[int]]] = {}
    for number, row in enumerate(rows):
        for way, calls in enumerate(row.calls):
            for name in getattr(calls, kind):
                found.setdefault(name, [[], []])[way].append(number)
    return found


def _move(number: int, way: int, gone: Iterable[str], new: Iterable[str], files: dict[str, list[list[int]]]) -> None:
    """Remove the number of a file where it has no calls by some names any more, and add it for new ones."""
    for name in gone:
        files[name][way].remove(number)
        if not any(files[name]):
            del files[name]
    for name in new:
        insort(files.setdefault(name, [[], []])[way], number)


def _given(rows: Sequence[Row]) -> dict[str, dict[str, list[int]]]:
    given: dict[str, dict[str, list[int]]] = {}
    for number, row in enumerate(rows):
        for cls, name in row.direct.given:
            given.setdefault(cls, {}).setdefault(name, []).append(number)
    return given
