"""Reads calls: finds what is called, gives the result's value, and writes down what rules and linking need to see."""

from __future__ import annotations

import ast
from dataclasses import replace

from ..facts import libraries, torch_ops
from ..facts.host import HOST_LIBRARIES
from ..facts.signatures import lookup
from ..finding import Reason
from . import methods, results
from .access import TENSOR_METHODS
from .expressions import Expressions, can_wait, path
from .lattice import CPU, GPU, Device
from .operations import Call, Compare, Truth
from .results import Arguments, Keywords
from .tensors import as_device
from .values import (
    NONE,
    SPREAD,
    UNKNOWN,
    Batch,
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
)

NUMBER_BUILTINS = frozenset(("int", "float", "bool", "complex"))
TEXT_BUILTINS = frozenset(("str", "repr", "print", "format", "ascii"))
LOG_METHODS = frozenset(("debug", "info", "warning", "warn", "error", "critical", "exception", "log"))
LAZY_LOG_METHODS = frozenset(("debug",))
MOVES = frozenset(("to", "cuda", "cpu", "float", "half", "double", "bfloat16", "int", "long", "bool", "type"))
"""Methods that tensors share with modules only."""
ARRAY_METHODS = frozenset((
    "item", "tolist", "mean", "sum", "max", "min", "any", "all", "argmax", "argmin", "std", "var", "prod", "cumsum", "squeeze",
    "reshape", "flatten", "transpose", "nonzero", "numpy", "norm", "view", "abs", "unique", "sort", "topk", "eq", "ne",
))  # fmt: skip
"""Methods that tensors share with numpy arrays and the like."""
TENSOR_MAKERS = frozenset(("tensor", "as_tensor", "asarray", "Tensor", "FloatTensor", "LongTensor", "DoubleTensor", "IntTensor"))
NUMBERS_ONLY = frozenset("sfi")
NUMBERS_OR_DTYPES = frozenset("sfid")
ONLY_TENSOR = frozenset("t")


