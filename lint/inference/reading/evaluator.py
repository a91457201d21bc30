"""The state of one function while it is read, and the interface that the parts of its reader share."""

from __future__ import annotations

import ast
from typing import Any

from ...finding import Reason
from ..library.access import of_module
from ..library.imports import builtin
from ..notes.operations import Convert, HostRead, Operation, Truth
from ..often.gates import mask_name
from ..often.regions import Region
from ..values.arguments import Keywords
from ..values.certainty import can_wait
from ..values.containers import spread
from ..values.lattice import GPU, Device, may_be_mask
from ..values.unfinished import complete, holds_pending, pending
from ..values.union import UNKNOWN, Deferred, DeviceRef, Module, Tensor, Value, defer
from .file_state import FileState
from .scope import Names


class Evaluator:
    """The base of all parts of the reader of a function (or of a module's or class's body).

    `env` holds what each name is bound to at this point, `closure` the names of the enclosing functions and module,
    `region` and `statement` where the reader is; `cls` is the class that the body belongs to. `has_paths` says that
    `env` holds attributes or items, too; `conditions` are the names that stand for a condition; `copying` says that a
    copy to the host may be in progress, and `views` are the arrays made from such copies. `spread` is each value in the
    function's `**keywords`. `results` and `yields` are what the function has returned so far.
    """

    def __init__(self, file: FileState, scope: str, env: Names, closure: tuple[Names, ...], cls: str = "") -> None:
        self.file = file
        self.recorder = file.recorder
        self.gpu_names = file.gpu_names
        self.tensor_methods = file.methods_for(cls)
        self.scope = scope
        self.env = env
        self.closure = closure
        self.cls = cls
        self.region = Region("function")
        self.statement: ast.stmt = ast.Pass(lineno=1, col_offset=0, end_lineno=1, end_col_offset=0)
        self.has_paths = False
        self.conditions: dict[str, ast.expr] = {}
        self.copying = False
        self.views: list[ast.expr] = []
        self.spread: Value | None = None
        self.results: list[Value] = []
        self.yields: list[Value] = []

    def eval(self, node: ast.expr) -> Value:
        """Return the value of an expression."""
        raise NotImplementedError

    def block(self, body: list[ast.stmt]) -> None:
        """Run statements in order, as far as they are reachable."""
        raise NotImplementedError

    def lookup(self, name: str) -> Value:
        """Return the value of a name: of the function, enclosing ones, the module, a star import, a builtin."""
        value = self.env.get(name)
        if value is not None:
            return value
        for names in self.closure:
            if (value := names.get(name)) is not None:
                return value
        if (value := builtin(name)) is not UNKNOWN:
            return value
        for names in self.closure:
            if isinstance(star := names.get("*"), Module):
                return of_module(star, name)
        return self.recorder.same(defer("name", name))

    def gpu_device(self, node: ast.expr) -> Value:
        """Return a device that the configuration names."""
        return DeviceRef(Device(GPU, None, self.because(node, "the configuration says that this device is a GPU")))

    def because(self, node: ast.expr | ast.stmt, message: str) -> Reason:
        """Return a reason located here."""
        return self.recorder.reason(node, message)

    def indices(self, node: ast.expr) -> tuple[Value, ...]:
        """Return the values of a subscript, one per dimension."""
        if isinstance(node, ast.Tuple) and node.elts:
            return tuple(self.eval(each.value if isinstance(each, ast.Starred) else each) for each in node.elts)
        return spread((self.eval(node),))

    def masks(self, node: ast.expr, base: Value, indices: tuple[Value, ...]) -> tuple[Value, ...]:
        """Return the indices of a potential tensor; an otherwise unknown one that is named like a mask is one."""
        parts = node.elts if isinstance(node, ast.Tuple) else [node]
        if len(parts) != len(indices):
            return indices
        return tuple(self._mask(part, base, value) for part, value in zip(parts, indices))

    def _mask(self, node: ast.expr, base: Value, value: Value) -> Value:
        is_open = isinstance(value, Deferred) or (isinstance(value, Tensor) and may_be_mask(value.dtype))
        name = mask_name(node) if is_open else None
        return value if name is None else self.recorder.same(defer("mask", name, (value, base)))

    # -- what is written down ------------------------------------------------------------------------------------------

    def emit(self, kind: type[Operation], node: ast.expr, quoted: ast.expr | None = None, **operands: Any) -> None:
        """Record an operation here; `quoted` shows more of it than the node does."""
        self.recorder.emit(kind, node, self.statement, self.region, self.scope, quoted, **operands)

    def note_call(self, name: str, positional: tuple[Value, ...], keywords: Keywords, passed: bool = False) -> None:
        """Record that a function is called here with these arguments, or passed on to be called."""
        self.recorder.called(name, positional, keywords, self.region, self.scope, passed)

    def truth(self, node: ast.expr, value: Value, how: str) -> None:
        """Record that Python needs the truth value of a value."""
        if can_wait(value):
            self.emit(Truth, node, value=value, how=how)
            self.settle_copies()
        elif self.copying:
            self.host_read(node, value, how)

    def convert(self, node: ast.expr, value: Value, to: str, by: str, quoted: ast.expr | None = None) -> None:
        """Record that Python converts a value to one of its own types."""
        if can_wait(value):
            self.emit(Convert, node, quoted, value=value, to=to, by=by)
            self.settle_copies()
        elif self.copying:
            self.host_read(node, value, by)

    def host_read(self, node: ast.expr, value: Value, how: str) -> None:
        """Record that the host reads a value; reading a copy that the device may still be writing is a race."""
        if pending(value) is not None:
            self.emit(HostRead, node, value=value, how=how)

    def settle_copies(self) -> None:
        """Mark copies to the host as complete, because the host may wait for the device here."""
        if not self.copying:
            return
        self.copying = False
        for name, value in list(self.env.items()):
            if holds_pending(value):
                self.env[name] = complete(value)
