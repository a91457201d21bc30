"""What the patterns of `match` bind: `case [x, *rest]`, `case {"k": v}`, `case Cls(attr=v)`, `case x`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...values.containers import index, unpack
from ...values.joining import any_item, join_all
from ...values.union import UNKNOWN, Batch, Class, Deferred, Host, Instance, Sequence, Tensor, Value, options_of
from ..conditions import narrowing
from ..places.attributes import attribute_of
from ..state.frame import Frame

ITSELF = frozenset(("bool", "bytearray", "bytes", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple"))
"""Classes whose one positional pattern is matched against the object itself. Source: Python's `match` statement."""


def bound(frame: Frame, pattern: ast.pattern, subject: Value) -> Iterator[tuple[str, Value]]:
    """Yield the names that a pattern binds, with their values."""
    match pattern:
        case ast.MatchAs(pattern=inner, name=name):
            if inner is not None:
                yield from bound(frame, inner, subject)
            if name is not None:
                yield name, _matched(frame, inner, subject)
        case ast.MatchSequence(patterns=patterns):
            yield from _items(frame, patterns, subject)
        case ast.MatchMapping():
            yield from _values(frame, pattern, subject)
        case ast.MatchClass():
            yield from _attributes(frame, pattern, subject)
        case ast.MatchOr(patterns=patterns):
            yield from _either(frame, patterns, subject)
        case ast.MatchStar(name=str() as name):
            yield name, subject


def comparison(asked: ast.expr, pattern: ast.pattern) -> ast.expr | None:
    """Return the comparison that tells whether a pattern matches what is asked; None for other patterns."""
    match pattern:
        case ast.MatchValue(value=value):
            return ast.Compare(asked, [ast.Eq()], [value])
        case ast.MatchSingleton(value=value):
            return ast.Compare(asked, [ast.Is()], [ast.copy_location(ast.Constant(value), pattern)])
    return None


def _matched(frame: Frame, pattern: ast.pattern | None, subject: Value) -> Value:
    """Return what the subject is if it matches."""
    match pattern:
        case ast.MatchClass(cls=cls):
            return narrowing.narrowed(frame, subject, cls)
        case ast.MatchOr(patterns=patterns):
            return join_all(_matched(frame, each, subject) for each in patterns)
        case ast.MatchAs(pattern=inner):
            return _matched(frame, inner, subject)
    return subject


def _items(frame: Frame, patterns: list[ast.pattern], subject: Value) -> Iterator[tuple[str, Value]]:
    """Yield what `[a, *b]` binds; no tensor matches it."""
    star = next((at for at, each in enumerate(patterns) if isinstance(each, ast.MatchStar)), None)
    found = [each for each in options_of(subject) if _may_have_items(each, len(patterns), star)]
    columns = [unpack(each, len(patterns), star) for each in found]
    for at, pattern in enumerate(patterns):
        yield from bound(frame, pattern, join_all(column[at] for column in columns))


def _values(frame: Frame, pattern: ast.MatchMapping, subject: Value) -> Iterator[tuple[str, Value]]:
    """Yield what `{"key": a, **rest}` binds."""
    found = [each for each in options_of(subject) if _may_have_keys(each)]
    for key, inner in zip(pattern.keys, pattern.patterns):
        at = (frame.eval(key),)
        yield from bound(frame, inner, join_all(index(each, at) for each in found))
    if pattern.rest is not None:
        rest = join_all(any_item(each) if isinstance(each, Sequence) else each for each in found)
        yield pattern.rest, Sequence("dict", None, rest)


def _attributes(frame: Frame, pattern: ast.MatchClass, subject: Value) -> Iterator[tuple[str, Value]]:
    """Yield what `Cls(a, name=b)` binds."""
    subject = narrowing.narrowed(frame, subject, pattern.cls)
    cls = frame.eval(pattern.cls)
    known = frame.file.summary.classes.get(cls.name) if isinstance(cls, Class) else None
    fields = known.fields if known is not None else ()
    if len(pattern.patterns) == 1 and isinstance(pattern.cls, ast.Name) and pattern.cls.id in ITSELF:
        yield from bound(frame, pattern.patterns[0], subject)
    else:
        for at, inner in enumerate(pattern.patterns):
            value = attribute_of(frame, subject, fields[at]) if at < len(fields) else UNKNOWN
            yield from bound(frame, inner, value)
    for name, inner in zip(pattern.kwd_attrs, pattern.kwd_patterns):
        yield from bound(frame, inner, attribute_of(frame, subject, name))


def _either(frame: Frame, patterns: list[ast.pattern], subject: Value) -> Iterator[tuple[str, Value]]:
    """Yield what the alternatives of `a | b` bind, which are the same names."""
    names: dict[str, list[Value]] = {}
    for pattern in patterns:
        for name, value in bound(frame, pattern, subject):
            names.setdefault(name, []).append(value)
    yield from ((name, join_all(values)) for name, values in names.items())


def _may_have_items(value: Value, count: int, star: int | None) -> bool:
    """Whether a value may match a pattern of so many items."""
    if isinstance(value, Sequence) and value.items is not None and value.kind in ("list", "tuple"):
        return len(value.items) == count if star is None else len(value.items) >= count - 1
    return not isinstance(value, Tensor | Host) and not _is_dict(value)


def _may_have_keys(value: Value) -> bool:
    return _is_dict(value) or value is UNKNOWN or isinstance(value, Batch | Deferred | Instance)


def _is_dict(value: Value) -> bool:
    return isinstance(value, Sequence) and value.kind == "dict"
