"""Which form rows of nodes must have: checks text that somebody else may have written, before objects are made of it.

What a field may refer to is what its annotation says, so that what has the right form can be used without another look.
One pass over the rows finds wrong types, numbers of no row, and data that is nested or repeated without end.
"""

from __future__ import annotations

import json
import sys
import types
from collections import abc
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Any, Final, Literal, NamedTuple, TypeAlias, Union, get_args, get_origin, get_type_hints

from ..limits import DEEPEST_STORED, LARGEST_INTEGER, LARGEST_STORED
from .encoding import CONTAINERS, ERRORS, PLAIN, Row, Store, StoreError, can_be_shared

_TEXT: Final = 0
_NOTHING: Final = -1

Wanted: TypeAlias = "dict[int, Callable[[_Table, Row], bool] | None]"
"""The kinds of nodes that may be referred to -> for containers, whether one holds what it may."""


class _Form(NamedTuple):
    """The form of the rows of a kind: whether one is right, and which of its parts are numbers of nodes.

    These are asked of what may be nested without end. `counts`: to compare objects of the kind is to look at all that
    they hold.
    """

    is_right: Callable[[_Table, Row], bool]
    numbers: Callable[[Row], Row] | None = None
    counts: bool = False


class Forms:
    """The forms of the rows of data of one type, `root`; `names` are those in annotations that only checkers import."""

    def __init__(self, store: Store, root: Any, names: Mapping[str, Any] | None = None) -> None:
        self._store = store
        self._names = {**{cls.__name__: cls for cls in store.shapes}, **(names or {})}
        self._wanted: dict[Any, Wanted] = {}
        self._new: list[type] = []
        self.by_kind = {store.kinds[cls]: _Form(_PLAIN[cls]) for cls in PLAIN}
        self.by_kind |= {store.kinds[each]: _Form(_is_container, _all, can_be_shared(each)) for each in CONTAINERS}
        self._root = self.wanted(root)
        while self._new:
            cls = self._new.pop()
            self.by_kind[store.kinds[cls]] = self._form(cls)

    def check(self, text: str) -> None:
        """Raise StoreError unless text that `Store.write` may have returned has the form of the data."""
        table = _Table(self)
        early, _, late = text.partition("\n")
        try:
            table.add(json.loads(early, parse_float=_no_float, parse_constant=_no_float))
            is_right = table.holds(len(table.kinds) - 1, self._root)
            if is_right and table.late:
                *rows, lists = json.loads(late, parse_float=_no_float, parse_constant=_no_float)
                table.add(rows)
                is_right = all(table.holds(lists[number], wanted) for number, wanted in table.late)
        except ERRORS as error:
            raise StoreError(f"is not what was stored: {error}") from error
        if not is_right:
            raise StoreError("is not what was stored: it is about something else")

    def wanted(self, hint: Any) -> Wanted:
        """Return what a field with an annotation may refer to."""
        if hint not in self._wanted:
            found = self._wanted[hint] = {}
            found.update(self._found(hint))
        return self._wanted[hint]

    def _found(self, hint: Any) -> Wanted:
        kinds, origin, inner = self._store.kinds, get_origin(hint), get_args(hint)
        if origin in (Union, types.UnionType):
            return {kind: holds for each in inner for kind, holds in self.wanted(each).items()}
        if origin is Literal:
            return {_TEXT: lambda table, row: row in inner}
        if hint is object:
            constants: Wanted = {kinds[cls]: None for cls in PLAIN}
            return {_NOTHING: None, **constants, kinds[tuple]: self._each((object, ...))}
        if hint in PLAIN or hint is types.NoneType:
            return {_NOTHING if hint is types.NoneType else kinds[hint]: None}
        if origin is not None:
            return {kinds[_WRITTEN.get(origin, origin)]: self._each(inner)}
        return {kinds[cls]: None for cls in self._kinds_of(hint)}

    def _kinds_of(self, base: type) -> list[type]:
        """Return the classes that objects of a class may have, whose forms are needed as well."""
        found = [cls for cls in self._store.kinds if issubclass(cls, base)]
        self._new += [cls for cls in found if self._store.kinds[cls] not in self.by_kind]
        return found

    def _each(self, inner: tuple[Any, ...]) -> Callable[[_Table, Row], bool]:
        """Return whether a container holds what it may: `tuple[X, ...]`, `list[X]`, `dict[X, Y]`, `tuple[X, Y]`."""
        if len(inner) == 1 or inner[-1] is ...:
            only = self.wanted(inner[0])
            return lambda table, row: all(table.holds(each, only) for each in row[1:])
        several = [self.wanted(each) for each in inner]
        return lambda table, row: (
            all(table.holds(each, several[at % len(several)]) for at, each in enumerate(row[1:]))
            and not (len(row) - 1) % len(several)
        )

    def _form(self, cls: Any) -> _Form:
        if issubclass(cls, Enum):
            values = [each.value for each in cls]
            return _Form(lambda table, row: len(row) == 2 and _is_one_of(row[1], values))
        shape = self._store.shapes.get(cls, ())
        hints = get_type_hints(cls, {**self._names, **vars(sys.modules[cls.__module__])}) if shape else {}
        fields = [(at, way, self._of_field(hints[name], way)) for at, (name, way) in enumerate(shape, 1)]
        return _compiled(fields, can_be_shared(cls))

    def _of_field(self, hint: Any, way: str) -> Any:
        """Return what a field must be: its class, or what it may refer to."""
        if way == "plain":
            return hint
        own = {_NOTHING: None} if way == "own" else {}
        return {**own, **self.wanted(list[get_args(hint)] if way == "late" else hint)}  # type: ignore[misc]


