"""The places of a program where something may wait: its calls, and where Python itself runs an operator.

Every call of the source is a place, for a trace tells calls by name. That `if tensor:` runs an operator is known from
the linter, and so are the names of what is called by another one.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from ...lint.files.source import Source, content, parse
from ...lint.finding import Span
from ...lint.operations import (
    Call,
    Convert,
    Host,
    Index,
    IndexWrite,
    Tensor,
    Truth,
    Value,
    is_mask,
    is_scalar_position,
    may_be_scalar,
    options_of,
)
from ...lint.run.file import File
from ...lint.run.project import check_file
from .waits import Frame

_READ: Final = frozenset({"item", "_local_scalar_dense"})
_TRUTH: Final = frozenset({"is_nonzero", "__bool__"})
_CONTAINS: Final = frozenset({"__contains__"})
_TEXT: Final = frozenset({"__format__", "__repr__", "__str__"})
_NUMBER: Final = _READ | {"__complex__", "__float__", "__index__", "__int__"}
_COPY: Final = frozenset({"to", "_to_copy", "copy_"})
_INDEX: Final = _COPY | {"index", "nonzero", "__getitem__"}
_INDEX_WRITE: Final = _COPY | {"index_put_", "_index_put_impl_", "masked_fill_", "fill_", "nonzero", "__setitem__"}
_NONE: Final = frozenset[str]()

_COMPREHENSIONS: Final = {
    ast.ListComp: "<listcomp>",
    ast.SetComp: "<setcomp>",
    ast.DictComp: "<dictcomp>",
    ast.GeneratorExp: "<genexpr>",
}
_Body: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef


@dataclass(frozen=True, slots=True)
class Scope:
    """What has a frame of its own when it runs: a function, a class, a module, before Python 3.12 a comprehension."""

    name: str
    first: int
    last: int


_MODULE: Final = Scope("<module>", 0, sys.maxsize)


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """An expression that may wait, and the scopes that may be running then, innermost first.

    `calls` are the names of what it calls; `runs` the operators that Python runs for it, and `may_run` those that it
    runs besides if its operands, of which too little is known, ask for them.
    """

    span: Span
    scopes: tuple[Scope, ...]
    calls: frozenset[str] = _NONE
    runs: frozenset[str] = _NONE
    may_run: frozenset[str] = _NONE

    @property
    def row(self) -> int:
        """Its line."""
        return self.span.row

    @property
    def function(self) -> str:
        """The name of the function around it, or that of a module."""
        return self.scopes[-1].name


@dataclass(frozen=True, slots=True)
class Places:
    """The places of a file, in the order in which they are evaluated, and its scopes."""

    places: tuple[Place, ...] = ()
    scopes: frozenset[Scope] = frozenset()

    def inside(self, frame: Frame) -> list[Place]:
        """Return the places of a function in a trace, which is known by its name and by its first line.

        A function that ran before the profiler did has the line that it was at, and an edited file has other lines.
        """
        named = {scope for scope in self.scopes if scope.name == frame.function}
        first = {scope for scope in named if scope.first == frame.line}
        found = first or {scope for scope in named if scope.first <= frame.line <= scope.last} or named
        return [place for place in self.places if not found.isdisjoint(place.scopes)]

    def at(self, row: int) -> list[Place]:
        """Return the places on a line."""
        return [place for place in self.places if place.row == row]

    def function_at(self, row: int) -> str:
        """Return the name of the function around the places on a line, or nothing."""
        return next((place.function for place in self.at(row)), "")


def places_of(filename: str) -> Places:
    """Return the places of a file; of one that cannot be read, none."""
    data = content(filename, filename)
    source = parse(data, filename, wanted=True) if isinstance(data, bytes) else None
    return _Reader(source).read() if isinstance(source, Source) else Places()


class _Reader:
    """The tree of a file, next to what the linter knows of it."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._scopes: dict[tuple[int, int], tuple[Scope, ...]] = {}
        self._calls: dict[Span, tuple[str, tuple[Scope, ...]]] = {}
        self._all = {_MODULE}

    def read(self) -> Places:
        """Return the file's places."""
        self._walk()
        summary = check_file(File(self._source.filename, named=True)).summary
        operations: list[Any] = [placed.operation for placed in summary.operations] if summary else []
        also = {each.span: each.last_name for each in operations if isinstance(each, Call)}
        calls = [
            Place(span, scopes, calls=frozenset(filter(None, (name, also.get(span)))))
            for span, (name, scopes) in self._calls.items()
        ]
        found = {(each.span, type(each)): self._place(each) for each in operations}
        places = [*calls, *filter(None, found.values())]
        places.sort(key=lambda place: (place.span.end_row, place.span.end_column))
        return Places(tuple(places), frozenset(self._all))

    def _place(self, operation: Any) -> Place | None:
        """Return the place of an operation that is no call."""
        runs = _runs(operation)
        if not runs:
            return None
        span = operation.span
        scopes = self._scopes.get((span.row, span.column), (_MODULE,))
        return Place(span, scopes, runs=runs, may_run=_may_run(operation))

    def _walk(self) -> None:
        """Note the scopes of each expression, and the calls; a tree may be deeper than Python's stack."""
        left: list[tuple[ast.AST, tuple[Scope, ...]]] = [(self._source.tree, (_MODULE,))]
        while left:
            node, scopes = left.pop()
            self._all.update(scopes)
            if isinstance(node, ast.expr):
                span = self._source.span(node)
                self._scopes.setdefault((span.row, span.column), scopes)
                if isinstance(node, ast.Call):
                    self._calls[span] = _name(node.func), scopes
            left += _children(node, scopes)


