"""Reads the statements that branch nowhere: assignments, `return`, `with`, `del`."""

from __future__ import annotations

import ast
from typing import Any

from ....facts import cuda_graphs, libraries
from ...library.promises import tensors_of
from ...often.regions import Region, RegionKind
from ...values.certainty import OBJECT
from ...values.containers import index
from ...values.joining import any_item, join_all
from ...values.operators import binary
from ...values.ops import ENTER, Op
from ...values.union import NONE, UNKNOWN, Class, Deferred, DeviceRef, Instance, Sequence, Tensor, Value, defer
from ..conditions import narrowing, subjects
from ..expressions.alternatives import chosen_from
from ..expressions.arithmetic import OPERATORS
from ..expressions.displays import dict_display
from ..places.bindings import bind, keep_item, settle
from ..places.kept import keep_moved
from ..places.subscripts import indices_of, note_write
from ..recording.methods_run import note_special
from ..recording.moves import move_in_place, moved_by_own, note_moved
from ..state.annotations import alias_of, value_of
from ..state.default_device import made_on
from ..state.frame import Frame
from .captured import captured_by, captured_from, note_rebound
from .definitions import define_named_tuple, manager_name


def assign(frame: Frame, node: ast.Assign) -> None:
    """Run `a = b = value`, and keep what a name for a condition, or a shape that is unpacked, tells."""
    if isinstance(node.value, ast.Dict) and (name := chosen_from(frame, node)):
        value = dict_display(frame, node.value, name)
    else:
        value = alias(frame, node.value, frame.eval(node.value), node.targets[0])
    if isinstance(node.value, ast.Call):
        note_moved(frame, node.value, node.targets[0])
        moved_by_own(frame, node.value)
    for target in node.targets:
        if isinstance(target, ast.Tuple | ast.List):
            subjects.shape_read(frame, node.value, target.elts)
        bind(frame, target, value)
    note_rebound(frame, node)
    match node:
        case ast.Assign(targets=[ast.Name(id=name)]) if narrowing.tells(node.value, name):
            frame.conditions.add(name, node.value)


def alias(frame: Frame, node: ast.expr, value: Value, target: ast.expr) -> Value:
    """Return the value to bind: for types to which a module gives a name, a class that stands for them."""
    if frame.scope or not isinstance(target, ast.Name) or not isinstance(node, ast.Subscript | ast.BinOp | ast.Call):
        return value
    if isinstance(node, ast.Call) and (named_tuple := define_named_tuple(frame, node, target.id)) is not None:
        return named_tuple
    promised = alias_of(node, value, frame.eval)
    return value if promised is UNKNOWN else Class(f"{frame.file.module}.{target.id}", promised)


def type_alias(frame: Frame, node: Any) -> None:
    """Handle `type Name = …`, of Python 3.12 and later."""
    promised = value_of(node.value, frame.eval)
    if promised is not UNKNOWN and not frame.scope:
        frame.assign_name(node.name.id, Class(f"{frame.file.module}.{node.name.id}", promised))


def annotated(frame: Frame, node: ast.AnnAssign) -> None:
    """Run `name: annotation = value`; the annotation counts where the value is open."""
    declared = value_of(node.annotation, frame.eval)
    if node.value is None and _tells_nothing(declared) and _is_bound_in_methods(frame, node.target):
        return
    value = declared if node.value is None else alias(frame, node.value, frame.eval(node.value), node.target)
    if node.value is not None and _is_open(value, declared, node.target) and declared is not UNKNOWN:
        value = declared
    elif tensors_of(declared) is not UNKNOWN and _is_filled_by_others(frame, node.target, value):
        value = declared if value == OBJECT else join_all((declared, NONE))
    bind(frame, node.target, value)


def augmented(frame: Frame, node: ast.AugAssign) -> None:
    """Run `a += value`."""
    if isinstance(node.target, ast.Subscript):
        base, indices = frame.eval(node.target.value), indices_of(frame, node.target.slice)
        value = frame.eval(node.value)
        note_write(frame, node.target, base, indices, value, True)
        if isinstance(base, Sequence):
            result = frame.recorder.same(binary(OPERATORS[type(node.op)], index(base, indices), value))
            keep_item(frame, node.target, base, indices, result)
        return
    current, value = frame.eval(node.target), frame.eval(node.value)
    result = frame.recorder.same(binary(OPERATORS[type(node.op)], current, value))
    bind(frame, node.target, _in_place(current, result))
    note_rebound(frame, node)


def delete(frame: Frame, node: ast.Delete) -> None:
    """Forget the names that `del` unbinds."""
    for target in node.targets:
        if isinstance(target, ast.Name):
            frame.env.pop(target.id, None)


