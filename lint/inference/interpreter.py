"""Runs a file on abstract values, the module first, then each class and function, and returns its summary."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from functools import cache
from pathlib import PurePosixPath
from typing import Any

from ..facts import libraries
from ..finding import Frequency, Level, Reason
from ..source import Source
from . import annotations, methods, names
from .access import attribute, tensor_only
from .calls import ARRAY_METHODS
from .frequency import Region, has_steps, local_of
from .lattice import ANY_MEMORY, ANYWHERE, OPEN, Device
from .recorder import Recorder
from .roles import prepares_data, role
from .scope import Names
from .statements import Statements
from .summary import CallSite, ClassSummary, FileSummary, FunctionSummary, Placed
from .tensors import element
from .values import (
    UNKNOWN,
    Class,
    Deferred,
    DeviceRef,
    Function,
    Host,
    Instance,
    Module,
    OneOf,
    Sequence,
    Tensor,
    Value,
    defer,
    join_all,
    options_of,
    on_device,
)

ARRAY_LIBRARIES = ("numpy", "jax", "tensorflow", "cupy", "sklearn", "xarray", "mxnet", "paddle")
TENSOR_ATTRIBUTES = frozenset(("is_cuda", "requires_grad", "grad", "grad_fn", "is_leaf", "is_sparse"))


def analyse(source: Source, gpu_names: tuple[str, ...] = ()) -> FileSummary:
    """The summary of one file, read on its own; `gpu_names` are devices on the GPU whatever they are bound to.

    Raises RecursionError for expressions nested too deeply.
    """
    return FileReader(source, gpu_names).read()


def module_name(filename: str) -> tuple[str, bool]:
    """The dotted name a file is imported by, and whether it is a package's `__init__`.

    The package begins below the last folder without an `__init__.py`; where no folder has one, the path tells, without `src`.
    """
    path = PurePosixPath(filename.replace("\\", "/")).with_suffix("")
    names, folder = [path.name], path.parent
    while folder.name not in ("", "..") and is_package(str(folder)):
        names.insert(0, folder.name)
        folder = folder.parent
    if len(names) == 1:
        names = [part for part in path.parts if part not in ("/", ".", "..")]
        names = names[names.index("src") + 1 :] if "src" in names[:-1] else names
    if names[-1] == "__init__":
        return ".".join(names[:-1]) or "__main__", True
    return ".".join(names), False


@cache
def is_package(folder: str) -> bool:
    """The folder is a package."""
    return os.path.exists(os.path.join(folder, "__init__.py"))


class FileReader:
    """One file being read: its module's names, its classes, and the functions still to be read."""

    reader: type[FunctionReader]

    def __init__(self, source: Source, gpu_names: tuple[str, ...] = ()) -> None:
        self.source = source
        self.gpu_names = frozenset(gpu_names)
        self.recorder = Recorder(source)
        self.module, self.is_package = module_name(source.filename)
        self.summary = FileSummary(source.filename, self.module)
        self.globals: Names = {}
        self.pending: list[FunctionReader] = []
        self.calls: list[tuple[str, tuple[Value, ...], Any, Region, str, bool]] = []
        self.assigned: dict[str, dict[str, int]] = {}
        self.properties: set[str] = set()
        self.reader = FunctionReader
        frames = "pandas" in source.text or "polars" in source.text
        self.tensor_methods = tensor_only(frames)
        self.has_arrays = frames or any(library in source.text for library in ARRAY_LIBRARIES)

    def read(self) -> FileSummary:
        """Run the module's body, then every function; finish regions and operations."""
        top = self.reader(self, "", self.globals, ())
        top.run_module(self.source.tree.body)
        while self.pending:
            self.pending.pop(0).run()
        self._finish()
        return self.summary

    def _exports(self) -> Iterator[tuple[str, str]]:
        """Names of the module that stand for something that is defined elsewhere."""
        for name, value in self.globals.items():
            full = f"{self.module}.{name}"
            if isinstance(value, Module | Function | Class) and value.name != full and "." in value.name:
                yield full, value.name

    def methods_for(self, cls: str) -> frozenset[str]:
        """Names of methods that show a tensor: in files without numpy and in modules those of arrays as well."""
        if self.has_arrays and (not cls or self.kind_of(cls) not in libraries.MODULE_KINDS):
            return self.tensor_methods
        return self.tensor_methods | ARRAY_METHODS

    def kind_of(self, cls: str, seen: tuple[str, ...] = ()) -> str | None:
        """What objects of a class are, through the bases that this file knows."""
        known = self.summary.classes.get(cls)
        if known is None:
            return methods.kind_of(cls)
        for base in known.bases:
            if base not in seen and (kind := self.kind_of(base, (*seen, cls))) is not None:
                return kind
        unknown = [base for base in known.bases if base not in self.summary.classes]
        return "module" if "forward" in known.methods and unknown else None

    def method(self, cls: str, name: str) -> str | None:
        """The full name of a method of a class of this file, its own or a base's."""
        known = self.summary.classes.get(cls)
        if known is None:
            return None
        if name in known.methods:
            return f"{cls}.{name}"
        return next((found for base in known.bases if base != cls and (found := self.method(base, name))), None)

    def library_base(self, cls: str) -> str:
        """The class or the nearest base that is not of this file."""
        known = self.summary.classes.get(cls)
        return cls if known is None else next((self.library_base(base) for base in known.bases if base != cls), cls)

    def _finish(self) -> None:
        compiled: dict[int, bool] = {}
        for kind, node, statement, region, scope, operands in self.recorder.operations.values():
            if id(region) not in compiled:
                compiled[id(region)] = region.is_in("compiled")
            operation = kind(
                span=self.recorder.span(node),
                text=self.recorder.text(node),
                scope=scope,
                statement=(statement.lineno, _last_row(statement)),
                frequency=Frequency(Level.UNKNOWN),
                compiled=compiled[id(region)],
                **operands,
            )
            self.summary.operations.append(Placed(operation, local_of(region), scope))
        for callee, positional, keywords, region, caller, passed in self.calls:
            self.summary.calls.append(CallSite(callee, positional, keywords, local_of(region), caller, passed))
        self.summary.evidence = self.recorder.evidence
        self.summary.exports = dict(self._exports())
        for scope in self.recorder.computing:
            self.summary.functions[scope].tensors = True
        if prepares_data(self.summary.filename):
            for function in self.summary.functions.values():
                function.tensors = False