def _runs(operation: Any) -> frozenset[str]:
    """Return the operators that Python runs for an operation."""
    match operation:
        case Truth(how="in"):
            return _CONTAINS
        case Truth() | Convert(to="bool"):
            return _TRUTH
        case Convert(to="str"):
            return _TEXT
        case Convert():
            return _NUMBER
        case Index(indices=indices):
            return _INDEX | _read(indices)
        case IndexWrite(indices=indices, augmented=augmented):
            return _INDEX_WRITE | _read(indices) | (_INDEX if augmented else _NONE)
        case _:
            return _NONE


def _read(indices: Sequence[Value]) -> frozenset[str]:
    return _READ if any(map(is_scalar_position, indices)) else _NONE


def _may_run(operation: Any) -> frozenset[str]:
    """Return what an operation runs by what its operands are: `in` of a list, an index that has no dimensions."""
    match operation:
        case Truth(how="in"):
            return _TRUTH
        case Index(indices=indices) | IndexWrite(indices=indices) if not all(map(_is_known, indices)):
            return _READ - _read(indices)
        case _:
            return _NONE


def _is_known(index: Value) -> bool:
    return all(
        isinstance(each, Host) or (isinstance(each, Tensor) and (is_mask(each) or not may_be_scalar(each)))
        for each in options_of(index)
    )


def _name(called: ast.expr) -> str:
    """Return the last name of what is called."""
    match called:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def _children(node: ast.AST, scopes: tuple[Scope, ...]) -> Iterator[tuple[ast.AST, tuple[Scope, ...]]]:
    """Yield the parts of a node with their scopes: decorators and defaults are evaluated outside of the function."""
    inside, outside = scopes, set[int]()
    if isinstance(node, _Body):
        decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
        outside = set(map(id, [*decorators, *_defaults(node)]))
        first = min((each.lineno for each in decorators), default=node.lineno)
        name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
        inside = (Scope(name, first, node.end_lineno or node.lineno),)
    elif isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
        inside = (Scope(_COMPREHENSIONS[type(node)], node.lineno, node.end_lineno or node.lineno), *scopes)
    for child in ast.iter_child_nodes(node):
        yield child, scopes if id(child) in outside else inside


def _defaults(node: _Body) -> Iterable[ast.AST]:
    return [*node.bases, *node.keywords] if isinstance(node, ast.ClassDef) else [node.args]