class _Table:
    """The rows that were checked so far."""

    def __init__(self, forms: Forms) -> None:
        self.kinds: dict[int, int] = {}
        self.late: list[tuple[int, Wanted]] = []
        self._by_kind = forms.by_kind
        self._rows: list[Any] = []
        self._depths: list[int] = []
        self._sizes: list[int] = []
        self._known: set[tuple[int, int]] = set()

    def add(self, rows: list[Any]) -> None:
        """Add rows. Raises StoreError and others of ERRORS for the first that has a wrong form."""
        for row in rows:
            kind, depth, size = _TEXT, 0, 1
            if type(row) is list:
                kind = row[0]
                form = self._by_kind[kind]
                if not form.is_right(self, row):
                    raise StoreError("a row has another form")
                if form.numbers is not None:
                    depth, size = self._measured(form.numbers(row), form.counts)
            elif row is None:
                kind = _NOTHING
            elif type(row) is not str:
                raise StoreError("a row is none")
            self.kinds[len(self._rows)] = kind
            self._rows.append(row)
            self._depths.append(depth)
            self._sizes.append(size)

    def _measured(self, numbers: Row, counts: bool) -> tuple[int, int]:
        """Return how deep a node is nested and how much it holds. Raises StoreError if that is too much."""
        depth = max(map(self._depths.__getitem__, numbers), default=0) + 1
        size = sum(map(self._sizes.__getitem__, numbers), 1) if counts else 1
        if depth > DEEPEST_STORED or size > LARGEST_STORED:
            raise StoreError("it is nested too deeply")
        return depth, size

    def holds(self, number: int, wanted: Wanted) -> bool:
        """Whether a node is one of those that are wanted."""
        is_right = wanted.get(self.kinds[number], _never)
        if is_right is None or (number, id(wanted)) in self._known:
            return True
        if not is_right(self, self._rows[number]):
            return False
        self._known.add((number, id(wanted)))
        return True

    def expect(self, number: int, wanted: Wanted) -> bool:
        """Note what one of the late lists must hold; whether there can be such a list."""
        self.late.append((number, wanted))
        return type(number) is int and number >= 0


_WRITTEN: Final[dict[Any, type]] = {abc.Mapping: dict}
"""Types in annotations -> what is stored for them."""


def _no_float(text: str) -> float:
    raise ValueError(f"{text} is no number of a row")


def _never(table: _Table, row: Row) -> bool:
    return False


def _all(row: Row) -> Row:
    return row[1:]


def _is_container(table: _Table, row: Row) -> bool:
    return all(map(table.kinds.__contains__, row[1:]))


def _is_one_of(value: object, values: list[Any]) -> bool:
    return any(type(value) is type(each) and value == each for each in values)


def _is_of(*classes: type) -> Callable[[_Table, Row], bool]:
    return lambda table, row: list(map(type, row[1:])) == [*classes]


_PLAIN: Final[dict[type, Callable[[_Table, Row], bool]]] = {
    str: _is_of(str),
    int: _is_of(int),
    bool: _is_of(bool),
    float: _is_of(str),
    complex: _is_of(str, str),
    bytes: _is_of(str),
    type(...): _is_of(),
}


def _compiled(fields: Sequence[tuple[int, str, Any]], counts: bool) -> _Form:
    """Return the form of the rows of a class; compiled from text, since it is asked very often."""
    tests = [f"len(row) == {len(fields) + 1}", *(_test(at, way, wanted) for at, way, wanted in fields)]
    known = {f"wanted_{at}": wanted for at, _, wanted in fields}
    numbers = "".join(f"row[{at}], " for at, way, _ in fields if way in ("node", "own"))
    is_right = eval(f"lambda table, row: {' and '.join(tests)}", known)
    return _Form(is_right, eval(f"lambda row: ({numbers})") if numbers else None, counts)


def _test(at: int, way: str, wanted: Any) -> str:
    """Return the text of a test of one part of a row."""
    if way == "plain":
        in_range = f" and {-LARGEST_INTEGER} < row[{at}] < {LARGEST_INTEGER}" if wanted is int else ""
        return f"type(row[{at}]) is {wanted.__name__}{in_range}"
    if way == "late":
        return f"table.expect(row[{at}], wanted_{at})"
    if any(wanted.values()):
        return f"table.holds(row[{at}], wanted_{at})"
    return f"table.kinds[row[{at}]] in wanted_{at}"
