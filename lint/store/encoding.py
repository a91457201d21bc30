"""Plain data as JSON and back, exactly: a table of nodes in dependency order, with equal ones written once.

A node is None (the first), a string, or a list: the number of its kind, then for each field the number of an earlier
node; fields declared `int` or `bool` hold the value itself. A field named `filename` refers to None if it names the
file that the data is about: the same content may be elsewhere tomorrow.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, Final, TypeAlias

Row: TypeAlias = list[Any]
Maker: TypeAlias = Callable[[Row, list[Any], str], Any]

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
    lambda row, nodes, own: bytes.fromhex(row[1]).decode("utf-8", "surrogatepass"),
    lambda row, nodes, own: row[1],
    lambda row, nodes, own: row[1],
    lambda row, nodes, own: float.fromhex(row[1]),
    lambda row, nodes, own: complex(float.fromhex(row[1]), float.fromhex(row[2])),
    lambda row, nodes, own: bytes.fromhex(row[1]),
    lambda row, nodes, own: ...,
)
_CONTAINERS: Final = (tuple, list, frozenset, dict)
_DECLARED_PLAIN: Final = ("int", "bool")
_OWN: Final = "filename"


class StoreError(ValueError):
    """The data contains something that cannot be stored, or the text is not what was stored."""


class Store:
    """Writes and reads data made of given classes: data classes, named tuples and enumerations.

    `single` are singletons, such as Unknown.
    """

    def __init__(self, classes: Sequence[type], single: Sequence[object] = ()) -> None:
        alone = [type(each) for each in single]
        classes = [each for each in classes if each not in alone]
        self.kinds = {kind: at for at, kind in enumerate((*PLAIN, *_CONTAINERS, *alone, *classes))}
        self.shapes = {each: _shape(each) for each in classes}
        containers = tuple(map(_container, _CONTAINERS))
        constants = tuple(_constant(each) for each in single)
        self._makers = (*_CONSTANTS, *containers, *constants, *(_maker(each, self.shapes[each]) for each in classes))

    def write(self, value: object, own: str) -> str:
        """Return the text for a value that is about the file `own`. Raises StoreError."""
        writer = _Writer(self, own)
        try:
            writer.number(value)
            return json.dumps(writer.rows, separators=(",", ":"), ensure_ascii=False)
        except RecursionError as error:
            raise StoreError("is nested too deeply to be stored") from error

    def read(self, text: str, own: str) -> Any:
        """Return the value of a text, which is now about the file `own`. Raises StoreError."""
        try:
            nodes: list[Any] = []
            makers = self._makers
            for row in json.loads(text):
                nodes.append(makers[row[0]](row, nodes, own) if type(row) is list else row)
            return nodes[-1]
        except (ValueError, TypeError, LookupError, RecursionError, AttributeError) as error:
            raise StoreError(f"is not what was stored: {error}") from error


Shape: TypeAlias = tuple[tuple[str, str], ...]
"""The fields of a class in the order of its constructor, each with how it is written: `plain`, `own` or `node`."""


def _shape(cls: Any) -> Shape:
    if issubclass(cls, Enum):
        return (("value", "plain"),)
    if not is_dataclass(cls):
        return tuple((name, "node") for name in getattr(cls, "_fields", ()))
    return tuple((field.name, _way(field.name, field.type)) for field in fields(cls) if field.init)


def _way(name: str, declared: object) -> str:
    return "own" if name == _OWN else "plain" if declared in _DECLARED_PLAIN else "node"


class _Writer:
    """A table of nodes under construction."""

    def __init__(self, store: Store, own: str) -> None:
        self.store = store
        self.own = own
        self.rows: list[Row | str | None] = [None]
        self._texts: dict[str | None, int] = {None: 0}
        self._numbers: dict[int, int] = {}
        self._equal: dict[tuple[Any, ...], int] = {}

    def number(self, value: Any) -> int:
        """Return the number of the value's node, creating it if needed."""
        if value is None or type(value) is str:
            known = self._texts.setdefault(value, len(self.rows))
            if known == len(self.rows):
                self.rows.append(value if _is_text(value) else self._row(str, value))
            return known
        seen = self._numbers.get(id(value))
        return self._new(value) if seen is None else seen

    def _new(self, value: Any) -> int:
        cls = type(value)
        row = self._row(cls, value)
        number = len(self.rows)
        if _can_be_shared(cls):
            number = self._equal.setdefault(tuple(row), number)
        if number == len(self.rows):
            self.rows.append(row)
        self._numbers[id(value)] = number
        return number

    def _row(self, cls: type, value: Any) -> Row:
        kind = self.store.kinds.get(cls)
        if kind is None:
            raise StoreError(f"a {cls.__name__} cannot be stored")
        return [kind, *self._content(cls, value)]

    def _content(self, cls: type, value: Any) -> Row:
        if (shape := self.store.shapes.get(cls)) is not None:
            return self._fields(value, shape)
        if cls in PLAIN:
            return PLAIN[cls](value)
        if cls is dict:
            return [number for pair in value.items() for number in map(self.number, pair)]
        if cls is frozenset:
            value = sorted(value)
        return list(map(self.number, value)) if cls in _CONTAINERS else []

    def _fields(self, value: Any, shape: Shape) -> Row:
        row: Row = []
        for name, way in shape:
            field = getattr(value, name)
            if way == "own":
                field = None if field == self.own else field
            row.append(field if way == "plain" else self.number(field))
        return row


def _is_text(value: str | None) -> bool:
    """Whether UTF-8 can encode every character of the text."""
    if value is None or value.isascii():
        return True
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _can_be_shared(cls: type) -> bool:
    """Whether equal objects of the class may be one object: they are immutable and compare by value."""
    if cls in (list, dict):
        return False
    hashed_by: object = cls.__hash__
    return hashed_by is not None and hashed_by is not object.__hash__


def _maker(cls: Any, shape: Shape) -> Maker:
    """Return what makes an object of a class from its row; compiled from text, since it runs very often."""
    texts = {
        "plain": "row[{0}]",
        "node": "nodes[row[{0}]]",
        "own": "nodes[row[{0}]] if row[{0}] else own",
    }
    arguments = ", ".join(f"{name}={texts[way].format(at)}" for at, (name, way) in enumerate(shape, 1))
    made: Maker = eval(f"lambda row, nodes, own: cls({arguments})", {"cls": cls})
    return made


def _container(cls: type) -> Maker:
    if cls is dict:
        return lambda row, nodes, own: {nodes[row[at]]: nodes[row[at + 1]] for at in range(1, len(row), 2)}
    return lambda row, nodes, own: cls([nodes[number] for number in row[1:]])


def _constant(value: object) -> Maker:
    return lambda row, nodes, own: value
