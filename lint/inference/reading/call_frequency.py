"""Classifies loops by what they call: a backward pass, an optimizer's step, a model."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...facts import libraries, naming
from ..often.names import names_model
from ..values.union import Batch, Class, Function, Host, Instance, Module, Sequence, Tensor, Value
from .file_state import FileState
from .frame import Frame
from .scope import path


def watch_frequency(frame: Frame, node: ast.Call, callee: Value, positional: tuple[Value, ...] = ()) -> None:
    """Mark the enclosing loop by a backward pass, an optimizer's step or a model's call."""
    func = node.func
    last = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
    loop = frame.region.nearest_loop()
    if loop is None:
        if last in naming.BACKWARD_FUNCTIONS:
            frame.region.mark_training()
        return
    if last in naming.BACKWARD_FUNCTIONS:
        frame.region.mark_step(frame.because(node, f"the loop calls `{last}()`"), True, whole=False)
    elif last == "step" and isinstance(func, ast.Attribute) and is_optimizer(func.value):
        region = frame.region if loop.targets.isdisjoint(_roots(func, *node.args)) else loop.parent
        if region is not None:  # a loop over optimizers is part of a step
            region.mark_step(frame.because(node, "the loop steps an optimizer"), True)
    elif last in naming.STEP_FUNCTIONS and not (last == "step" and isinstance(func, ast.Attribute)):
        frame.region.mark_step(frame.because(node, f"the loop calls `{last}()`"), True)
    elif (path(func) or "").partition(".")[0] in loop.targets:
        return  # a loop over models, or layers, is not a loop over steps
    elif is_model(frame.file, last, callee) or (last == "forward" and isinstance(func, ast.Attribute)):
        frame.region.mark_decoding(frame.because(node, f"the loop calls the model `{last}`"))
    elif is_method_of_model(frame, callee) and any(isinstance(value, Tensor | Batch) for value in positional):
        frame.region.mark_decoding(frame.because(node, f"the loop calls the model's `{last}()` and gets tensors"))


def is_method_of_model(frame: Frame, callee: Value) -> bool:
    """Whether the callee is a method that the program defines on a module other than the calling one."""
    match callee:
        case Function(name, Instance(cls)) if cls != frame.cls:
            return frame.file.inheritance.kind(cls) == "module" and frame.file.is_local(name)
    return False


def is_optimizer(node: ast.expr) -> bool:
    """Whether the receiver of `.step()` is named like an optimizer."""
    name = (path(node) or "").rpartition(".")[2].lower()
    return "optim" in name or name in naming.OPTIMIZER_NAMES


def is_model(file: FileState, name: str, callee: Value) -> bool:
    """Whether the callee is a module, or is named like a model and otherwise unknown."""
    if isinstance(callee, Instance) and (kind := file.inheritance.kind(callee.cls)) is not None:
        return kind in libraries.MODULE_KINDS and not callee.cls.startswith("torch.nn.")
    if isinstance(callee, Function | Class | Module | Sequence | Host):
        return False
    return names_model(name)


def _roots(*nodes: ast.expr) -> Iterator[str]:
    """Return the names that paths begin with: `opt` of `opt.step`."""
    return ((path(node) or "").partition(".")[0] for node in nodes)
