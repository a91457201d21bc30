"""Records what a call means for rules and for linking: conversions, evidence, comparisons, steps."""

from __future__ import annotations

import ast

from ...facts import modules, torch_transfers
from ...facts.attributes import ARRAY_METHODS, SHARED_WITH_MODULES, TAKE_POSITIONS
from ...facts.callbacks import Callback
from ...facts.host import HOST_LIBRARIES, NUMBER_BUILTINS, NUMBER_MODULES, TEXT_BUILTINS
from ...facts.logging_frameworks import LOG_METHODS
from ...facts.signatures import lookup, public_tensor_methods
from ...facts.torch_ops import TENSOR_MAKERS
from ..library import callbacks
from ..notes.operations import Call, Compare, HostRead, Truth
from ..often.regions import Region
from ..values.arguments import Arguments, Keywords
from ..values.certainty import can_wait
from ..values.containers import element
from ..values.joining import any_item
from ..values.tensors import is_size
from ..values.unfinished import pending
from ..values.union import UNKNOWN, Deferred, Function, Host, Instance, Module, OneOf, Sequence, Tensor, Value
from .default_device import DefaultDevice
from .scope import path

READING = frozenset(("item", "tolist", "numpy"))
"""Tensor methods that read the tensor on the host."""
LIBRARIES = ("torch.", "numpy.", "list.", "dict.", "tuple.", "time.", "math.")
"""Prefixes of the names of functions that wait for no copy, unless facts say so."""

NUMBERS = frozenset("sfi")
NUMBERS_OR_DTYPES = frozenset("sfid")
ONLY_TENSOR = frozenset("t")
"""Sets of parameter kinds (see `facts.signatures`)."""