def _last_row(statement: ast.stmt) -> int:
    """The last row of a statement, or of a compound statement's head."""
    body = getattr(statement, "body", None)
    if isinstance(body, list) and body and isinstance(body[0], ast.stmt):
        return max(statement.lineno, body[0].lineno - 1)
    return statement.end_lineno or statement.lineno


class FunctionReader(Statements):
    """Reads one function's body, or the module's or a class's."""

    tensor_attributes = TENSOR_ATTRIBUTES

    def __init__(self, file: FileReader, scope: str, env: Names, closure: tuple[Names, ...], cls: str = "") -> None:
        self.file = file
        self.recorder = file.recorder
        self.gpu_names = file.gpu_names
        self.tensor_methods = file.methods_for(cls)
        self.scope = scope
        self.env = env
        self.closure = closure
        self.cls = cls
        self.region = Region("function")
        self.alive = True
        self.loops = []
        self.depth = 0
        self.has_paths = False
        self.unsettled = {}
        self.results: list[Value] = []
        self.yields: list[Value] = []
        self.inner: list[FunctionReader] = []
        self.node: ast.FunctionDef | ast.AsyncFunctionDef | None = None
        self.statement = ast.Pass(lineno=1, col_offset=0, end_lineno=1, end_col_offset=0)

    def run_module(self, body: list[ast.stmt]) -> None:
        self.file.summary.functions[""] = FunctionSummary(
            "", role=Frequency(Level.ONCE, (Reason("module level runs once, when the file is run or imported"),)), firm=True
        )
        self.block(body)
        for name, value in self.env.items():
            self.file.globals[name] = value
        self.file.pending += self.inner

    def run(self) -> None:
        """Read the function's body, then those of the functions inside it."""
        assert self.node is not None
        function = self.file.summary.functions[self.scope]
        self.block(self.node.body)
        self.settle()
        if self.yields:
            function.returns = Sequence("iter", None, join_all(self.yields))
        else:
            function.returns = join_all(self.results) if self.results else Host("NoneType", None)
        function.stepping = has_steps(self.region)
        for inner in self.inner:
            inner.closure = (self.env, *self.closure)
        self.file.pending[:0] = self.inner

    def returned(self, value: Value) -> None:
        self.settle()
        self.results.append(value)

    def yielded(self, value: Value, many: bool) -> None:
        self.yields.append(element(value) if many else value)

    # -- what calls need to know ---------------------------------------------------------------------------------------

    def is_local(self, name: str) -> bool:
        return name in self.file.summary.functions

    def is_local_class(self, name: str) -> bool:
        return name in self.file.summary.classes

    def kind_of(self, cls: str) -> str | None:
        return self.file.kind_of(cls)

    def note_call(self, name: str, positional: tuple[Value, ...], keywords: tuple[tuple[str, Value], ...], passed: bool = False) -> None:
        self.file.calls.append((name, positional, keywords, self.region, self.scope, passed))

    def elements(self, node: ast.expr, value: Value) -> Value:
        if isinstance(value, Instance):
            return methods.yielded_by(value, self.kind_of(value.cls))
        return super().elements(node, value)

    def batches(self, node: ast.expr, iterable: Value) -> str | None:
        if isinstance(iterable, Instance) and self.kind_of(iterable.cls) == "dataloader":
            return "the loop iterates over a DataLoader"
        return super().batches(node, iterable)

    # -- attributes ----------------------------------------------------------------------------------------------------

    def instance_attribute(self, base: Instance, name: str) -> Value:
        """A method, an attribute bound once and known, a method of the library's base class, or a question."""
        known = self.file.summary.classes.get(base.cls)
        if known is None:
            return self.recorder.same(attribute(base, name))
        if (method := self.file.method(base.cls, name)) is not None:
            return self.property_or_method(method, base)
        values = known.attributes.get(name, [])
        if name in known.fields and any(isinstance(each, Instance) and self.kind_of(each.cls) == "metric" for each in values):
            return self.recorder.same(defer("attribute", name, (base,)))
        if len(values) == 1 and self.file.assigned.get(base.cls, {}).get(name, 1) <= 1:
            return values[0]
        if not values and name not in self.file.assigned.get(base.cls, {}):
            kind = self.kind_of(base.cls)
            if kind in libraries.MODULE_KINDS and name in methods.MODULE_METHODS:
                return Function(f"torch.nn.Module.{name}", base)
            if kind in ("lightning", "module", "metric") and name == "device":
                return attribute(Tensor(base.device or OPEN), "device")
            if kind == "metric":
                return Function(f"{self.file.library_base(base.cls)}.{name}", base)
            if kind in ("lightning", "optimizer"):
                return Function(f"{kind}.{name}", base)
        return self.recorder.same(defer("attribute", name, (base,)))

    def property_or_method(self, method: str, base: Instance) -> Value:
        self.settle()
        function = self.file.summary.functions.get(method)
        if function is not None and function.name in self.file.properties:
            self.note_call(method, (base,), ())
            return self.recorder.same(defer("call", method, (base,)))
        return Function(method) if function is not None and function.static else Function(method, base)

    def set_attribute(self, base: Instance, name: str, value: Value) -> None:
        known = self.file.summary.classes.get(base.cls)
        if known is None:
            return
        if self.kind_of(base.cls) in libraries.MODULE_KINDS:
            value = self.registered(value)
        values = known.attributes.setdefault(name, [])
        if value not in values:
            values.append(value)

    def registered(self, value: Value) -> Value:
        """A metric that is an attribute of a module moves with it."""
        if isinstance(value, Instance) and value.device is None and self.kind_of(value.cls) == "metric":
            return on_device(value, OPEN)
        return value

    def library_method(self, receiver: Instance, name: str, arguments: Any) -> Value:
        """`register_buffer` and `add_state` bind attributes too; a buffer moves with its module."""
        if name in ("register_buffer", "register_parameter", "add_state") and len(arguments.positional) > 1:
            key, value, *_ = arguments.positional
            if isinstance(key, Host) and isinstance(key.constant, str):
                self.set_attribute(receiver, key.constant, _moves_with_module(value))
        return super().library_method(receiver, name, arguments)

    # -- definitions ---------------------------------------------------------------------------------------------------

    def import_(self, node: ast.Import | ast.ImportFrom) -> None:
        for name, value in names.imported(node, self.file.module, self.file.is_package):
            self.env[name] = value

    def annotation(self, node: ast.expr | None) -> Value:
        return annotations.value_of(node, self.eval)

    def qualified(self, name: str) -> str:
        if self.cls and not self.scope.startswith(self.cls + "."):
            return f"{self.cls}.{name}"
        return f"{self.scope or self.file.module}.{name}"

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        full = self.qualified(node.name)
        decorators = [self.manager_name(each) for each in node.decorator_list]
        if "typing.overload" in decorators:
            return
        in_class = bool(self.cls) and self.scope == self.cls
        reader = self.file.reader(self.file, full, {}, (self.env, *self.closure), self.cls)
        reader.node = node
        summary = FunctionSummary(full, cls=self.cls if in_class else "")
        summary.role, summary.firm = role(
            node.name, self.kind_of(self.cls) if in_class else None, decorators, self.recorder.source.span(node)
        )
        summary.static = in_class and "staticmethod" in decorators
        self.file.summary.functions[full] = summary
        reader.bind_parameters(node.args, summary, in_class, decorators)
        if any(each in libraries.NO_GRAD for each in decorators):
            reader.region = Region("no_grad", reader.region)
        if any(each in libraries.COMPILERS for each in decorators):
            reader.region = Region("compiled", reader.region)
        if "property" in decorators or any(each.endswith("cached_property") for each in decorators):
            self.file.properties.add(full)
        self.inner.append(reader)
        if not in_class:
            self.assign_name(node.name, Function(full))

    def bind_parameters(self, args: ast.arguments, summary: FunctionSummary, in_class: bool, decorators: list[str]) -> None:
        """Give each parameter its value: what it is annotated as, else an open question."""
        plain = [*args.posonlyargs, *args.args]
        defaults: list[ast.expr | None] = [None] * (len(plain) - len(args.defaults)) + list(args.defaults)
        every = [*zip(plain, defaults), *zip(args.kwonlyargs, args.kw_defaults)]
        for at, (argument, default) in enumerate(every):
            if at == 0 and in_class and "staticmethod" not in decorators:
                self.env[argument.arg] = Class(self.cls) if "classmethod" in decorators else Instance(self.cls)
                continue
            self.env[argument.arg] = self.parameter(argument, default, summary)
        summary.parameters = tuple(argument.arg for argument, _ in every)
        for extra, kind in ((args.vararg, "tuple"), (args.kwarg, "dict")):
            if extra is not None:
                self.env[extra.arg] = Sequence(kind, None, self.parameter(extra, None, summary))

    def parameter(self, argument: ast.arg, default: ast.expr | None, summary: FunctionSummary) -> Value:
        term = Deferred("parameter", f"{summary.name}:{argument.arg}")
        summary.terms[argument.arg] = term
        declared = annotations.value_of(argument.annotation, self.eval) if argument.annotation else UNKNOWN
        if default is not None:
            summary.defaults[argument.arg] = self.eval(default)
        if declared is UNKNOWN:
            return term
        summary.declared[argument.arg] = declared
        if default is not None and isinstance(default, ast.Constant) and default.value is None:
            declared = join_all((declared, Host("NoneType", None)))
        value = _like(declared, term)
        summary.tensors = summary.tensors or any(isinstance(option, Tensor | Sequence) for option in options_of(value) if value is not declared)
        return value

    def fields(self, node: ast.ClassDef, bases: tuple[str, ...]) -> tuple[str, ...]:
        """The fields of a data class or named tuple; none of other classes."""
        makers = {self.manager_name(each) for each in node.decorator_list} | set(bases)
        return _fields(node) if makers & libraries.FIELD_MAKERS else ()

    def class_(self, node: ast.ClassDef) -> None:
        full = self.qualified(node.name)
        bases = [self.eval(base.value if isinstance(base, ast.Subscript) else base) for base in node.bases]
        names_of = tuple(base.name for base in bases if isinstance(base, Class | Module | Function))
        own = frozenset(item.name for item in node.body if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef))
        self.file.summary.classes[full] = ClassSummary(full, names_of, own, fields=self.fields(node, names_of))
        self.file.assigned[full] = _assigned(node)
        self.assign_name(node.name, Class(full))
        body = self.file.reader(self.file, full, {}, (self.env, *self.closure), full)
        body.region = self.region
        body.block(node.body)
        for name, value in body.env.items():
            if isinstance(value, Function | Class) or "." in name or "[" in name:
                continue
            self.file.summary.classes[full].attributes.setdefault(name, []).append(value)
        for method in body.inner:
            method.closure = (self.env, *self.closure)
        body.inner.sort(key=lambda reader: reader.node is None or reader.node.name != "__init__")
        self.inner += body.inner


