"""Runs a file on abstract values, the module first, then each class and function, and returns its summary."""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterator

from ...declared import DEFAULT_DEVICE, Fact
from ...facts import naming
from ...files.modules import Modules, path_in
from ...files.source import Source
from ...finding import Frequency, Level
from ..library.command_lines import is_plain
from ..notes.called import note_called
from ..notes.operations import Convert, Operation, Truth
from ..notes.recorder import Emitted, Recorder
from ..notes.summary import CallSite, FileSummary, FunctionSummary, Placed, PlacedWay
from ..notes.watched import telling
from ..often.placing import as_if_within, local_of
from ..often.regions import RegionKind
from ..often.roles import prepares_data
from ..values.union import Batch, Class, Deferred, DeviceRef, DTypeRef, Function, Instance, Module, OneOf, Tensor
from .constructs import PYTHON
from .expressions.lambdas import enclosing
from .state.file_state import FileState
from .state.frame import Frame
from .state.scope import Hidden
from .statements.bodies import read_function, read_module

SHARED = (Tensor, Batch, DeviceRef, DTypeRef, Instance, OneOf, Deferred)
"""Kinds of values of a module's names that tell other files something useful."""
_OF_ONE_VALUE = (Truth, Convert)
"""Kinds of operations that wait for their `value` where that is on the device."""
UNTOLD = Frequency(Level.UNKNOWN)
"""How often an operation runs, until linking tells."""


def analyse(
    source: Source,
    modules: Modules | None = None,
    gpu_names: tuple[str, ...] = (),
    calls: frozenset[str] = frozenset(),
    facts: tuple[Fact, ...] = (),
    default_device: str = DEFAULT_DEVICE,
) -> FileSummary:
    """Return the summary of one file, read on its own; `modules` tells what its imports refer to.

    `gpu_names` are GPU devices whatever they are bound to; `calls` are recorded besides those that the package's rules
    name; `facts` are what is declared about functions, and `default_device` where tensors are made that are
    given no device.

    Raises RecursionError for expressions nested too deeply.
    """
    file = FileState(source, modules, gpu_names, calls, facts, default_device)
    summary = read(file)
    file.let_go()
    return summary


def read(file: FileState, kind: type[Frame] = Frame) -> FileSummary:
    """Run the module's body, then every function, and return the summary of what they recorded."""
    module = kind(file, PYTHON, "")
    read_module(module, file.source.tree.body)
    pending = module.inner
    while pending:
        function = pending.pop(0)
        read_function(function)
        pending[:0] = function.inner
    _finish(file)
    return file.summary


def _finish(file: FileState) -> None:
    """Assign frequencies to operations and calls, once all regions have been read to their ends."""
    summary, recorder = file.summary, file.recorder
    summary.operations = [
        Placed(_operation(file, each), local_of(each.region), each.scope, _ways(recorder, each))
        for each in recorder.operations.values()
    ]
    summary.telling = telling(placed.operation for placed in summary.operations)
    for callee, positional, keywords, region, caller, passed, loop, given in recorder.calls:
        loop = loop or recorder.taken.get((callee, caller))
        local, through = local_of(region), None if loop is None else local_of(loop)
        what = sys.intern(callee), positional, keywords
        summary.calls.append(CallSite(*what, local, caller, passed, through=through, given=given))
    note_called(summary)
    summary.evidence = recorder.proven()
    summary.on_host = recorder.on_host()
    summary.exports = dict(_exports(file))
    summary.offered = frozenset(_offered(file))
    summary.public = frozenset(_public(file, summary.offered))
    summary.constants = {
        f"{file.module}.{name}": value
        for name, value in {**file.globals, **file.rebound_globals}.items()
        if isinstance(value, SHARED) and not isinstance(name, Hidden)
    }
    for cls in summary.classes.values():
        for name in cls.fields:
            summary.options.setdefault(name, []).extend(filter(is_plain, cls.attributes.get(name, ())))
    if not file.is_test:
        summary.passed = frozenset(file.passed)
        summary.bound = file.bound_from_outside | ({f"{file.module}.*"} if file.binds_by_name else frozenset())
    summary.aliases = {
        each.name: each.alias for each in file.globals.values() if isinstance(each, Class) and each.alias is not None
    }
    for known in summary.classes.values():  # others stand where no program arrives
        known.methods = frozenset(each for each in known.methods if f"{known.name}.{each}" in summary.functions)
    _mark_computing(file)