class CallNotes(DefaultDevice):
    """The part of the reader that records what a call tells besides its result."""

    def note_function(self, node: ast.Call, name: str, arguments: Arguments) -> None:
        """Record what a call of a library function means for its arguments."""
        root, _, last = name.rpartition(".")
        if not root:
            self.note_builtin(node, name, arguments)
        elif root in NUMBER_MODULES:
            for argument, value in zip(node.args, arguments.positional):
                to = "index" if last == "index" else "float"
                self.convert(argument, value, to, f"{name}()")
        elif (is_watched := self.file.watched.have(name)) or root.startswith("torch"):
            if is_watched:
                self.note_watched_function(node, name, arguments)
            if last in TENSOR_MAKERS and node.args:
                self.note_numbers(node.args[0], arguments.positional[0], f"`{last}`")
            self.note_signature(node, name, arguments)
        elif root == "logging" and last in LOG_METHODS:
            self.note_text(node, arguments.positional[1:], "logging")
        self.note_handed(node, name, arguments)
        if root.partition(".")[0] not in HOST_LIBRARIES:
            self.note_passed_functions(arguments)

    def note_builtin(self, node: ast.Call, name: str, arguments: Arguments) -> None:
        """Record what a builtin needs of its arguments: numbers, text, comparisons, truth values."""
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

    def note_text(self, node: ast.Call, values: tuple[Value, ...], by: str) -> None:
        """Record that these values are formatted as text."""
        for argument, value in zip(node.args[-len(values) :] if values else [], values):
            self.convert(argument, value, "str", by)

    def note_comparisons(self, node: ast.Call, name: str, values: tuple[Value, ...]) -> None:
        """Record that `max(a, b)` and `sorted(items)` compare tensors with each other."""
        compared = tuple(element(value) for value in values) if len(values) == 1 else values
        if any(can_wait(value) for value in compared):
            self.emit(Compare, node, values=compared, by=name, many=len(values) == 1)

    def note_any(self, node: ast.Call, name: str, value: Value) -> None:
        """Record that `any(items)` and `all(items)` need the truth value of each item."""
        each = element(value)
        if can_wait(each):
            self.emit(Truth, node, value=each, how=f"{name}()")

    def note_watched_function(self, node: ast.Call, name: str, arguments: Arguments) -> None:
        """Record a function of a library, or a method of something that another file of the project binds to a name."""
        base, _, last = name.rpartition(".")
        if base.startswith(("torch", "numpy")) or "." not in base:
            self.note_watched(node, name, None, arguments)
        else:
            self.note_watched(node, f"?.{last}", Module(base), arguments)

    def note_watched(self, node: ast.Call, name: str, receiver: Value | None, arguments: Arguments) -> None:
        """Record a call that rules look at."""
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

    def note_copies(self, node: ast.Call, callee: Value, value: Value) -> None:
        """Record that a call may read a copy still in progress, start one, or wait until all are complete."""
        if self.copying or self.views:
            self.follow_copies(node, callee)
        if isinstance(value, Tensor) and value.pending is not None:
            self.copying = True

    def follow_copies(self, node: ast.Call, callee: Value) -> None:
        """Track what a call means for the copies in progress."""
        name = callee.name.rpartition(".")[2] if isinstance(callee, Function | Module | Deferred) else ""
        if self.copying and isinstance(callee, Function) and pending(callee.receiver or UNKNOWN) and name in READING:
            self.host_read(node, callee.receiver or UNKNOWN, f"`.{name}()`")
            if name == "numpy":
                self.views.append(node)
        elif self.copying and (name in torch_transfers.SYNCHRONIZING or not self.is_harmless(callee)):
            self.settle_copies()
        if self.views and name in torch_transfers.WAITS_FOR_COPIES:
            self.forget_views()

    def forget_views(self) -> None:
        """Forget arrays that share a copy's memory: they may be read later, once the copy is complete."""
        for view in self.views:
            self.recorder.operations.pop((id(view), HostRead.__name__), None)
        self.views.clear()

    def is_harmless(self, callee: Value) -> bool:
        """Whether this is a library call that is not known to wait, or a method call on a host value."""
        if isinstance(callee, Deferred) and callee.op == "attribute":
            owner = callee.operands[0]
            return isinstance(owner, Instance) and owner.cls.startswith("torch.cuda.")
        if isinstance(callee, Function | Module):
            return not self.file.is_local(callee.name) and (callee.name.startswith(LIBRARIES) or "." not in callee.name)
        return isinstance(callee, Host)

    def note_host_method(self, node: ast.Call, positional: tuple[Value, ...], keywords: Keywords) -> None:
        """Record a method of a host object that formats text: `"{}".format(value)`, `logger.info("%s", value)`."""
        func = node.func
        if not isinstance(func, ast.Attribute):
            return
        if func.attr == "format":
            self.note_text(node, positional, "str.format()")
        elif func.attr == "set_postfix":
            self.note_watched(node, "tqdm.tqdm.set_postfix", None, Arguments(None, positional, keywords))
        elif func.attr in LOG_METHODS and "log" in (path(func.value) or ""):
            self.note_text(node, positional[1:], "logging")

    def note_signature(self, node: ast.Call, name: str, arguments: Arguments) -> None:
        """Record evidence for arguments that must be tensors, and conversions of tensors where a number is expected."""
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
        """Record what the kinds that a parameter accepts tell about the argument."""
        if kinds == ONLY_TENSOR:
            if isinstance(value, Deferred):
                self.recorder.saw_tensor(value, f"`{name}` expects a tensor here", self.scope)
        elif kinds & NUMBERS and kinds <= NUMBERS_OR_DTYPES:
            self.note_number(argument, value, name, parameter)

    def note_number(self, argument: ast.expr, value: Value, name: str, parameter: str) -> None:
        """Record the read of a tensor where a number is expected; an open parameter is not known to be a tensor."""
        if isinstance(value, Tensor | OneOf) or (isinstance(value, Deferred) and value.op != "parameter"):
            self.convert(argument, value, "number", f"`{parameter}` of `{name.rpartition('.')[2]}`")
        elif isinstance(value, Sequence) and value.kind in ("list", "tuple") and value.items is not None:
            for each in value.items:
                if isinstance(each, Tensor) and can_wait(each):
                    self.note_number(argument, each, name, parameter)

    def note_numbers(self, argument: ast.expr, value: Value, by: str) -> None:
        """Record that a tensor created from a list reads each tensor in the list."""
        while isinstance(value, Sequence) and value.kind in ("list", "tuple"):
            value = any_item(value)
            self.convert(argument, value, "number", f"an element for {by}")

    def note_handed(self, node: ast.Call, name: str, arguments: Arguments) -> None:
        """Record that a library calls the functions given here; how often, and with what, is a fact."""
        for row, call in callbacks.handed(name, arguments):
            self.recorder.called(*call, self.region_of(node, row), self.scope)

    def region_of(self, node: ast.Call, row: Callback) -> Region:
        """Return the region in which a library calls the function it is given here."""
        if not row.how_often:
            return self.region
        reason = self.because(node, row.words)
        if row.how_often in ("element", "worker"):
            return Region("loop" if row.how_often == "element" else "worker", self.region, reason)
        evaluating = row.how_often == "evaluation"
        return Region("loop", self.region, stepping=reason, evaluating=evaluating, training=not evaluating)

    def note_passed_functions(self, arguments: Arguments) -> None:
        """Record that a function passed on will be called from there; a lambda without parameters may never be."""
        for value in arguments.all():
            if (
                isinstance(value, Function)
                and self.file.is_local(value.name)
                and not self.file.is_for_later(value.name)
            ):
                receiver = () if value.receiver is None else (value.receiver,)
                self.note_call(value.name, receiver, (), passed=True)

    def note_open_method(self, node: ast.Call, callee: Deferred, base: Value, arguments: Arguments) -> None:
        """Record a method of a value that only linking may know."""
        name, positional = callee.name, arguments.positional
        self.note_handed(node, f"?.{name}", arguments)
        self.note_evidence(base, name, arguments)
        if name in self.file.watched.methods:
            self.note_watched(node, f"?.{name}", base, arguments)
        elif self.recorder.calls_objects:
            self.note_watched(node, "?()", callee, arguments)
        elif name in LOG_METHODS and isinstance(node.func, ast.Attribute) and "log" in (path(node.func.value) or ""):
            self.note_text(node, positional, "logging")
        match base:
            case Instance(cls) | Deferred("declared", cls):
                self.note_call(f"{cls}.{name}", (base, *positional), tuple(arguments.keywords.items()))
            case Deferred("call" | "method") if (made := made_by(base)) is not None:
                self.note_call(f"{made}.{name}", (base, *positional), tuple(arguments.keywords.items()))
            case Deferred("attribute", attribute, (Instance(cls) | Deferred("declared", cls), *_)):
                self.note_call(f"{cls}.{attribute}.{name}", (base, *positional), tuple(arguments.keywords.items()))

    def note_evidence(self, base: Value, name: str, arguments: Arguments) -> None:
        """Record that a method that only tensors have, alone or in a chain, proves a tensor."""
        bare = not arguments.positional and not arguments.keywords
        if name in self.tensor_methods:
            self.recorder.saw_tensor(base, f"`.{name}()` is a tensor method", self.scope)
        elif (given := _as_of_tensors(name, arguments)) is not None:
            self.recorder.saw_tensor(base, f"`.{name}()` is called with {given}, as on tensors", self.scope)
        elif name == "backward" and bare:
            self.recorder.saw_tensor(base, "`.backward()` is called on it", self.scope)
        elif isinstance(base, Deferred) and base.op == "method" and base.operands:
            self.note_chain(base, name)

    def note_chain(self, base: Deferred, name: str) -> None:
        """Record chains such as `x.mean().cpu()`: objects with just one of the methods are not tensors."""
        pair = (base.name, name)
        for first, second in (pair, pair[::-1]):
            if first in SHARED_WITH_MODULES and second in ARRAY_METHODS:
                why = f"`.{base.name}().{name}()` is a chain of tensor methods"
                self.recorder.saw_tensor(self.recorder.same(base.operands[0]), why, self.scope)
                self.recorder.saw_tensor(base, why, self.scope)


def made_by(value: Value) -> str | None:
    """Return what is called to make a value, which may be a class of another file, and was perhaps moved since."""
    while isinstance(value, Deferred) and value.op == "method" and value.name in modules.SELF_METHODS:
        value = value.operands[0]
    return value.name if isinstance(value, Deferred) and value.op == "call" else None


def _as_of_tensors(name: str, arguments: Arguments) -> str | None:
    """Return the argument that a method accepts only on tensors: `x.any(dim=-1)`, `x.size(0)`, `x.expand(-1, 3)`."""
    if not arguments.positional and name in public_tensor_methods():
        dimension = arguments.keywords.get("dim")
        if isinstance(dimension, Host) and dimension.kind == "int":
            return "`dim=`"
        return "`keepdim=`" if "keepdim" in arguments.keywords else None
    return "a number" if name in TAKE_POSITIONS and any(map(is_size, arguments.positional)) else None