def expression(frame: Frame, node: ast.Expr) -> None:
    """Evaluate an expression for what it does."""
    if isinstance(node.value, ast.Constant):
        return
    value = frame.eval(node.value)
    if isinstance(node.value, ast.Call):
        keep_moved(frame, node.value, value)
        move_in_place(frame, node.value)
        moved_by_own(frame, node.value)
    match node.value:
        case ast.Call(func=ast.Attribute(value=manager, attr="__enter__")):
            frame.region = managed(frame, frame.region, manager)
        case ast.Call() if ends_gradients(frame, node.value):
            frame.region = Region(RegionKind.NO_GRAD, frame.region)
        case ast.Call(func=ast.Attribute(attr=called)) if called in cuda_graphs.CAPTURE_METHODS:
            frame.region = captured_from(frame, node, called)


def return_(frame: Frame, node: ast.Return) -> None:
    """Record what the function returns here."""
    value = NONE if node.value is None else frame.eval(node.value)
    settle(frame)
    frame.results.append(value)
    frame.alive = False


def with_(frame: Frame, node: ast.With | ast.AsyncWith) -> None:
    """Run the body of `with`, in the region and on the device that its managers make."""
    region = frame.region
    manager: Value = NONE
    for item in node.items:
        value = frame.eval(item.context_expr)
        for method in (ENTER, "__exit__"):
            note_special(frame, method, value)
        if item.optional_vars is not None:
            bind(frame, item.optional_vars, entered(frame, value))
        if manager_name(frame, item.context_expr) in cuda_graphs.CAPTURES:
            captured_by(frame, node, item.context_expr)
        region = managed(frame, region, item.context_expr)
        manager = value if isinstance(value, DeviceRef) else manager
    with made_on(frame, manager):
        frame.in_region(region, node.body)


def entered(frame: Frame, manager: Value) -> Value:
    """Return what `with manager as …` binds: what the object's own method returns, or else itself."""
    if isinstance(manager, Instance) and (own := frame.file.inheritance.method(manager.cls, ENTER)) is not None:
        return frame.recorder.same(defer(Op.CALL, own, (manager,)))
    return frame.recorder.same(defer(Op.METHOD, ENTER, (manager,))) if isinstance(manager, Deferred) else manager


def managed(frame: Frame, region: Region, manager: ast.expr) -> Region:
    """Return the region inside a context manager."""
    name = manager_name(frame, manager)
    if name in libraries.NO_GRAD or ends_gradients(frame, manager):
        return Region(RegionKind.NO_GRAD, region)
    if name in cuda_graphs.CAPTURES:
        region = Region(RegionKind.CAPTURED, region, frame.because(manager, "a CUDA graph is captured here"))
    return Region(RegionKind.WITH, region, context=name) if name else region


def ends_gradients(frame: Frame, node: ast.expr) -> bool:
    """Whether a call lets no gradients be recorded from then on: `torch.set_grad_enabled(False)`."""
    match node:
        case (
            ast.Call(args=[ast.Constant(value=False)])
            | ast.Call(args=[], keywords=[ast.keyword(value=ast.Constant(value=False))])
        ):
            return manager_name(frame, node) in libraries.GRADIENT_SWITCHES
    return False


def _in_place(current: Value, result: Value) -> Value:
    """Return the result of `x += y`, which keeps the location of a tensor `x`, and may turn a number into a tensor."""
    if isinstance(current, Tensor) and isinstance(result, Tensor):
        return Tensor(current.device, result.dtype, result.rank, current.memory)
    return result


def _tells_nothing(declared: Value) -> bool:
    """Whether an annotation says no more than that there are items: `Iterator[dict[str, Any]]`."""
    return isinstance(declared, Sequence) and (any_item(declared) is UNKNOWN or _tells_nothing(any_item(declared)))


def _is_bound_in_methods(frame: Frame, target: ast.expr) -> bool:
    """Whether a name of a class's body is an attribute that its methods bind, which tells more."""
    if not isinstance(target, ast.Name) or not frame.cls or frame.scope != frame.cls:
        return False
    return target.id in frame.file.assigned.get(frame.cls, {})


def _is_filled_by_others(frame: Frame, target: ast.expr, value: Value) -> bool:
    """Whether a field or attribute gets nothing that tells here, and nothing else in its class: `None`, `field()`."""
    bindings = frame.file.assigned.get(frame.cls, {})
    match target:
        case ast.Name(id=name) if frame.cls and frame.scope == frame.cls:
            return value in (NONE, OBJECT) and name not in bindings
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            return value == NONE and bindings.get(name) == 1
    return False


def _is_open(value: Value, declared: Value, target: ast.expr) -> bool:
    """Whether the annotation tells more than the value: for an unknown value, or what an empty list or dict will hold.

    What becomes tensors under a name is seen, and then known better; attributes are filled elsewhere.
    """
    if isinstance(value, Sequence) and isinstance(declared, Sequence) and value.items == ():
        followed = isinstance(target, ast.Name) and tensors_of(declared) is not UNKNOWN
        return value.kind == declared.kind and not followed
    return value is UNKNOWN or isinstance(value, Deferred)
