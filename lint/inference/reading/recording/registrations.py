"""Notes what a module keeps under a text, for a configuration to choose: in a registry, or a dict of functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ....facts.choices import REGISTRIES
from ....limits import LONGEST_CONDITION
from ...notes.quotation import quotation
from ...often.gates import last_name
from ...values.union import Class, Function, Module
from ..state.frame import Frame


def registrations(frame: Frame, body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    """Yield the full names of what a module registers under a text, with what would choose it: `losses["l1"]`."""
    text = frame.file.source.segment
    for statement in body:
        match statement:
            case ast.FunctionDef() | ast.ClassDef():
                full = f"{frame.file.module}.{statement.name}"
                for each in statement.decorator_list:
                    if _key(each) is not None:
                        yield full, _told(text(each), "")
                    elif (maker := _names_itself(each)) is not None:
                        yield full, _told(text(maker), f'("{statement.name}")')
            case ast.Expr(value=ast.Call(args=[_, kept, *_]) as call) if (key := _key(call)) is not None:
                yield from named(frame, kept, _told(text(call.func), f"({text(key)})"))
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict(keys=keys, values=values)):
                if not frame.file.tables.gone_through(name):
                    for given, kept in zip(keys, values):
                        if isinstance(given, ast.Constant) and isinstance(given.value, str):
                            yield from named(frame, kept, kept_under(frame, name, given))


def _key(node: ast.expr) -> ast.expr | None:
    """Return the text under which a call registers something; None if it does not."""
    match node:
        case ast.Call(func=func, args=[ast.Constant(value=str()) as key, *_]):
            return key if any(word in last_name(func).lower() for word in REGISTRIES) else None
    return None


def _names_itself(node: ast.expr) -> ast.expr | None:
    """Return what a decorator calls that registers what it stands on under its own name; None if it does not."""
    match node:
        case ast.Call(func=func, args=[], keywords=given):
            is_kept = any(word in last_name(func).lower() for word in REGISTRIES)
            return func if is_kept and all(isinstance(each.value, ast.Constant) for each in given) else None
    return None


def named(frame: Frame, node: ast.expr, words: str) -> Iterator[tuple[str, str]]:
    """Yield the full name of a function or class that an expression names, with what chooses it."""
    match node:
        case ast.Name(id=name):
            value = frame.env.get(name)
            if isinstance(value, Function | Class | Module):  # which of them an import binds, another file tells
                yield value.name, words
        case ast.Attribute(value=ast.Name(id=name), attr=attribute):
            if isinstance(value := frame.env.get(name), Module):
                yield f"{value.name}.{attribute}", words


def kept_under(frame: Frame, name: str, key: ast.expr) -> str:
    """Return the words for the choice of an item of a dict."""
    return _told(name, f"[{frame.file.source.segment(key)}]")


def _told(what: str, key: str) -> str:
    return f"`{quotation(f'{what}{key}', LONGEST_CONDITION)}` is chosen"
