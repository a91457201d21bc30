"""Plain data as JSON and back, exactly: a table of nodes in dependency order, with equal ones written once.

A node is None (the first), a string, or a list: the number of its kind, then for each field the number of an earlier
node; fields declared `int` or `bool` hold the value itself. A field named `filename` refers to None if it names the
file that the data is about: the same content may be elsewhere tomorrow. Fields marked `late` are lists, whose nodes
are a second table that goes on where the first one ends; it is decoded when one of them is asked for.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import Field, fields, is_dataclass
from enum import Enum
from typing import Any, Final, TypeAlias

from .late import Late, Objects

Row: TypeAlias = list[Any]
Maker: TypeAlias = "Callable[[Row, list[Any] | Objects, _About], Any]"
RowOf: TypeAlias = "Callable[[Any, _Writer, Callable[[int], int | None]], tuple[Any, ...]]"

PLAIN: Final[dict[type, Callable[[Any], Row]]] = {
    str: lambda value: [value.encode("utf-8", "surrogatepass").hex()],
    int: lambda value: [value],
    bool: lambda value: [value],
    float: lambda value: [value.hex()],
    complex: lambda value: [value.real.hex(), value.imag.hex()],
    bytes: lambda value: [value.hex()],
    type(...): lambda value: [],
}
"""Constants that JSON lacks, or would confuse with node numbers -> what is written for them.

A text is one of them where UTF-8 lacks a character of it: half of a surrogate pair.
"""

_CONSTANTS: Final[tuple[Maker, ...]] = (
    lambda row, nodes, about: bytes.fromhex(row[1]).decode("utf-8", "surrogatepass"),
    lambda row, nodes, about: row[1],
    lambda row, nodes, about: row[1],
    lambda row, nodes, about: float.fromhex(row[1]),
    lambda row, nodes, about: complex(float.fromhex(row[1]), float.fromhex(row[2])),
    lambda row, nodes, about: bytes.fromhex(row[1]),
    lambda row, nodes, about: ...,
)
CONTAINERS: Final = (tuple, list, frozenset, dict)
_DECLARED_PLAIN: Final = ("int", "bool")
_OWN: Final = "filename"
_ENCODER: Final = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, check_circular=False)


ERRORS: Final = (ValueError, TypeError, LookupError, RecursionError, AttributeError)


class StoreError(ValueError):
    """The data contains something that cannot be stored, or the text is not what was stored."""


class Store:
    """Writes and reads data made of given classes: data classes, named tuples and enumerations.

    `single` are singletons, such as Unknown.
    """

    def __init__(self, classes: Sequence[type], single: Sequence[object] = ()) -> None:
        alone = [type(each) for each in single]
        classes = [each for each in classes if each not in alone]
        self.kinds = {kind: at for at, kind in enumerate((*PLAIN, *CONTAINERS, *alone, *classes))}
        self.shapes = {each: _shape(each) for each in classes}
        containers = tuple(map(_container, CONTAINERS))
        constants = tuple(_constant(each) for each in single)
        self._writing: dict[type, tuple[RowOf, bool]] = {}
        self._makers = (*_CONSTANTS, *containers, *constants, *(_maker(each, self.shapes[each]) for each in classes))

    def write(self, value: object, own: str) -> str:
        """Return the text for a value that is about the file `own`. Raises StoreError."""
        return as_text(self.tables(value, own))

    def tables(self, value: object, own: str) -> list[list[Any]]:
        """Return the rows that the text for a value is made of, and those of its late lists. Raises StoreError."""
        try:
            return _Writer(self, own).tables(value)
        except RecursionError as error:
            raise StoreError("is nested too deeply to be stored") from error

    def writing(self, cls: type) -> tuple[RowOf, bool]:
        """Return what makes the row of an object of a class, and whether equal ones are one. Raises StoreError."""
        if cls not in self._writing:
            self._writing[cls] = self._row_of(cls), can_be_shared(cls)
        return self._writing[cls]

    def _row_of(self, cls: type) -> RowOf:
        kind = self.kinds.get(cls)
        if kind is None:
            raise StoreError(f"a {cls.__name__} cannot be stored")
        if (shape := self.shapes.get(cls)) is not None:
            return _fields(kind, shape)
        if (plain := PLAIN.get(cls)) is not None:
            return lambda value, writer, known: (kind, *plain(value))
        if cls is dict:
            return lambda value, writer, known: (
                kind,
                *(writer.number(each) for pair in value.items() for each in pair),
            )
        if cls is frozenset:
            return lambda value, writer, known: (kind, *map(writer.number, sorted(value)))
        return lambda value, writer, known: (kind, *(map(writer.number, value) if cls in CONTAINERS else ()))

    def read(self, text: str, own: str) -> Any:
        """Return the value of a text, which is now about the file `own`. Raises StoreError."""
        try:
            rows, _, rest = text.partition("\n")
            about = _About(self, own, rest)
            about.read(json.loads(rows))
            return about.nodes[-1]
        except ERRORS as error:
            raise StoreError(f"is not what was stored: {error}") from error

    def table(self) -> _Writer:
        """Return a table that is about no file, for values one after the other."""
        return _Writer(self, "")

    def objects(self, rows: list[Any], check: Callable[[object], None]) -> Objects:
        """Return the objects of such a table, each of which is made when it is asked for."""
        about = _About(self, "", "")

        def make(number: int, nodes: Objects) -> Any:
            row = rows[number]
            return self._makers[row[0]](row, nodes, about) if type(row) is list else row

        return Objects(make, check)

    def made(self, rows: list[Any], nodes: list[Any], about: _About) -> None:
        """Add to the nodes those of the rows."""
        makers = self._makers
        for row in rows:
            nodes.append(makers[row[0]](row, nodes, about) if type(row) is list else row)


class _About:
    """What is being read: the file that it is about, the nodes so far, and the text of late ones."""

    def __init__(self, store: Store, own: str, rest: str) -> None:
        self.own = own
        self.nodes: list[Any] = []
        self._store = store
        self._rest = rest
        self._late: list[list[Any]] = []

    def read(self, rows: list[Any]) -> None:
        """Make the objects of a table."""
        self._store.made(rows, self.nodes, self)

    def late(self, number: int) -> Late:
        """Return one of the lists that are decoded when they are asked for."""
        return Late(lambda: self._read_late()[number])

    def _read_late(self) -> list[list[Any]]:
        if self._rest:
            try:
                *rows, lists = json.loads(self._rest)
                self.read(rows)
                self._late = [self.nodes[each] for each in lists]
            except ERRORS as error:
                raise StoreError(f"is not what was stored: {error}") from error
            self._rest, self.nodes = "", []
        return self._late


Shape: TypeAlias = tuple[tuple[str, str], ...]
"""The fields of a class in the order of its constructor; each is written as `plain`, `own`, `late` or `node`."""


def _shape(cls: Any) -> Shape:
    if issubclass(cls, Enum):
        return (("value", "plain"),)
    if not is_dataclass(cls):
        return tuple((name, "node") for name in getattr(cls, "_fields", ()))
    return tuple((field.name, _way(field)) for field in fields(cls) if field.init)


def _way(field: Field[Any]) -> str:
    if field.name == _OWN or field.metadata.get("late"):
        return "own" if field.name == _OWN else "late"
    return "plain" if field.type in _DECLARED_PLAIN else "node"


class _Writer:
    """A table of nodes under construction."""

    def __init__(self, store: Store, own: str) -> None:
        self.own = own
        self.rows: list[tuple[Any, ...] | str | None] = [None]
        self._numbers: dict[int, int] = {id(None): 0}
        self._known = self._numbers.get
        self._store = store
        self._late: list[list[Any]] = []
        self._texts: dict[str, int] = {}
        self._equal: dict[tuple[Any, ...], int] = {}

    def tables(self, value: object) -> list[list[Any]]:
        """Return the rows of a value and, if it has late lists, those of the lists, whose numbers come last."""
        self.number(value)
        if not self._late:
            return [self.rows]
        first = len(self.rows)
        lists = [self.number(each) for each in self._late]
        return [self.rows[:first], [*self.rows[first:], lists]]

    def number(self, value: Any) -> int:
        """Return the number of the value's node, creating it if needed."""
        number = self._known(id(value))
        return self.add(value) if number is None else number

    def add(self, value: Any) -> int:
        """Return the number of the node of an object that was not met yet."""
        number = self._numbers[id(value)] = self._text(value) if type(value) is str else self._new(value)
        return number

    def late(self, field: Sequence[Any]) -> int:
        """Return the number of a list that comes later."""
        self._late.append(list(field))
        return len(self._late) - 1

    def _text(self, value: str) -> int:
        number = self._texts.setdefault(value, len(self.rows))
        if number == len(self.rows):
            self.rows.append(value if _is_text(value) else self._store.writing(str)[0](value, self, self._known))
        return number

    def _new(self, value: Any) -> int:
        row_of, is_shared = self._store.writing(type(value))
        row = row_of(value, self, self._known)
        number = len(self.rows)
        if is_shared:
            number = self._equal.setdefault(row, number)
        if number == len(self.rows):
            self.rows.append(row)
        return number