def _operation(file: FileState, each: Emitted) -> Operation:
    return each.kind(
        span=file.recorder.span(each.node),
        text=file.recorder.text(each.quoted),
        scope=enclosing(each.scope),
        statement=(each.statement.lineno, _last_row(each.statement)),
        frequency=UNTOLD,
        optional=each.region.is_in(RegionKind.BRANCH, RegionKind.GATE, RegionKind.EVALUATION),
        **file.recorder.settled(each.operands),
    )


def _ways(recorder: Recorder, each: Emitted) -> tuple[PlacedWay, ...]:
    """Return the ways that give what Python converts or tests, each with how often the place runs on that way."""
    ways = recorder.ways_to(each.operands["value"]) if each.kind in _OF_ONE_VALUE else ()
    if not ways or ways[0].regions[0].function() is not each.region.function():
        return ()
    return tuple(PlacedWay(way.value, as_if_within(way.regions, local_of(each.region))) for way in ways)


def _last_row(statement: ast.stmt) -> int:
    """Return the last row of a statement, or of a compound statement's header."""
    body = getattr(statement, "body", None)
    if isinstance(body, list) and body and isinstance(body[0], ast.stmt):
        return max(statement.lineno, body[0].lineno - 1)
    return statement.end_lineno or statement.lineno


def _exports(file: FileState) -> Iterator[tuple[str, str]]:
    """Yield the module's names for things defined elsewhere."""
    for name, value in file.globals.items():
        full = f"{file.module}.{name}"
        if not isinstance(value, Module | Function | Class) or value.name == full:
            continue
        if "." in value.name or name == Hidden.STAR:
            yield full, value.name


def _public(file: FileState, offered: frozenset[str]) -> Iterator[str]:
    """Yield the full names that whoever imports a package gets from it: what it lists, else all that it binds."""
    if not file.is_package or file.is_test:
        return
    yield from offered
    for name, value in file.globals.items() if not offered else ():
        if isinstance(value, Module | Function | Class) and not name.startswith("_"):
            yield f"{file.module}.{name}"


def _offered(file: FileState) -> Iterator[str]:
    """Yield the full names of what the module lists in `__all__`, or in lists of which it puts that together."""
    bound: dict[str, list[ast.expr]] = {}
    for statement in file.source.tree.body:
        match statement:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
                | ast.AugAssign(target=ast.Name(id=name), value=value)
            ):
                bound.setdefault(name, []).append(value)
    parts = bound.pop("__all__", [])
    while parts:
        match parts.pop():
            case ast.List(elts=names) | ast.Tuple(elts=names):
                texts = (each.value for each in names if isinstance(each, ast.Constant))
                yield from (f"{file.module}.{text}" for text in texts if isinstance(text, str))
            case ast.BinOp(left=left, right=right):
                parts += (left, right)
            case ast.Name(id=name):
                parts += bound.pop(name, ())


def _makes_tensors(function: FunctionSummary) -> bool:
    """Whether the function computes on tensors and only its name says that it creates something once."""
    name = function.name.rpartition(".")[2]
    once = function.role is not None and function.role.level is Level.ONCE
    if not (function.tensors and once) or function.firm or name in naming.COLD_NAMES:
        return False
    return name.lstrip("_").startswith(naming.MAKING_PREFIXES)


def _mark_computing(file: FileState) -> None:
    """Mark the functions seen to compute on tensors they are given, and those that prepare data."""
    for scope in file.recorder.computing & file.summary.functions.keys():  # a class has a scope, too
        file.summary.functions[scope].tensors = True
    prepares = prepares_data(path_in(file.folder, os.path.dirname(file.modules.root)))
    for function in file.summary.functions.values():
        function.through = tuple(sorted(file.recorder.through.get(function.name, ())))
        function.preparing = prepares
        if not prepares and _makes_tensors(function):
            function.role = None
