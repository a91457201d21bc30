"""The values of annotations: `Tensor`, `Optional[Tensor]`, `list[Tensor]`, `Float[Tensor, "b c"]`, a class."""

from __future__ import annotations

import ast
from collections.abc import Callable

from ....facts.typing_names import FORMS, HOST_TYPES, ITERABLES, JAXTYPING, MAPPINGS, VARIABLES, WRAPPERS
from ...library.promises import of_class, returning
from ...values.joining import join_all
from ...values.lattice import ANY_RANK, ARRAY, rank_flags
from ...values.union import (
    NONE,
    UNKNOWN,
    Class,
    Function,
    Host,
    Instance,
    Module,
    Sequence,
    Tensor,
    Value,
    options_of,
)

Resolve = Callable[[ast.expr], Value]


def value_of(annotation: ast.expr | None, resolve: Resolve) -> Value:
    """Return the value that an annotation promises; Unknown if it says nothing useful.

    `resolve` looks up a name or attribute of the annotation as the program would.
    """
    match annotation:
        case None:
            return UNKNOWN
        case ast.Constant(value=None):
            return NONE
        case ast.Constant(value=str() as text):
            return _quoted(text, resolve)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _alternatives([left, right], resolve)
        case ast.Subscript(value=base, slice=inner):
            return _subscript(base, inner, resolve)
        case ast.Name() | ast.Attribute():
            return _named(annotation, resolve)
    return UNKNOWN


def alias_of(node: ast.expr, value: Value, resolve: Resolve) -> Value:
    """Return what a name promises in annotations once bound to these types; Unknown if they are not types.

    `value` is what the program itself binds: a `typing` form or a container, or Unknown for `a | b`.
    """
    match node:
        case ast.Subscript() if isinstance(value, Module | Function) and value.name in FORMS:
            return value_of(node, resolve)
        case ast.BinOp(op=ast.BitOr()) if value is UNKNOWN:
            found = value_of(node, resolve)
            return UNKNOWN if all(isinstance(option, Instance) for option in options_of(found)) else found
        case ast.Call(func, [_, *types], keywords) if _makes_variable(resolve(func)):
            types += [each.value for each in keywords if each.arg == "bound"]
            return _alternatives(types, resolve)
    return UNKNOWN


def _makes_variable(function: Value) -> bool:
    """Whether this is `TypeVar` or the like."""
    return isinstance(function, Module | Function | Class) and function.name in VARIABLES


def _quoted(text: str, resolve: Resolve) -> Value:
    try:
        return value_of(ast.parse(text.strip(), mode="eval").body, resolve)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return UNKNOWN


def _alternatives(parts: list[ast.expr], resolve: Resolve) -> Value:
    values = [value_of(part, resolve) for part in parts]
    known = [value for value in values if value != UNKNOWN]
    return join_all([*known, Host("object")] if len(known) < len(values) else known) if known else UNKNOWN


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _subscript(base: ast.expr, inner: ast.expr, resolve: Resolve) -> Value:
    name = _last(base)
    parts = inner.elts if isinstance(inner, ast.Tuple) and inner.elts else [inner]
    if name == "Optional":
        return _alternatives([inner, ast.Constant(value=None)], resolve)
    if name == "Union":
        return _alternatives(list(parts), resolve)
    if name in WRAPPERS:
        return value_of(parts[0], resolve)
    if name in ("tuple", "Tuple"):
        return _tuple(parts, resolve)
    if name == "Callable":
        return returning(value_of(parts[-1], resolve)) if len(parts) == 2 else UNKNOWN
    if kind := ITERABLES.get(name):
        return Sequence(kind, None, value_of(parts[0], resolve))
    if name in MAPPINGS and len(parts) == 2:
        return Sequence("dict", None, value_of(parts[1], resolve))
    if name in JAXTYPING and isinstance(tensor := value_of(parts[0], resolve), Tensor):
        return Tensor(tensor.device, JAXTYPING[name], _shape_rank(parts[1:]))
    return UNKNOWN if name == "Literal" else value_of(base, resolve)


def _shape_rank(parts: list[ast.expr]) -> int:
    """Return the rank that a jaxtyping shape such as "batch time" shows."""
    match parts:
        case [ast.Constant(value=str() as shape)]:
            axes = shape.split()
            if any("..." in axis or axis.startswith("*") for axis in axes):
                return ARRAY if len(axes) > 1 else ANY_RANK
            return rank_flags(len(axes))
    return ANY_RANK


def _tuple(parts: list[ast.expr], resolve: Resolve) -> Value:
    if len(parts) == 2 and isinstance(parts[1], ast.Constant) and parts[1].value is ...:
        return Sequence("tuple", None, value_of(parts[0], resolve))
    return Sequence("tuple", tuple(value_of(part, resolve) for part in parts))


def _named(node: ast.expr, resolve: Resolve) -> Value:
    name = _last(node)
    if name in HOST_TYPES:
        return Host(name)
    match resolve(node):
        case Module(full):
            return of_class(full)
        case Class(full, alias):
            return Instance(full) if alias is None else alias
        case _:
            return UNKNOWN