def _fields(node: ast.ClassDef) -> tuple[str, ...]:
    """The annotated names of a class's body, in order."""
    return tuple(each.target.id for each in node.body if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name))


def _assigned(node: ast.ClassDef) -> dict[str, int]:
    """How often each attribute of `self` is bound in the class; a `for` or `with` that binds one counts as two."""
    counts: dict[str, int] = {}
    blocks: list[list[ast.stmt]] = [node.body]
    while blocks:
        for statement in blocks.pop():
            for target, weight in _targets(statement):
                if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self":
                    counts[target.attr] = counts.get(target.attr, 0) + weight
            for field in ("body", "orelse", "finalbody"):
                if inner := getattr(statement, field, None):
                    blocks.append(inner)
            blocks += [handler.body for handler in getattr(statement, "handlers", ())]
            blocks += [case.body for case in getattr(statement, "cases", ())]
    return counts


def _targets(statement: ast.stmt) -> Iterator[tuple[ast.expr, int]]:
    """What a statement binds, each with its weight."""
    match statement:
        case ast.Assign(targets=targets):
            for target in targets:
                for part in target.elts if isinstance(target, ast.Tuple | ast.List) else (target,):
                    yield part, 1
        case ast.AnnAssign(target=target, value=value) if value is not None:
            yield target, 1
        case ast.AugAssign(target=target):
            yield target, 2
        case ast.For(target=target):
            for part in target.elts if isinstance(target, ast.Tuple | ast.List) else (target,):
                yield part, 2
        case ast.With(items=items):
            for item in items:
                if item.optional_vars is not None:
                    yield item.optional_vars, 2


def _like(declared: Value, term: Deferred) -> Value:
    """An annotated tensor is on the device of whatever the caller passes."""
    match declared:
        case Tensor() if declared.device == OPEN:
            return Tensor(Device(ANYWHERE, term), declared.dtype, declared.rank, declared.memory)
        case DeviceRef() if declared.device == OPEN:
            return DeviceRef(Device(ANYWHERE, term))
        case OneOf():
            return OneOf(tuple(_like(option, term) for option in declared.options))
        case Sequence() if declared.kind in ("list", "tuple", "iter"):
            inner = _like(declared.element, term)
            items = None if declared.items is None else tuple(_like(item, term) for item in declared.items)
            if inner is declared.element and items == declared.items:
                return declared
            return Sequence(declared.kind, items, inner, declared.keys)
    return declared


def _moves_with_module(value: Value) -> Value:
    if isinstance(value, Tensor) and not value.device.on_gpu:
        return Tensor(OPEN, value.dtype, value.rank, ANY_MEMORY)
    return value


