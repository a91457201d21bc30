"""Classifies loops by what they call: a backward pass, an optimizer's step, a model."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ....facts import libraries, modules, naming
from ...often.gates import last_name, wraps
from ...often.names import names_model, names_training_step
from ...often.nested import bound_by, statements
from ...often.regions import Region, RegionKind
from ...values.ops import Op
from ...values.union import Batch, Class, Deferred, Function, Host, Instance, Module, Sequence, Tensor, Value
from ..state.frame import Frame
from ..state.scope import is_lambda, path
from .backward_passes import is_backward


def watch_frequency(frame: Frame, node: ast.Call, callee: Value, positional: tuple[Value, ...] = ()) -> None:
    """Mark the enclosing loop by a backward pass, an optimizer's step or a model's call."""
    func = node.func
    last = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
    if last in ("eval", "train") and isinstance(func, ast.Attribute):
        set_mode(
            frame, func.value, "eval" if last == "eval" or _is_off(node) else "train", _is_of_module(frame, callee)
        )
    if last in naming.TRAINERS_METHODS and isinstance(func, ast.Attribute):
        frame.file.summary.trains |= naming.TRAINER in last_name(func.value).lower() or last == naming.FITTING
    runs = is_model(frame, last, callee) and not is_gone_through(frame, node, last)
    if runs or (isinstance(func, ast.Attribute) and runs_by_method(frame, func, callee)):
        frame.region.mark_model()
    elif runs_own(frame, func, callee):
        mark_giving(frame)
    if frame.region.nearest_loop() is not None:
        mark_loop(frame, node, last, runs, callee, positional)
    elif is_optimizers_step(node) or is_backward(frame, node, last, callee):
        frame.region.mark_training()


def mark_giving(frame: Frame) -> None:
    """Mark the enclosing loop, and the function, as using a model by what is called."""
    frame.region.function().giving = True
    if (loop := frame.region.nearest_loop()) is not None:
        loop.giving = True


def mark_loop(frame: Frame, node: ast.Call, last: str, runs: bool, callee: Value, given: tuple[Value, ...]) -> None:
    """Mark the enclosing loops by a call; `last` is its last name, and it `runs` a model."""
    func, loop = node.func, frame.region.nearest_loop()
    if loop is None:
        return
    if is_backward(frame, node, last, callee):
        frame.region.mark_step(frame.because(node, f"the loop calls `{last}()`"), True, whole=False)
    elif last == "step" and isinstance(func, ast.Attribute):
        if not mark_by_step(frame, node, func, loop):
            mark_by_method(frame, node, callee, given)
    elif (last == naming.STEP or names_training_step(last)) and not is_lambda(callee):  # which only counts the steps
        frame.region.mark_step(frame.because(node, f"the loop calls `{last}()`"), True)
    elif (root := (path(func) or "").partition(".")[0]) in loop.targets:
        return  # a loop over models, or layers, is not a loop over steps
    elif (runs or _is_forward(frame, func, callee)) and not _is_item(frame, root, loop):
        words = f"the loop calls the model `{last}`"
        frame.region.mark_decoding(frame.because(node, words), comes_back(frame, node))
    else:
        mark_by_method(frame, node, callee, given)


def _is_forward(frame: Frame, func: ast.expr, callee: Value) -> bool:
    """Whether `x.forward` is called, unless that is a method of a class of the program that is no module."""
    match callee:
        case Function(_, Instance(cls)) if frame.file.inheritance.owns(cls) and not frame.file.inheritance.kind(cls):
            return False
    return isinstance(func, ast.Attribute) and func.attr == "forward"


def mark_by_method(frame: Frame, node: ast.Call, callee: Value, given: tuple[Value, ...]) -> None:
    """Mark the enclosing loop by a call of a model's method that gets tensors, or what it gave in an earlier pass."""
    gets_tensors = is_method_of_model(frame, callee) and any(isinstance(value, Tensor | Batch) for value in given)
    if gets_tensors or _is_fed_model(frame, node, callee):
        gets = "and gets tensors" if gets_tensors else "on what that gave before"
        frame.region.mark_decoding(frame.because(node, f"the loop calls the model's `{last_name(node.func)}()` {gets}"))


def _is_item(frame: Frame, name: str, loop: Region) -> bool:
    """Whether a loop binds a name to an item that it finds by what it goes through: `model = models[level]`."""
    body = frame.loops[-1].body if frame.loops and name else ()
    found = (each.value for each in statements(body) if isinstance(each, ast.Assign) and name in bound_by(each))
    subscripts = (each.slice for each in found if isinstance(each, ast.Subscript))
    return any(isinstance(each, ast.Name) and each.id in loop.targets for each in subscripts)


def mark_by_step(frame: Frame, node: ast.Call, func: ast.Attribute, loop: Region) -> bool:
    """Mark the enclosing loops by a call of `.step()`, if that is an optimizer's: whether it is."""
    if is_optimizers_step(node):
        region = frame.region if loop.targets.isdisjoint(_roots(func, *node.args)) else loop.parent
        if region is not None:  # a loop over optimizers is part of a step
            region.mark_step(frame.because(node, "the loop steps an optimizer"), True)
        return True
    return False


def _is_off(node: ast.Call) -> bool:
    """Whether a call turns something off: `model.train(False)`."""
    given = [*node.args, *(each.value for each in node.keywords if each.arg == "mode")]
    return any(isinstance(each, ast.Constant) and each.value is False for each in given)


def _is_of_module(frame: Frame, callee: Value) -> bool:
    """Whether a method is called on an object of one of the file's modules."""
    base = callee.operands[0] if isinstance(callee, Deferred) and callee.operands else getattr(callee, "receiver", None)
    return isinstance(base, Instance) and frame.file.inheritance.kind(base.cls) == "module"


