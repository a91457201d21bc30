"""Reads definitions: imports, functions, classes."""

from __future__ import annotations

import ast
from typing import Final

from ....facts import compiling, libraries
from ....finding import Level
from ...library import named_tuples
from ...library.callbacks import MADE, PARTIAL
from ...library.promises import tensors_of
from ...notes.summary import ClassSummary, FunctionSummary
from ...often.gates import last_name
from ...often.regions import Region, RegionKind
from ...often.roles import caches, role
from ...often.signature import written
from ...often.tracing import options_of
from ...values.ops import Op
from ...values.union import UNKNOWN, Class, Deferred, Function, Module, Tensor, Value
from ...values.union import options_of as each_of
from ..places.bindings import SETTER, own_name
from ..places.filled import filled_inside
from ..recording.engines import note_listeners
from ..state.annotations import value_of
from ..state.frame import Frame, FunctionNode
from ..state.scope import Hidden, path
from .class_bodies import bindings_of_self, fields_of
from .parameters import bind_parameters
from .replaced import replaced
from .typed_dicts import described


def bind_imports(frame: Frame, node: ast.Import | ast.ImportFrom) -> None:
    """Bind the names of an import statement."""
    for name, value in frame.file.imported(node):
        frame.env[name] = _with_others(frame, value) if name == Hidden.STAR else value


def _with_others(frame: Frame, star: Value) -> Value:
    """Return the module of a star import with those of the ones before, the last first, separated by spaces."""
    known = frame.env.get(Hidden.STAR)
    if not isinstance(known, Module) or not isinstance(star, Module):
        return star
    return known if star.name in known.name.split() else Module(f"{star.name} {known.name}")


def qualified(frame: Frame, name: str) -> str:
    """Return the full name of what is defined here."""
    if frame.cls and not frame.scope.startswith(frame.cls + "."):
        return f"{frame.cls}.{name}"
    return f"{frame.scope or frame.file.module}.{name}"


def manager_name(frame: Frame, node: ast.expr) -> str:
    """Return the full name of a context manager or decorator."""
    value = frame.eval(node.func if isinstance(node, ast.Call) else node)
    return value.name if isinstance(value, Module | Function | Class | Deferred) else ""


def _decorator(frame: Frame, node: ast.expr) -> str:
    """Return the full name of a decorator; of a method of which nothing is known, as it is written: `app.post`."""
    name, written = manager_name(frame, node), path(node.func if isinstance(node, ast.Call) else node)
    return name if "." in name or written is None else written


UNBOUND: Final = frozenset(("staticmethod", "classmethod"))
"""Decorators of methods that are not given the object."""


def define_function(frame: Frame, node: FunctionNode) -> None:
    """Bind a function's name, and leave its body to be read later; never if nothing can call it."""
    if node in frame.file.replaced:
        return
    full = qualified(frame, _own_name(node))
    decorators = [_decorator(frame, each) for each in node.decorator_list]
    if "typing.overload" in decorators:
        overload(frame, node, full)
        return
    in_class = bool(frame.cls) and frame.scope == frame.cls
    inner = frame.inside(full, frame.cls)
    inner.node = inner.statement = node
    summary = frame.file.summary.functions[full] = summary_of(frame, node, full, in_class, decorators)
    summary.property = _is_property(decorators)
    bind_parameters(inner, node, summary, in_class, decorators)
    enter_decorated(inner, decorators)
    compiled(frame, inner, node.decorator_list)
    if any(map(caches, decorators)) and summary.role is not None and summary.role.level is Level.ONCE:
        inner.region = Region(RegionKind.KEPT, inner.region)
    note_listeners(frame, node.decorator_list, full)
    frame.inner.append(inner)
    if not in_class:
        filled_inside(frame, node)
        frame.assign_name(node.name, Function(full))


def overload(frame: Frame, node: FunctionNode, full: str) -> None:
    """Record one of several signatures; if there is nothing else, a call returns what all of them promise."""
    promised = tensors_of(value_of(node.returns, frame.eval))
    known = frame.file.summary.functions.get(full)
    agreed = known is None or known.promised == promised
    frame.file.summary.functions[full] = FunctionSummary(full, promised=promised if agreed else UNKNOWN)
    if not frame.cls:
        frame.assign_name(node.name, Function(full))


def summary_of(frame: Frame, node: FunctionNode, full: str, in_class: bool, decorators: list[str]) -> FunctionSummary:
    """Return what is known about a function before its parameters and body are read."""
    kind = frame.file.inheritance.kind(frame.cls) if in_class else None
    summary = FunctionSummary(full, static=in_class and not UNBOUND.isdisjoint(decorators))
    summary.promised = tensors_of(value_of(node.returns, frame.eval))
    summary.abstract = in_class and _is_abstract(node)
    if frame.file.role is not None:
        summary.role, summary.firm = frame.file.role, frame.file.is_test
    else:
        cls = frame.cls.rpartition(".")[2] if in_class else ""
        telling = [each for each in decorators if not (caches(each) and takes_tensors(frame, node))]
        summary.role, summary.firm = role(node.name, kind, telling, frame.recorder.span(node), cls)
        summary.role = summary.role or (frame.file.evaluation if kind != "metric" else None)
    return summary


