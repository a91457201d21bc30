"""The values of annotations: `Tensor`, `Optional[Tensor]`, `list[Tensor]`, `Float[Tensor, "b c"]`, a class."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection
from dataclasses import replace

from ...facts import libraries
from ...facts.typing_names import FORMS, HOST_TYPES, ITERABLES, JAXTYPING, MAPPINGS, NO_ALIASES, TENSORS, WRAPPERS
from ..values.joining import join_all
from ..values.lattice import ANY_DTYPE, ANY_RANK, ANYWHERE, ARRAY, GPU, OPEN, Device, rank_flags
from ..values.union import (
    NONE,
    UNKNOWN,
    Class,
    Deferred,
    DeviceRef,
    DTypeRef,
    Function,
    Host,
    Instance,
    Module,
    OneOf,
    Sequence,
    Tensor,
    Value,
    defer,
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
    return UNKNOWN


def like(declared: Value, term: Deferred, known: Collection[str] = ()) -> Value:
    """Return a parameter's declared value: its tensors are on the device of whatever the caller passes.

    `known` are the classes of the file itself.
    """
    match declared:
        case Tensor() if declared.device == OPEN:
            return replace(declared, device=Device(ANYWHERE, term))
        case DeviceRef() if declared.device == OPEN:
            return DeviceRef(Device(ANYWHERE, term))
        case Instance(cls) if cls not in known and may_be_alias(cls):
            return defer("declared", cls, (term, declared))
        case OneOf():
            return _alternatives_like(declared, term, known)
        case Sequence() if declared.kind != "slice":
            inner = like(declared.element, term, known)
            items = None if declared.items is None else tuple(like(item, term, known) for item in declared.items)
            if inner is declared.element and items == declared.items:
                return declared
            return Sequence(declared.kind, items, inner, declared.keys)
    return declared


def _alternatives_like(declared: OneOf, term: Deferred, known: Collection[str]) -> Value:
    """Return alternatives where a string or number may name a device; next to a tensor, other classes are kept."""
    has_device = any(isinstance(option, DeviceRef) for option in declared.options)
    has_tensor = any(isinstance(option, Tensor) for option in declared.options)
    return join_all(
        option if has_tensor and isinstance(option, Instance) else like(option, term, known)
        for option in declared.options
        if not (has_device and isinstance(option, Host) and option.kind in ("str", "int"))
    )


def may_be_alias(cls: str) -> bool:
    """Whether the class is defined in another file, where its name may be an alias of other types."""
    root = cls.partition(".")[0]
    return root != cls and root not in NO_ALIASES and libraries.class_kind(cls) is None


def tensors_of(promised: Value) -> Value:
    """Return a promised value that is or contains tensors; Unknown for anything else."""
    match promised:
        case Tensor():
            return promised
        case Sequence():
            held = promised.items or (promised.element,)
            return promised if any(tensors_of(each) is not UNKNOWN for each in held) else UNKNOWN
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
    parts = inner.elts if isinstance(inner, ast.Tuple) and inner.elts else [inner]
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
            return _of_class(full)
        case Class(full, alias):
            return Instance(full) if alias is None else alias
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