class Calls(Expressions):
    """The part of the interpreter that evaluates calls."""

    def call(self, node: ast.Call) -> Value:
        callee = self.eval(node.func) if not isinstance(node.func, ast.Attribute) else self.method_of(node.func)
        positional, keywords = self.arguments(node)
        self.watch_frequency(node, callee)
        if any(key in libraries.HOST_BATCH and value == Host("str", libraries.HOST_BATCH[key]) for key, value in keywords):
            return Batch(Device(CPU, None, self.because(node, "tokenizers and processors return tensors on the host")))
        value = self.apply(node, callee, positional, keywords)
        return self.recorder.same(value)

    def method_of(self, node: ast.Attribute) -> Value:
        """The callee of a method call; a method that only tensors have is evidence."""
        return self.attribute(node)

    def arguments(self, node: ast.Call) -> tuple[tuple[Value, ...], Keywords]:
        positional: list[Value] = []
        for argument in node.args:
            value = self.eval(argument)
            if isinstance(argument, ast.Starred):
                items = options_of(value)
                positional.extend(items if len(items) == 1 else (value,))
            else:
                positional.append(value)
        keywords = []
        for keyword in node.keywords:
            value = self.eval(keyword.value)
            if keyword.arg is not None:
                keywords.append((keyword.arg, value))
        return tuple(positional), tuple(keywords)

    def apply(self, node: ast.Call, callee: Value, positional: tuple[Value, ...], keywords: Keywords) -> Value:
        """The value of calling `callee`."""
        match callee:
            case Function(name, None):
                return self.apply_named(node, name, positional, keywords)
            case Module(name):
                return self.apply_named(node, name, positional, keywords)
            case Class(name):
                return self.construct(node, name, positional, keywords)
            case Function(name, receiver) if receiver is not None:
                return self.apply_method(node, name, receiver, positional, keywords)
            case Instance():
                return self.apply_instance(node, callee, positional, keywords)
            case Batch():
                return Batch(callee.device)
            case Deferred():
                return self.apply_deferred(node, callee, positional, keywords)
            case OneOf():
                return join_all(self.apply(node, option, positional, keywords) for option in callee.options if option != NONE)
            case Host():
                if isinstance(node.func, ast.Attribute):
                    self.note_host_method(node, node.func, positional, keywords)
                return Host("object") if callee.kind != "ndarray" else callee
        return UNKNOWN

    def note_host_method(
        self, node: ast.Call, func: ast.Attribute, positional: tuple[Value, ...], keywords: Keywords
    ) -> None:
        """A method of an object of the host that makes text: `"{}".format(value)`, `logger.info("%s", value)`."""
        if func.attr == "format":
            self.note_text(node, positional, "str.format()")
        elif func.attr == "set_postfix":
            self.note_watched(node, "tqdm.tqdm.set_postfix", None, Arguments(None, positional, keywords))
        elif func.attr in LOG_METHODS - LAZY_LOG_METHODS and "log" in (path(func.value) or ""):
            self.note_text(node, positional[1:], "logging")

    # -- functions -----------------------------------------------------------------------------------------------------

    def apply_named(self, node: ast.Call, name: str, positional: tuple[Value, ...], keywords: Keywords) -> Value:
        if name.startswith(TENSOR_METHODS) and positional:
            return self.apply_method(node, name, positional[0], positional[1:], keywords)
        if self.is_local(name):
            return self.call_of_project(name, positional, keywords)
        arguments = Arguments(None, positional, keywords, lambda message: self.recorder.reason(node, message))
        self.note_function(node, name, arguments)
        if name in ("getattr",) and len(positional) > 1 and isinstance(positional[1], Host):
            if isinstance(positional[1].constant, str):
                return self.read_attribute(positional[0], positional[1].constant)
        value = results.call(name, arguments)
        if value is None:
            return self.call_of_project(name, positional, keywords)
        return self.made_here(node, name, value, arguments) if libraries.is_metric(name) else value

    def made_here(self, node: ast.Call, name: str, value: Value, arguments: Arguments) -> Value:
        """A metric whose constructor is called here: write it down, and remember where it comes from."""
        if not isinstance(value, Instance):
            return value
        if any(keyword.arg is None for keyword in node.keywords):
            arguments.keywords[SPREAD] = UNKNOWN
            value = replace(value, arguments=(*value.arguments, (SPREAD, UNKNOWN)))
        self.note_watched(node, name, None, arguments)
        return replace(value, made=self.recorder.span(node))

    def is_local(self, name: str) -> bool:
        """The function is defined in this file."""
        raise NotImplementedError

    def call_of_project(self, name: str, positional: tuple[Value, ...], keywords: Keywords) -> Value:
        """A call of a function that linking may know."""
        self.note_call(name, positional, keywords)
        return defer("call", name, positional, keywords)

    def note_call(self, name: str, positional: tuple[Value, ...], keywords: Keywords) -> None:
        """Remember who calls what, with which arguments (the function part keeps it)."""
        raise NotImplementedError

    def construct(self, node: ast.Call, name: str, positional: tuple[Value, ...], keywords: Keywords) -> Value:
        """An object of a class of this file."""
        numbered = tuple((str(at), value) for at, value in enumerate(positional))
        self.note_call(f"{name}.__init__", (Instance(name), *positional), keywords)
        made = self.recorder.span(node) if self.kind_of(name) == "metric" else None
        return Instance(name, numbered + keywords, None, made)

    def note_function(self, node: ast.Call, name: str, arguments: Arguments) -> None:
        """What a call of a library function means for its arguments."""
        root, _, last = name.rpartition(".")
        if not root:
            self.note_builtin(node, name, arguments)
        elif root in ("math", "cmath", "operator"):
            for argument, value in zip(node.args, arguments.positional):
                to = "index" if last == "index" else "float"
                self.convert(argument, value, to, f"{name}()")
        elif root.startswith("torch") or last in torch_ops.WATCHED:
            if last in torch_ops.WATCHED:
                self.note_watched(node, name, None, arguments)
            if last in TENSOR_MAKERS and node.args:
                self.note_numbers(node.args[0], arguments.positional[0], f"`{last}`")
            self.note_signature(node, name, arguments)
        elif root == "logging" and last in LOG_METHODS - LAZY_LOG_METHODS:
            self.note_text(node, arguments.positional[1:], "logging")
        if root.partition(".")[0] not in HOST_LIBRARIES:
            self.note_passed_functions(arguments)

    def note_builtin(self, node: ast.Call, name: str, arguments: Arguments) -> None:
        values = arguments.positional
        if name in NUMBER_BUILTINS and len(values) == 1:
            self.convert(node, values[0], name, f"{name}()")
        elif name in TEXT_BUILTINS:
            self.note_text(node, values, f"{name}()")
        elif name == "range":
            for argument, value in zip(node.args, values):
                self.convert(argument, value, "index", "range()")
        elif name in ("max", "min", "sorted") and values and "key" not in arguments.keywords:
            self.note_comparisons(node, name, values)
        elif name in ("any", "all") and len(values) == 1:
            self.note_any(node, name, values[0])
        elif name in ("map", "filter"):
            self.note_passed_functions(arguments)

    def note_text(self, node: ast.Call, values: tuple[Value, ...], by: str) -> None:
        """Text is made of these values."""
        for argument, value in zip(node.args[-len(values) :] if values else [], values):
            self.convert(argument, value, "str", by)

    def note_comparisons(self, node: ast.Call, name: str, values: tuple[Value, ...]) -> None:
        """`max(a, b)` and `sorted(items)` compare tensors one with the other."""
        compared = tuple(methods.element(value) for value in values) if len(values) == 1 else values
        if any(can_wait(value) for value in compared):
            self.emit(Compare, node, values=compared, by=name, many=len(values) == 1)

    def note_any(self, node: ast.Call, name: str, value: Value) -> None:
        each = methods.element(value)
        if can_wait(each):
            self.emit(Truth, node, value=each, how=f"{name}()")

    def note_watched(self, node: ast.Call, name: str, receiver: Value | None, arguments: Arguments) -> None:
        """Write down a call that rules look at."""
        used = not (isinstance(self.statement, ast.Expr) and self.statement.value is node)
        self.emit(
            Call,
            node,
            name=name,
            receiver=receiver,
            positional=arguments.positional,
            keywords=tuple(arguments.keywords.items()),
            used=used,
        )

    def note_signature(self, node: ast.Call, name: str, arguments: Arguments) -> None:
        """Arguments that only a tensor can be are evidence; tensors where the schema wants a number are converted."""
        signature = None if name.rpartition(".")[2][:1].isupper() else lookup(name)
        if signature is None:
            return
        kinds = signature.bind(len(arguments.positional), arguments.keywords)
        keyword_nodes = {keyword.arg: keyword.value for keyword in node.keywords}
        for at, (value, argument) in enumerate(zip(arguments.positional, node.args)):
            parameters = signature.at(at)
            self.note_argument(argument, value, kinds[at], name, parameters[-1].name if parameters else "")
        for key, value in arguments.keywords.items():
            if key in keyword_nodes:
                self.note_argument(keyword_nodes[key], value, kinds[key], name, key)

    def note_argument(self, argument: ast.expr, value: Value, kinds: frozenset[str], name: str, parameter: str) -> None:
        if kinds == ONLY_TENSOR:
            if isinstance(value, Deferred):
                self.recorder.saw_tensor(value, f"`{name}` takes a tensor here", self.scope)
        elif kinds & NUMBERS_ONLY and kinds <= NUMBERS_OR_DTYPES:
            self.note_number(argument, value, name, parameter)

    def note_number(self, argument: ast.expr, value: Value, name: str, parameter: str) -> None:
        if isinstance(value, Tensor | OneOf) or (isinstance(value, Deferred) and value.op != "parameter"):
            short = name.removeprefix(TENSOR_METHODS).removeprefix("torch.")
            self.convert(argument, value, "number", f"`{parameter}` of `{short}`")
        elif isinstance(value, Sequence) and value.kind in ("list", "tuple") and value.items is not None:
            for each in value.items:
                if isinstance(each, Tensor) and can_wait(each):
                    self.note_number(argument, each, name, parameter)

    def note_numbers(self, argument: ast.expr, value: Value, by: str) -> None:
        """A tensor made of a list reads each tensor in the list."""
        if isinstance(value, Sequence) and value.kind in ("list", "tuple"):
            self.convert(argument, value.any_item(), "number", f"an element for {by}")

    def note_passed_functions(self, arguments: Arguments) -> None:
        """A function that is passed on will be called from there."""
        for value in arguments.all():
            if isinstance(value, Function) and self.is_local(value.name):
                receiver = () if value.receiver is None else (value.receiver,)
                self.note_call(value.name, receiver, ())

    # -- methods -------------------------------------------------------------------------------------------------------

    def apply_method(
        self, node: ast.Call, name: str, receiver: Value, positional: tuple[Value, ...], keywords: Keywords
    ) -> Value:
        last = name.rpartition(".")[2]
        if isinstance(receiver, Deferred):
            return self.apply_deferred(node, defer("attribute", last, (receiver,)), positional, keywords)
        if self.is_local(name):
            return self.call_of_project(name, (receiver, *positional), keywords)
        arguments = Arguments(receiver, positional, keywords, lambda message: self.recorder.reason(node, message))
        if last in torch_ops.WATCHED:
            self.note_watched(node, name, receiver, arguments)
        match receiver:
            case Tensor() | Batch() if name.startswith(TENSOR_METHODS):
                self.note_signature(node, name, Arguments(None, positional, keywords))
                return results.method(last, receiver, arguments) or UNKNOWN
            case Batch():
                return methods.of_batch(receiver, last)
            case Sequence():
                return self.change_sequence(node, last, receiver, arguments)
            case Instance():
                return self.library_method(receiver, last, arguments)
            case OneOf():
                return join_all(self.apply_method(node, name, o, positional, keywords) for o in receiver.options if o != NONE)
        return UNKNOWN

    def library_method(self, receiver: Instance, name: str, arguments: Arguments) -> Value:
        """What a method of an object of a library class, or of a class derived from one, returns."""
        kind = self.kind_of(receiver.cls)
        if kind == "distribution" and name in methods.DISTRIBUTION_SAMPLES:
            return methods.of_distribution(receiver, arguments)
        self.note_passed_functions(arguments)
        return methods.of_library_object(receiver, kind, name, arguments) if kind else UNKNOWN

    def kind_of(self, cls: str) -> str | None:
        """What objects of a class are (`module`, `metric`, …), through the classes of this file."""
        raise NotImplementedError

    def change_sequence(self, node: ast.Call, name: str, receiver: Sequence, arguments: Arguments) -> Value:
        changed = methods.added_to(receiver, name, arguments)
        if changed is not None and isinstance(node.func, ast.Attribute) and (key := path(node.func.value)):
            self.assign_path(node.func.value, key, changed)
        return methods.of_sequence(receiver, name, arguments)

    def assign_path(self, node: ast.expr, key: str, value: Value) -> None:
        """Bind a name, attribute or item (the statements part knows how)."""
        raise NotImplementedError

    # -- objects and questions -----------------------------------------------------------------------------------------

    def apply_instance(self, node: ast.Call, callee: Instance, positional: tuple[Value, ...], keywords: Keywords) -> Value:
        if self.is_local_class(callee.cls):
            name = f"{callee.cls}.__call__"
            if self.kind_of(callee.cls) == "metric":
                self.note_watched(node, "?()", callee, Arguments(callee, positional, keywords))
            self.note_call(name, (callee, *positional), keywords)
            return defer("call", name, (callee, *positional), keywords)
        kind = self.kind_of(callee.cls)
        arguments = Arguments(callee, positional, keywords, lambda message: self.recorder.reason(node, message))
        if kind == "metric":
            self.note_watched(node, f"{callee.cls}.__call__", callee, arguments)
        signature = lookup(callee.cls)
        if kind == "module" and signature is not None:
            inner = Arguments(None, positional, keywords, arguments.why)
            value = results.of_signature(signature, inner)
            if value is not None and value is not UNKNOWN:
                return value
        return methods.called(callee, kind, Arguments(None, positional, keywords)) if kind else UNKNOWN

    def is_local_class(self, name: str) -> bool:
        """The class is defined in this file."""
        raise NotImplementedError

    def apply_deferred(self, node: ast.Call, callee: Deferred, positional: tuple[Value, ...], keywords: Keywords) -> Value:
        """A call of something linking must find: a method of an open value, or an open value itself."""
        arguments = Arguments(None, positional, keywords)
        self.note_passed_functions(arguments)
        if callee.op != "attribute":
            self.note_watched(node, "?()", callee, arguments)
            return defer("call_value", "", (callee, *positional), keywords)
        base = self.recorder.same(callee.operands[0])
        self.note_evidence(base, callee.name, not positional and not keywords)
        if callee.name in torch_ops.WATCHED:
            self.note_watched(node, f"?.{callee.name}", base, arguments)
        elif self.recorder.has_metrics:
            self.note_watched(node, "?()", callee, arguments)
        elif callee.name in LOG_METHODS and "log" in (path(node.func.value) or "" if isinstance(node.func, ast.Attribute) else ""):
            if callee.name not in LAZY_LOG_METHODS:
                self.note_text(node, positional, "logging")
        if isinstance(base, Instance) or isinstance(base, Deferred):
            self.note_watched_call(callee.name, base, positional, keywords)
        return defer("method", callee.name, (base, *self.placed(node, callee.name, positional)), keywords)

    def placed(self, node: ast.Call, name: str, positional: tuple[Value, ...]) -> tuple[Value, ...]:
        """The arguments of a call that moves an open value, with this place as the reason for its new device."""
        if name == "cuda":
            return (DeviceRef(Device(GPU, None, self.because(node, "moved to the GPU here"))),)
        if name != "to" or not positional:
            return positional
        device = as_device(positional[0], self.because(node, "moved here by `.to(…)`"))
        if device is None or isinstance(positional[0], Tensor | Batch):
            return positional
        return (DeviceRef(device), *positional[1:])

    def note_evidence(self, base: Value, name: str, bare: bool) -> None:
        """A method that only tensors have, by itself or behind the method before it, shows a tensor."""
        if name in self.tensor_methods:
            self.recorder.saw_tensor(base, f"its method `.{name}()` is one of tensors", self.scope)
        elif name == "backward" and bare:
            self.recorder.saw_tensor(base, "`.backward()` is called on it", self.scope)
        elif isinstance(base, Deferred) and base.op == "method" and base.operands:
            chain = f"`.{base.name}().{name}()` is a chain of tensor methods"
            inner = self.recorder.same(base.operands[0])
            if (base.name in MOVES and name in ARRAY_METHODS) or (base.name in ARRAY_METHODS and name in MOVES):
                self.recorder.saw_tensor(inner, chain, self.scope)
                self.recorder.saw_tensor(base, chain, self.scope)

    def note_watched_call(self, name: str, base: Value, positional: tuple[Value, ...], keywords: Keywords) -> None:
        """A method of an object whose class may be known when linking."""
        if isinstance(base, Instance):
            self.note_call(f"{base.cls}.{name}", (base, *positional), keywords)

    tensor_methods: frozenset[str]

    # -- frequency -----------------------------------------------------------------------------------------------------

    def watch_frequency(self, node: ast.Call, callee: Value) -> None:
        """A backward pass, an optimizer's step or a model's call tells what the loop around it is."""
        if self.region.nearest_loop() is None:
            return
        func = node.func
        last = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
        if last in ("backward", "manual_backward"):
            self.region.mark_step(self.because(node, f"the loop calls `{last}()`"), True)
        elif last == "step" and isinstance(func, ast.Attribute) and self.is_optimizer(func.value):
            self.region.mark_step(self.because(node, "the loop steps an optimizer"), True)
        elif last in libraries.STEP_FUNCTIONS and not (last == "step" and isinstance(func, ast.Attribute)):
            self.region.mark_step(self.because(node, f"the loop calls `{last}()`"), True)
        elif self.is_model(last, callee) or (last == "forward" and isinstance(func, ast.Attribute)):
            self.region.mark_decoding(self.because(node, f"the loop calls the model `{last}`"))

    def is_optimizer(self, node: ast.expr) -> bool:
        name = (path(node) or "").rpartition(".")[2].lower()
        return "optim" in name or name in ("opt", "scaler", "engine", "model_engine")

    def is_model(self, name: str, callee: Value) -> bool:
        words = name.lower().strip("_").split("_")
        if isinstance(callee, Instance):
            return self.kind_of(callee.cls) in libraries.MODULE_KINDS and not callee.cls.startswith("torch.nn.")
        if isinstance(callee, Function | Class | Module | Sequence | Host):
            return False
        return name.lower() in libraries.MODEL_NAMES or words[-1] in libraries.MODEL_NAMES

    def because(self, node: ast.expr | ast.stmt, message: str) -> Reason:
        return self.recorder.reason(node, message)