def _is_abstract(node: FunctionNode) -> bool:
    """Whether a method leaves it to derived classes to do something: all that it does is to raise an exception."""
    match node.body:
        case [ast.Raise(exc=raised)] | [ast.Expr(value=ast.Constant()), ast.Raise(exc=raised)]:
            made = raised.func if isinstance(raised, ast.Call) else raised
            return isinstance(made, ast.Name) and made.id == "NotImplementedError"
    return any(
        isinstance(each, (ast.Name, ast.Attribute)) and last_name(each) == "abstractmethod"
        for each in node.decorator_list
    )


def takes_tensors(frame: Frame, node: FunctionNode) -> bool:
    """Whether a parameter is annotated as a tensor: results that are kept for tensors are kept for a step."""
    declared = (value_of(each.annotation, frame.eval) for each, _ in written(node.args))
    return any(isinstance(option, Tensor) for value in declared for option in each_of(value))


def enter_decorated(frame: Frame, decorators: list[str]) -> None:
    """Enter the regions of a body that runs without gradients, or is left to Python."""
    if not libraries.NO_GRAD.isdisjoint(decorators):
        frame.region = Region(RegionKind.NO_GRAD, frame.region)
    if not compiling.LEFT_TO_PYTHON.isdisjoint(decorators):
        frame.region = Region(RegionKind.UNCOMPILED, frame.region)
    if not libraries.SCRIPTERS.isdisjoint(decorators):
        frame.region = Region(RegionKind.SCRIPTED, frame.region)


def compiled(frame: Frame, inner: Frame, decorators: list[ast.expr]) -> None:
    """Enter the region of a body that a decorator compiles: `@torch.compile`, `@partial(torch.compile, …)`."""
    for each in decorators:
        made = each.args[0] if isinstance(each, ast.Call) and _decorator(frame, each) == PARTIAL and each.args else each
        if _decorator(frame, made) in compiling.COMPILERS:
            given = each.keywords if isinstance(each, ast.Call) else []
            constants = ((one.arg or "", getattr(one.value, "value", None)) for one in given)
            reason = frame.because(each, "`torch.compile` compiles this function")
            inner.region = Region(RegionKind.COMPILED, inner.region, reason, options=options_of(constants))
            frame.file.summary.traces = True


def define_class(frame: Frame, node: ast.ClassDef) -> None:
    """Bind a class's name and read its body, but for its methods, which are read later."""
    if node in frame.file.replaced:
        return
    frame.file.replaced.update(replaced(node.body))
    full = qualified(frame, node.name)
    summary = class_summary(frame, node, full)
    frame.file.define(summary, bindings_of_self(node))
    frame.assign_name(node.name, Class(full, described(frame, node)))
    for each in node.decorator_list:
        note_decorated(frame, frame.eval(each), full)
    body = frame.inside(full, full)
    body.region = frame.region
    body.block(node.body)
    for name, value in body.env.items():
        if name.isidentifier() and not isinstance(value, Function | Class):
            summary.attributes.setdefault(name, []).append(value)
    for method in body.inner:
        method.closure = (frame.env, *frame.closure)
    body.inner.sort(key=lambda method: method.node is None or method.node.name != "__init__")
    frame.inner += body.inner


def note_decorated(frame: Frame, decorator: Value, cls: str) -> None:
    """Record that a decorator is called with the class: a registry keeps it."""
    match decorator:
        case Function(name, None) | Module(name):
            frame.note_call(name, (Class(cls),), ())
        case Deferred(Op.CALL, name):
            frame.note_call(name + MADE, (Class(cls),), ())


def class_summary(frame: Frame, node: ast.ClassDef, full: str) -> ClassSummary:
    """Return what is known about a class before its body is read."""
    values = [frame.eval(base.value if isinstance(base, ast.Subscript) else base) for base in node.bases]
    bases = tuple(base.name for base in values if isinstance(base, Class | Module | Function))
    own = frozenset(item.name for item in node.body if isinstance(item, FunctionNode))
    return ClassSummary(full, bases, own, fields=fields(frame, node, bases))


def fields(frame: Frame, node: ast.ClassDef, bases: tuple[str, ...]) -> tuple[str, ...]:
    """Return the fields of a data class or named tuple; none for other classes."""
    makers = {manager_name(frame, each) for each in node.decorator_list} | set(bases)
    return fields_of(node) if makers & libraries.FIELD_MAKERS else ()


def define_named_tuple(frame: Frame, node: ast.Call, name: str) -> Class | None:
    """Return the class that `namedtuple(…)` makes, as one of the file's; None for other calls."""
    match node:
        case ast.Call(func=ast.Name() | ast.Attribute(), args=[_, names, *_]):
            if manager_name(frame, node) != named_tuples.MAKER:
                return None
            full = qualified(frame, name)
            given = named_tuples.field_names(frame.eval(names))
            frame.file.define(ClassSummary(full, (named_tuples.MAKER,), fields=given), {})
            return Class(full) if given else None
    return None


def _own_name(node: FunctionNode) -> str:
    """Return a function's name, or that of a property's setter or deleter."""
    for each in node.decorator_list:
        if isinstance(each, ast.Attribute) and each.attr in (SETTER, "deleter") and path(each.value) == node.name:
            return own_name(node.name, each.attr)
    return node.name


def _is_property(decorators: list[str]) -> bool:
    return "property" in decorators or any(each.endswith("cached_property") for each in decorators)
