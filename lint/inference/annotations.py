"""What an annotation says of a value: `Tensor`, `Optional[Tensor]`, `list[Tensor]`, `Float[Tensor, "b c"]`, a class."""

from __future__ import annotations

import ast
from collections.abc import Callable

from ..facts.typing_names import HOST_TYPES, ITERABLES, JAXTYPING, MAPPINGS, TENSORS, WRAPPERS
from .joining import join_all
from .lattice import ANY_DTYPE, ANY_RANK, ARRAY, GPU, OPEN, Device, rank_flags
from .values import NONE, UNKNOWN, Class, DeviceRef, DTypeRef, Host, Instance, Module, Sequence, Tensor, Value

Resolve = Callable[[ast.expr], Value]


def value_of(annotation: ast.expr | None, resolve: Resolve) -> Value:
    """The value that an annotation promises; Unknown where it says nothing of use.

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
    parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
    if name == "Optional":
        return _alternatives([inner, ast.Constant(value=None)], resolve)
    if name == "Union":
        return _alternatives(list(parts), resolve)
    if name in WRAPPERS:
        return value_of(parts[0], resolve)
    if name in ("tuple", "Tuple"):
        return _tuple(parts, resolve)
    if kind := ITERABLES.get(name):
        return Sequence(kind, None, value_of(parts[0], resolve))
    if name in MAPPINGS and len(parts) == 2:
        return Sequence("dict", None, value_of(parts[1], resolve))
    if name in JAXTYPING and isinstance(tensor := value_of(parts[0], resolve), Tensor):
        return Tensor(tensor.device, JAXTYPING[name], _shape_rank(parts[1:]))
    return UNKNOWN if name == "Literal" else value_of(base, resolve)


def _shape_rank(parts: list[ast.expr]) -> int:
    """The rank that a jaxtyping shape such as "batch time" tells."""
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
            return _of_class(full)
        case Class(full):
            return Instance(full)
        case _:
            return UNKNOWN


def _of_class(full: str) -> Value:
    if full in ("torch.Tensor", "torch.nn.Parameter", "torch.autograd.Variable", "torch.nn.parameter.Parameter"):
        return Tensor(rank=ARRAY if full.endswith("Parameter") else ANY_RANK)
    if full in TENSORS:
        return Tensor(Device(GPU) if ".cuda." in full else OPEN, TENSORS[full])
    if full == "torch.device":
        return DeviceRef(OPEN)
    if full == "torch.dtype":
        return DTypeRef(ANY_DTYPE)
    root = full.partition(".")[0]
    if root in ("numpy", "np") and full.endswith(("ndarray", "ArrayLike", "NDArray")):
        return Host("ndarray")
    if root in ("numpy", "pandas", "PIL", "pathlib", "argparse", "logging", "datetime"):
        return Host("object")
    if full.endswith((".Tensor", ".FloatTensor", ".LongTensor")) and root not in ("tensorflow", "tf", "jax", "paddle"):
        return Tensor()
    last = full.rpartition(".")[2]
    return (
        Instance(full)
        if last[:1].isupper() and last not in ("Any", "Callable", "Type", "Union", "Optional")
        else UNKNOWN
    )
