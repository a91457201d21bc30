"""Reads a function's body, then queues the functions nested in it."""

from __future__ import annotations

import ast

from ...finding import Frequency, Level, Reason
from ..notes.summary import FunctionSummary
from ..often.bystanders import no_step
from ..often.regions import has_steps
from ..values.joining import join_all
from ..values.lattice import OPEN
from ..values.union import NONE, Host, Sequence, Tensor, Value
from .scope import Names
from .statements import Statements

AT_IMPORT = Frequency(Level.ONCE, (Reason("module level runs once, when the file is run or imported"),))


class FunctionReader(Statements):
    """Reads one function's body, or the module's or a class's.

    Python's constructs are spread over its bases, from `Evaluator` (the state) up to `Statements`.
    """

    def run_module(self, body: list[ast.stmt]) -> None:
        """Read the module's body, then queue its functions."""
        self.file.summary.functions[""] = FunctionSummary(
            "", role=self.file.role if self.file.is_test else AT_IMPORT, firm=True
        )
        self.block(body)
        self.file.globals = self.env
        seen = self.seen_by_functions()
        for inner in self.inner:
            inner.closure = (seen,)
        self.file.pending += [inner.run for inner in self.inner]

    def seen_by_functions(self) -> Names:
        """Return the module's names as its functions see them; other files import what the module itself has bound.

        For a name that functions rebind, neither its tensor's device nor its number is known.
        """
        if "global " not in self.file.source.text:
            return self.env
        declared = (node.names for node in ast.walk(self.file.source.tree) if isinstance(node, ast.Global))
        rebound = {name for names in declared for name in names}
        return {name: _widened(value) if name in rebound else value for name, value in self.env.items()}

    def run(self) -> None:
        """Read the function's body, then queue the functions nested in it."""
        assert self.node is not None
        self.block(self.node.body)
        self.settle()
        function = self.file.summary.functions[self.scope]
        function.returns = self._returned()
        function.stepping = has_steps(self.region)
        function.training = self.region.function().training
        computes = function.tensors or self.scope in self.recorder.computing
        if computes and no_step(self.node, self.file.company):
            function.tensors = False
            self.recorder.computing.discard(self.scope)
        for inner in self.inner:
            inner.closure = (self.env, *self.closure)
        self.file.pending[:0] = [inner.run for inner in self.inner]

    def _returned(self) -> Value:
        if self.yields:
            return Sequence("iter", None, join_all(self.yields))
        return join_all(self.results) if self.results else NONE


def _widened(value: Value) -> Value:
    match value:
        case Tensor() if not value.device.on_gpu:
            return Tensor(OPEN, value.dtype, value.rank)
        case Host() if value != NONE:
            return Host(value.kind)
    return value
