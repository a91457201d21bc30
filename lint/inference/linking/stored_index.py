"""The index of a project as it is kept between runs: names only. The summary of a file is loaded when it is needed.

It holds as long as no file tells the others anything else; what is inside of functions may be another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from ..notes.summary import CallSite, ClassSummary, FileSummary
from ..values.union import Value
from .built_index import BuiltIndex
from .call_sites import MOST_CALLS, CallsOfFile, Found
from .places import Places
from .project_index import ProjectIndex

T = TypeVar("T")
Tables: TypeAlias = dict[str, Any]
"""Names, and the numbers of the files that they are about, as JSON holds them."""
Load: TypeAlias = Callable[[int], FileSummary]


def tables_of(index: BuiltIndex) -> Tables:
    """Return what a stored index is made of."""
    modules = [each.module for each in index.summaries]
    return {
        "functions": [[name or f"{each.module}:" for name in each.functions] for each in index.summaries],
        "classes": [{name: _shape(cls) for name, cls in each.classes.items()} for each in index.summaries],
        "constants": [list(each.constants) for each in index.summaries],
        "aliases": [list(each.aliases) for each in index.summaries],
        "modules": modules,
        "names": index.names(),
        "sites": _where([found.sites for found in index.direct], [found.sites for found in index.through_attributes]),
        "named": _where([found.named for found in index.direct], [found.named for found in index.through_attributes]),
        "given": _given(index),
        "crowded": _crowded(index),
    }


def _shape(cls: ClassSummary) -> list[Any]:
    return [cls.bases, sorted(cls.methods), list(cls.attributes), cls.fields]


def _where(*passes: Sequence[Mapping[str, object]]) -> dict[str, list[list[int]]]:
    """Return the numbers of the files that have calls by that name, for each of the two ways to find them out."""
    found: dict[str, list[list[int]]] = {}
    for way, files in enumerate(passes):
        for number, names in enumerate(files):
            for name in names:
                found.setdefault(name, [[], []])[way].append(number)
    return found


def _given(index: BuiltIndex) -> dict[str, dict[str, list[int]]]:
    given: dict[str, dict[str, list[int]]] = {}
    for number, found in enumerate(index.direct):
        for cls, name, _ in found.given:
            files = given.setdefault(cls, {}).setdefault(name, [])
            if number not in files[-1:]:
                files.append(number)
    return given


def _crowded(index: BuiltIndex) -> dict[str, list[list[int]]]:
    """Return for names of more calls than are followed how many each file has: number, directly, through attributes."""
    total: Counter[str] = Counter()
    for found in (*index.direct, *index.through_attributes):
        total.update(found.counted)
    names = [name for name, count in total.items() if count > MOST_CALLS]
    pairs = list(enumerate(zip(index.direct, index.through_attributes)))
    return {
        name: [
            [number, first.counted[name], then.counted[name]]
            for number, (first, then) in pairs
            if name in first.counted or name in then.counted
        ]
        for name in names
    }


class _OfFiles(Mapping[str, T]):
    """Things by name, each of which is found in a file when it is asked for."""

    def __init__(self, files: Mapping[str, Any], find: Callable[[str, Any], T]) -> None:
        self._files = files
        self._find = find
        self._known: dict[str, T] = {}

    def __getitem__(self, name: str) -> T:
        if name not in self._known:
            self._known[name] = self._find(name, self._files[name])
        return self._known[name]

    def __contains__(self, name: object) -> bool:
        return name in self._files

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)


class StoredIndex(ProjectIndex):
    """The index that tables describe; `load` returns the summary of a file by its number."""

    def __init__(self, tables: Tables, load: Load) -> None:
        self._load = load
        self._modules: list[str] = tables["modules"]
        self._crowded: dict[str, list[list[int]]] = tables["crowded"]
        self._summaries: dict[int, FileSummary] = {}
        self._direct: dict[int, Found] = {}
        self._held: dict[int, Found] = {}
        shapes = {name: (at, shape) for at, names in enumerate(tables["classes"]) for name, shape in names.items()}
        self.functions = _OfFiles(_files(tables["functions"]), self._function)
        self.classes = _OfFiles(shapes, self._class)
        self.constants = _OfFiles(_files(tables["constants"]), lambda name, at: self.summary(at).constants[name])
        self.aliases = _OfFiles(_files(tables["aliases"]), lambda name, at: self.summary(at).aliases[name])
        self.sites = _OfFiles(tables["sites"], self._sites)
        self._named_sites = _OfFiles(tables["named"], self._named)
        self._given = _OfFiles(tables["given"], self._bound_by_calls)
        names = tables["names"]
        self.tests, self.makers, self.binding = frozenset(names["tests"]), names["makers"], names["binding"]
        self._derived, self._exports, self._offered = names["derived"], names["exports"], names["offered"]
        self._chosen = names["chosen"]
        super().__init__()
        self.unused, self.inner = names["unused"], names["inner"]

    def summary(self, number: int) -> FileSummary:
        """Return the summary of a file; what is known about its questions is known from then on."""
        if number not in self._summaries:
            summary = self._summaries[number] = self._load(number)
            self._add_questions(summary)
        return self._summaries[number]

    def _function(self, name: str, number: int) -> Any:
        functions = self.summary(number).functions
        return functions["" if name == f"{self._modules[number]}:" else name]

    def _class(self, name: str, known: tuple[int, Any]) -> ClassSummary:
        number, (bases, methods, attributes, fields) = known
        bound: Any = _OfFiles(dict.fromkeys(attributes, number), lambda each, at: self._attribute(name, each, at))
        return ClassSummary(name, tuple(bases), frozenset(methods), bound, tuple(fields))

    def _attribute(self, cls: str, name: str, number: int) -> list[Value]:
        return self.summary(number).classes[cls].attributes[name]

    def _sites(self, name: str, files: list[list[int]]) -> list[CallSite]:
        direct = [site for at in files[0] for site in self._calls(at).sites[name]]
        return direct + [site for at in files[1] for site in self._calls_through_attributes(at).sites[name]]

    def _named(self, name: str, files: list[list[int]]) -> list[CallSite]:
        direct = [site for at in files[0] for site in self._calls(at).named[name]]
        return direct + [site for at in files[1] for site in self._calls_through_attributes(at).named[name]]

    def _bound_by_calls(self, cls: str, names: dict[str, list[int]]) -> Mapping[str, list[Value]]:
        def bound(name: str, files: list[int]) -> list[Value]:
            given = [each for at in files for each in self._calls(at).given]
            return [value for owner, attribute, value in given if (owner, attribute) == (cls, name)]

        return _OfFiles(names, bound)

    def _calls(self, number: int) -> Found:
        if number not in self._direct:
            before = {name: sum(n for at, n, _ in files if at < number) for name, files in self._crowded.items()}
            self._direct[number] = CallsOfFile(self, self.summary(number), before, Places()).direct()
        return self._direct[number]

    def _calls_through_attributes(self, number: int) -> Found:
        if number not in self._held:
            before = {
                name: sum(first + (then if at < number else 0) for at, first, then in files)
                for name, files in self._crowded.items()
            }
            calls = CallsOfFile(self, self.summary(number), before, Places())
            self._held[number] = calls.through_attributes(self._calls(number).held)
        return self._held[number]


def _files(names: list[list[str]]) -> dict[str, int]:
    return {name: number for number, each in enumerate(names) for name in each}
