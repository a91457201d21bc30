"""What the index of a project needs to know of a file by name alone, as JSON holds it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from ...notes.summary import ClassSummary, FileSummary
from .call_sites import Found
from .handed_on import called_in
from .makers import function_of, makers_in

Shape: TypeAlias = list[Any]
"""Of a class: its bases, its methods, its attributes and its fields."""


class Calls(NamedTuple):
    """What the calls of a file run: functions, and methods known only by name, each with the numbers of the calls.

    `given` are classes and attributes that calls bind, `counted` is how many calls of a name were followed.
    """

    sites: Mapping[str, Sequence[int]] = {}
    named: Mapping[str, Sequence[int]] = {}
    given: Sequence[tuple[str, str]] = ()
    counted: Mapping[str, int] = {}


class Row(NamedTuple):
    """What a file defines, imports and calls; `direct` calls are known before those `through_attributes`."""

    filename: str
    module: str
    tests: bool
    functions: Sequence[str]
    classes: Mapping[str, Shape]
    constants: Sequence[str]
    aliases: Sequence[str]
    makers: Mapping[str, list[str]]
    binding: Mapping[str, Sequence[str]]
    calling: Mapping[str, Mapping[str, int]]
    exports: Mapping[str, str]
    offered: Sequence[str]
    public: Sequence[str]
    options: Mapping[str, Sequence[Any]]
    bound: Sequence[str]
    passed: Sequence[str]
    trains: bool
    traces: bool
    chosen: Mapping[str, str]
    telling: Sequence[str]
    imports: Mapping[str, str]
    added: Sequence[str]
    direct: Calls = Calls()
    through_attributes: Calls = Calls()

    def counted(self) -> set[str]:
        """Return the names of calls that are counted."""
        return {*self.direct.counted, *self.through_attributes.counted}

    @property
    def calls(self) -> tuple[Calls, Calls]:
        """What its calls run, for each of the two ways to find that out."""
        return self.direct, self.through_attributes


def row_in(stored: Sequence[Any]) -> Row:
    """Return a row as it was stored."""
    row = Row._make(stored)
    return row._replace(direct=Calls._make(row.direct), through_attributes=Calls._make(row.through_attributes))


def row_of(summary: FileSummary) -> Row:
    """Return what a file defines; what its calls run is still open."""
    functions = {name or f"{summary.module}:": each for name, each in summary.functions.items()}
    return Row(
        summary.filename,
        summary.module,
        summary.tests,
        list(functions),
        {name: _shape(cls) for name, cls in summary.classes.items()},
        list(summary.constants),
        list(summary.aliases),
        makers_in(functions),
        {name: [*each.terms] for name, each in functions.items() if each.binding},
        called_in(summary),
        summary.exports,
        sorted(summary.offered),
        sorted(summary.public),
        {} if summary.tests else options_of_file(summary),
        sorted(summary.bound),
        sorted(summary.passed),
        summary.trains and not summary.tests,
        summary.traces,
        summary.chosen,
        sorted(summary.telling),
        summary.imports,
        summary.added,
    )


def options_of_file(summary: FileSummary) -> dict[str, list[Any]]:
    """Return the constants that options are by default in one file, by their names, with the module's and without."""
    found = {name: [each.constant for each in values] for name, values in summary.options.items() if values}
    return {**found, **{f"{summary.module}:{name}": constants for name, constants in found.items()}}


def options_in(files: Iterable[Mapping[str, Sequence[Any]]]) -> dict[str, list[Any]]:
    """Return the constants that options are by default, by their names, in all files."""
    found: dict[str, list[Any]] = {}
    for options in files:
        for name, constants in options.items():
            known = found.setdefault(name, [])
            known += (each for each in constants if not any(type(each) is type(one) and each == one for one in known))
    return found


def calls_of(found: Found) -> Calls:
    """Return what was found out about calls."""
    given = dict.fromkeys((cls, name) for cls, name, _ in found.given)
    return Calls(found.run_by, found.named_by, list(given), found.counted)


