"""Reads the body of a module or function to its end, and completes the function's summary."""

from __future__ import annotations

import ast

from ....finding import Frequency, Level, Reason
from ...library.command_lines import is_plain
from ...notes.summary import FunctionSummary
from ...often.bystanders import no_step
from ...often.names import names_training_step
from ...often.nested import declared_global
from ...values.joining import join, join_all, join_results
from ...values.lattice import OPEN
from ...values.ops import Op
from ...values.union import NONE, Host, Sequence, Tensor, Value, defer
from ..places.bindings import settle
from ..places.filled import dict_of_others, filled_by_functions
from ..recording.declared_options import declared_options
from ..recording.registrations import registrations
from ..state.frame import Frame
from ..state.scope import Names
from .replaced import replaced

AT_IMPORT = Frequency(Level.ONCE, (Reason("module level runs once, when the file is run or imported"),))


def read_module(frame: Frame, body: list[ast.stmt]) -> None:
    """Read the module's body; `frame.inner` are its functions, to be read next."""
    frame.file.summary.functions[""] = FunctionSummary(
        "", role=frame.file.role if frame.file.is_test else AT_IMPORT, firm=True
    )
    frame.file.replaced.update(replaced(body))
    frame.block(body)
    settle(frame)
    frame.file.summary.chosen.update(registrations(frame, body))
    for name, constant in declared_options(body):
        if is_plain(value := frame.eval(constant)):
            frame.file.summary.options.setdefault(name, []).append(value)
    frame.file.globals = frame.env
    seen = seen_by_functions(frame)
    for inner in frame.inner:
        inner.closure = (seen,)


def seen_by_functions(frame: Frame) -> Names:
    """Return the module's names as its functions see them; other files import what the module itself has bound.

    For a name that functions rebind, neither its tensor's device nor its number is known. What the module itself does
    not bind, or to None, is what a function has bound; so is what a dict holds that functions fill: a registry.
    """
    filled = {name: dict_of_others(frame, name) for name in filled_by_functions(frame)}
    if not frame.file.has_globals:
        return {**frame.env, **filled} if filled else frame.env
    rebound = set(declared_global(frame.file.source.tree.body))
    seen = {name: _widened(value) if name in rebound else value for name, value in (frame.env | filled).items()}
    for name in rebound:
        if seen.get(name, NONE) == NONE:
            seen[name] = frame.recorder.same(defer(Op.NAME, f"{frame.file.module}.{name}"))
    return seen


def read_function(frame: Frame) -> None:
    """Read a function's body; `frame.inner` are the functions nested in it, to be read next."""
    assert frame.node is not None
    frame.block(frame.node.body)
    settle(frame)
    _keep_globals(frame, frame.node.body)
    function = frame.file.summary.functions[frame.scope]
    function.returns = _returned(frame)
    whole = frame.region.function()
    function.stepping = whole.stepping is not None or (whole.around and not whole.training)
    function.training = whole.training
    function.using = whole.using or whole.giving
    function.looping = whole.looping
    function.inferring = whole.inferring and not whole.models
    function.running = whole.running
    function.mode = whole.mode
    frame.file.summary.trains |= whole.training or whole.looping or names_training_step(frame.node.name)
    if function.training and (outer := frame.file.summary.functions.get(frame.scope.rpartition(".")[0])) is not None:
        outer.inferring = False  # it hands the function to what calls it
    recorder = frame.recorder
    computes = function.tensors or frame.scope in recorder.computing or frame.scope in recorder.through
    if computes and no_step(frame.node, frame.file.company):
        function.tensors = False
        recorder.computing.discard(frame.scope)
        recorder.through.pop(frame.scope, None)
    for inner in frame.inner:
        inner.closure = (frame.env, *frame.closure)


def _keep_globals(frame: Frame, body: list[ast.stmt]) -> None:
    """Add what the function binds the module's names to, which other functions see."""
    for name in declared_global(body) if frame.file.has_globals else ():
        value, known = frame.env.get(name, NONE), frame.file.globals.get(name, NONE)
        if value != NONE and known == NONE:
            frame.file.rebound_globals[name] = join(frame.file.rebound_globals.get(name, value), value)


def _returned(frame: Frame) -> Value:
    if frame.yields:
        return Sequence("iter", None, join_all(frame.yields))
    return join_results(frame.results) if frame.results else NONE


def _widened(value: Value) -> Value:
    match value:
        case Tensor() if not value.device.on_gpu:
            return Tensor(OPEN, value.dtype, value.rank)
        case Host() if value != NONE:
            return Host(value.kind)
    return value
