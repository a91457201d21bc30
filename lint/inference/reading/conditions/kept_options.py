"""Names that keep what options say: `semi = len(args.unlabeled) > 0`, and nothing else."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from ....facts.choices import PLAIN
from ...often.nested import BLOCKS, bound_by, nodes
from ..state.frame import Frame

FURTHEST: Final = 3
"""How many names are followed to the option that the last one keeps."""

IsOption: TypeAlias = Callable[[ast.expr], bool]


def keeps_options(frame: Frame, name: str, is_option: IsOption) -> bool:
    """Whether a name of this body is bound once, to what only constants and options tell."""
    return _kept(name, bound_once(frame), is_option, FURTHEST)


def may_be_none(frame: Frame, name: str, is_choice: IsOption, holds_options: IsOption) -> bool:
    """Whether a choice makes a name None, which is bound once: `getattr(self, "x", None)`, `x if cfg.x else None`."""
    bound = bound_once(frame)
    match bound.get(name):
        case (
            ast.Call(func=ast.Name(id="getattr"), args=[held, ast.Constant(), ast.Constant(value=None)])
            | ast.Call(func=ast.Attribute(value=held, attr="get"), args=[ast.Constant()])
        ):
            return holds_options(held)
        case ast.IfExp(test=test, body=one, orelse=other):
            if any(isinstance(each, ast.Constant) and each.value is None for each in (one, other)):
                asked = (each.id for each in nodes(test) if isinstance(each, ast.Name))
                return bound.keys().isdisjoint(asked) and is_choice(test)
    return False


def _kept(name: str, bound: dict[str, ast.expr | None], is_option: IsOption, left: int) -> bool:
    value = bound.get(name)
    return value is not None and left > 0 and bool(_told(value, bound, is_option, left - 1))


def _told(node: ast.expr, bound: dict[str, ast.expr | None], is_option: IsOption, left: int) -> bool | None:
    """Return whether options tell an expression (True), or constants alone (False); None if anything else does."""
    match node:
        case ast.Constant():
            return False
        case ast.Attribute() | ast.Subscript() | ast.Call() if is_option(node):
            return True
        case ast.Name(id=name):
            return _kept(name, bound, is_option, left) or None
        case ast.Call(func=ast.Name(id=name), args=given, keywords=[]) if name in PLAIN:
            parts: Iterable[ast.expr] = given
        case ast.Call(func=ast.Attribute(value=held), args=given, keywords=[]):
            parts = (held, *given)
        case ast.BoolOp() | ast.UnaryOp() | ast.BinOp() | ast.Compare() | ast.IfExp() | ast.List() | ast.Tuple():
            parts = [each for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr)]
        case _:
            return None
    found = [_told(each, bound, is_option, left) for each in parts]
    return None if None in found else True in found


def bound_once(frame: Frame) -> dict[str, ast.expr | None]:
    """Return the names that a body binds with what to, None if that is not plain or another statement binds them."""
    body = frame.file.source.tree.body if frame.node is None else frame.node.body
    if body[0] not in frame.file.bound_once:
        found: dict[str, ast.expr | None] = {}
        for statement in _own(body):
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    found[name] = None if name in found else value
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                    found[statement.name] = None
                case _:
                    found.update(dict.fromkeys(bound_by(statement)))
        frame.file.bound_once[body[0]] = found
    return frame.file.bound_once[body[0]]


def _own(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a body and of its blocks, but not those of functions and classes in it."""
    todo: list[ast.AST] = list(body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.stmt):
            yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for block in BLOCKS.get(type(node), ()):
                todo += getattr(node, block)
