"""Reads a function's body, then leaves those of the functions inside it to be read."""

from __future__ import annotations

import ast

from ..finding import Frequency, Level, Reason
from .frequency import has_steps
from .joining import join_all
from .statements import Statements
from .summary import FunctionSummary
from .values import NONE, Sequence, Value

AT_IMPORT = Frequency(Level.ONCE, (Reason("module level runs once, when the file is run or imported"),))


class FunctionReader(Statements):
    """Reads one function's body, or the module's or a class's.

    All that Python can do is spread over its bases, from `Evaluator` (the state) up to `Statements`.
    """

    def run_module(self, body: list[ast.stmt]) -> None:
        """Read the module's body, then leave its functions to be read."""
        self.file.summary.functions[""] = FunctionSummary(
            "", role=self.file.role if self.file.is_test else AT_IMPORT, firm=True
        )
        self.block(body)
        for name, value in self.env.items():
            self.file.globals[name] = value
        self.file.pending += [inner.run for inner in self.inner]

    def run(self) -> None:
        """Read the function's body, then those of the functions inside it."""
        assert self.node is not None
        self.block(self.node.body)
        self.settle()
        function = self.file.summary.functions[self.scope]
        function.returns = self._returned()
        function.stepping = has_steps(self.region)
        function.training = self.region.function().training
        for inner in self.inner:
            inner.closure = (self.env, *self.closure)
        self.file.pending[:0] = [inner.run for inner in self.inner]

    def _returned(self) -> Value:
        if self.yields:
            return Sequence("iter", None, join_all(self.yields))
        return join_all(self.results) if self.results else NONE