def counted_in(rows: Iterable[Row]) -> Counter[str]:
    """Return how many calls of each name there are in some files."""
    total: Counter[str] = Counter()
    for row in rows:
        for calls in row.calls:
            total.update(calls.counted)
    return total


Counts: TypeAlias = list[tuple[int, int, int]]
"""How many calls of one name files have: the number of a file, how many directly, and how many through attributes."""


def crowded(total: Counter[str], rows: Sequence[Row], most: int) -> dict[str, Counts]:
    """Return for names of more calls than are followed how many each file has."""
    return counts_of({name for name, count in total.items() if count > most}, rows)


def counts_of(names: Collection[str], rows: Sequence[Row]) -> dict[str, Counts]:
    """Return for each of the names how many calls of it each file has."""
    found: dict[str, Counts] = {name: [] for name in names}
    for at, row in enumerate(rows) if found else ():
        direct, later = row.direct.counted, row.through_attributes.counted
        for name in found.keys() & (direct.keys() | later.keys() if later else direct.keys()):
            found[name].append((at, direct.get(name, 0), later.get(name, 0)))
    return found


def followed(counts: Counts, rows: Sequence[Row], most: int) -> dict[str, tuple[int, int]]:
    """Return how many calls of a name are followed in each file: directly, and through attributes."""
    found, before = {}, 0
    for at, first, _ in counts:
        found[rows[at].filename] = max(0, min(first, most - before))
        before += first
    both = {}
    for at, _, then in counts:
        both[rows[at].filename] = (found[rows[at].filename], max(0, min(then, most - before)))
        before += then
    return both


def derived_in(classes: Mapping[str, Any], bases: Any) -> dict[str, list[str]]:
    """Return the classes derived from each class."""
    found: dict[str, list[str]] = {}
    for name in classes:
        for base in bases(name)[1:]:
            found.setdefault(base, []).append(name)
    return found


def _shape(cls: ClassSummary) -> Shape:
    return [cls.bases, sorted(cls.methods), list(cls.attributes), cls.fields]


def unlike(one: Mapping[str, Any], other: Mapping[str, Any]) -> Iterator[str]:
    """Yield the keys that have other values."""
    return (key for key in one.keys() | other.keys() if _plain(one.get(key)) != _plain(other.get(key)))


def _plain(value: Any) -> Any:
    """Return a value in which tuples, which a stored row lacks, are lists."""
    return [*map(_plain, value)] if isinstance(value, tuple | list) else value


def part_of(row: Row | None, part: str) -> Mapping[str, Any]:
    """Return a part of a row, if there is one."""
    return {} if row is None else getattr(row, part)


def of_functions(rows: Sequence[Row], part: str, files: Mapping[str, int]) -> dict[str, Any]:
    """Return a part of all rows: what is known of functions; of those by the same name what the last file tells."""
    found = {number: table for number, row in enumerate(rows) if (table := part_of(row, part))}
    return {name: each for at, table in found.items() for name, each in table.items() if files[function_of(name)] == at}


def define_alike(old: Row, new: Row) -> bool:
    """Whether a file defines and imports the same by name."""
    return not any(defined_otherwise(old, new)) and not any(unlike(old.exports, new.exports))


def defined_otherwise(old: Row | None, new: Row | None) -> Iterator[str]:
    """Yield the names that a file defines otherwise, or not any more."""
    for part in ("classes", "makers", "binding", "calling"):
        yield from unlike(part_of(old, part), part_of(new, part))
    for part in ("functions", "constants", "aliases"):
        yield from _names(old, part) ^ _names(new, part)
    if old is not None and new is not None and old.tests != new.tests:
        yield from new.functions


def _names(row: Row | None, part: str) -> frozenset[str]:
    names: Sequence[str] = () if row is None else getattr(row, part)
    return frozenset(names)