def _is_text(value: str) -> bool:
    """Whether UTF-8 can encode every character of the text."""
    if value.isascii():
        return True
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def can_be_shared(cls: type) -> bool:
    """Whether equal objects of the class may be one object: they are immutable and compare by value."""
    if cls in (list, dict):
        return False
    hashed_by: object = cls.__hash__
    return hashed_by is not None and hashed_by is not object.__hash__


def as_text(tables: list[list[Any]]) -> str:
    """Return the text of tables."""
    return "\n".join(map(_ENCODER.encode, tables))


def _fields(kind: int, shape: Shape) -> RowOf:
    """Return what makes the rows of a class; compiled from text, since it runs very often."""
    texts = {
        "plain": "value.{0}",
        "node": "number if (number := known(id(part := value.{0}))) is not None else writer.add(part)",
        "own": "writer.number(None if value.{0} == writer.own else value.{0})",
        "late": "writer.late(value.{0})",
    }
    parts = "".join(f"({texts[way].format(name)}), " for name, way in shape)
    row_of: RowOf = eval(f"lambda value, writer, known: ({kind}, {parts})")
    return row_of


def _maker(cls: Any, shape: Shape) -> Maker:
    """Return what makes an object of a class from its row; compiled from text, since it runs very often."""
    texts = {
        "plain": "row[{0}]",
        "node": "nodes[row[{0}]]",
        "own": "nodes[row[{0}]] if row[{0}] else about.own",
        "late": "about.late(row[{0}])",
    }
    arguments = ", ".join(f"{name}={texts[way].format(at)}" for at, (name, way) in enumerate(shape, 1))
    made: Maker = eval(f"lambda row, nodes, about: cls({arguments})", {"cls": cls})
    return made


def _container(cls: type) -> Maker:
    if cls is dict:
        return lambda row, nodes, about: {nodes[row[at]]: nodes[row[at + 1]] for at in range(1, len(row), 2)}
    return lambda row, nodes, about: cls([nodes[number] for number in row[1:]])


def _constant(value: object) -> Maker:
    return lambda row, nodes, about: value