def set_mode(frame: Frame, model: ast.expr, mode: str, is_module: bool) -> None:
    """Note that a model is set to training or evaluation."""
    name, function = last_name(model), frame.region.function()
    if mode == "train" or name == "self" or is_module or names_model(name):
        function.latest = mode
        function.mode = function.mode if function.mode == "train" else mode


def runs_by_method(frame: Frame, func: ast.Attribute, callee: Value) -> bool:
    """Whether a method is called that runs a model: `forward`, or almost any without gradients."""
    if not isinstance(callee, Deferred | Function):
        return False
    if func.attr in modules.RUNNING:
        return func.attr == "forward" or names_model(last_name(func.value))
    if func.attr in naming.KEEPING_METHODS or not frame.region.is_in(RegionKind.NO_GRAD):
        return False
    return names_model((path(func) or "").partition(".")[0])


def runs_own(frame: Frame, func: ast.expr, callee: Value) -> bool:
    """Whether an attribute of the object is called without gradients, which is not a method as far as is known."""
    match func:
        case ast.Attribute(value=ast.Name(id="self")):
            return isinstance(callee, Deferred) and frame.region.is_in(RegionKind.NO_GRAD)
    return False


def comes_back(frame: Frame, node: ast.Call) -> bool:
    """Whether what loops call a model with may be what the model gave in an earlier pass; in doubt, it is."""
    given = [*node.args, *(each.value for each in node.keywords)]
    if not frame.loops:
        return False  # nothing outlives a pass of a comprehension
    if not given or frame.loops[-1].depends:
        return True
    fresh, loops = frame.file.imported_modules, (each for each in frame.loops if not each.depends)
    return any(frame.file.feedback(each.body).reaches(given, each.targets | fresh) for each in loops)


def is_fed(frame: Frame, node: ast.Call) -> bool:
    """Whether a call is seen to be given what it gave in an earlier pass of a loop."""
    if not isinstance(frame.statement, ast.Assign) or not (node.args or node.keywords):
        return False  # what it gives is bound to nothing, or it is given nothing
    return any(frame.file.feedback(each.body).returns(node, each.targets) for each in frame.loops)


def _is_fed_model(frame: Frame, node: ast.Call, callee: Value) -> bool:
    """Whether a model's method is called on what that gave in an earlier pass: `tokens = model.following(tokens)`."""
    func = node.func
    if not isinstance(func, ast.Attribute) or not isinstance(callee, Deferred | Function):
        return False
    is_of_model = names_model((path(func) or "").partition(".")[0]) and func.attr not in naming.KEEPING_METHODS
    return is_of_model and func.attr not in modules.RUNNING - {"forward"} and is_fed(frame, node)


def is_method_of_model(frame: Frame, callee: Value) -> bool:
    """Whether the callee is a method that the program defines on a module other than the calling one."""
    match callee:
        case Function(name, Instance(cls)) if cls != frame.cls:
            return frame.file.inheritance.kind(cls) == "module" and frame.file.is_local(name)
    return False


def is_optimizers_step(node: ast.Call) -> bool:
    """Whether this is the `step` of something named like an optimizer, or of what is given one, as scalers are."""
    match node.func:
        case ast.Attribute(value=stepped, attr="step"):
            return any("opt" in last_name(each).lower() for each in (stepped, *node.args))
    return False


def is_model(frame: Frame, name: str, callee: Value) -> bool:
    """Whether the callee is a module, or is named like a model and otherwise unknown."""
    if isinstance(callee, Instance) and (kind := frame.file.inheritance.kind(callee.cls)) is not None:
        own = not callee.cls.startswith("torch.nn.")
        return kind in libraries.MODULE_KINDS and (own or (names_model(name) and not _is_in_module(frame)))
    if isinstance(callee, Function | Class | Module | Sequence | Host):
        return False
    return names_model(name) or (not _is_in_module(frame) and is_called_module(frame, name, callee))


def is_called_module(frame: Frame, name: str, callee: Value) -> bool:
    """Whether what is called is moved or set to evaluation, as modules are, and tensors, which nobody calls."""
    if isinstance(callee, Deferred) and callee.op is Op.METHOD and callee.name in modules.BEFORE_A_CALL:
        return True
    return name in frame.file.set_to_evaluation


def is_gone_through(frame: Frame, node: ast.Call, last: str) -> bool:
    """Whether what a call gives is gone through that is named like a generator: it yields, and runs no model."""
    if "generator" not in last.lower().split("_"):
        return False
    body = [*statements(frame.body)]
    bound = {name for each in body if isinstance(each, ast.Assign) and each.value is node for name in bound_by(each)}
    loops = (each.iter for each in body if isinstance(each, ast.For | ast.AsyncFor))
    return any(
        part is node or (isinstance(part, ast.Name) and part.id in bound) for each in loops for part in _wrapped(each)
    )


def _wrapped(node: ast.expr) -> Iterator[ast.expr]:
    """Yield what a loop goes through, and what that wraps: `enumerate(tqdm(batches))`."""
    yield node
    if wraps(node):
        for each in node.args:
            yield from _wrapped(each)


def _is_in_module(frame: Frame) -> bool:
    """Whether the reader is in a module, whose layers are parts of it, whatever they are called."""
    return bool(frame.cls) and frame.file.inheritance.kind(frame.cls) in libraries.MODULE_KINDS


def _roots(*nodes: ast.expr) -> Iterator[str]:
    """Return the names that paths begin with: `opt` of `opt.step`."""
    return ((path(node) or "").partition(".")[0] for node in nodes)
