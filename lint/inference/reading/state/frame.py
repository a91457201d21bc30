"""One body while it is read: what its names hold, where the reader is, and what has been found out so far.

Every module here that reads a construct has functions of a frame and a node. What they need of each other, they ask of
the frame: `frame.eval(node)` reads an expression and `frame.block(body)` statements, by the tables in `constructs`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

from ....finding import Reason
from ...notes.operations import Operation
from ...often.regions import Region, RegionKind
from ...often.signature import NEVER, rebound, written
from ...values.arguments import Keywords
from ...values.union import UNKNOWN, Instance, Value
from .file_state import FileState
from .scope import Loop, Names, forget, path, root

FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
NOWHERE = ast.Pass(lineno=1, col_offset=0, end_lineno=1, end_col_offset=0)
"""The statement of a frame that has not begun."""


class Constructs(NamedTuple):
    """How expressions are read, by the type of their node, and how statements are."""

    expressions: Mapping[type[ast.expr], Callable[[Frame, Any], Value]]
    block: Callable[[Frame, list[ast.stmt]], None]


class NamedConditions:
    """The names that stand for conditions: `on_gpu = x.is_cuda`; `told_by` has them by the names in the conditions."""

    __slots__ = ("tests", "told_by")

    def __init__(self) -> None:
        self.tests: dict[str, ast.expr] = {}
        self.told_by: dict[str, set[str]] = {}

    def add(self, name: str, test: ast.expr) -> None:
        """Note that the name stands for a condition, until it or a name in the condition is rebound."""
        self.tests[name] = test
        for part in ast.walk(test):
            if isinstance(part, ast.Name):
                self.told_by.setdefault(part.id, set()).add(name)

    def forget(self, rebound: str) -> None:
        """Drop the conditions that a name stands for, or occurs in."""
        for each in (rebound, *self.told_by.pop(rebound, ())):
            self.tests.pop(each, None)


class Copies:
    """Copies to the host: whether one may be in progress, and the arrays that share the memory of one.

    `returned` is what a function of the program has just returned, which may be one.
    """

    __slots__ = ("in_progress", "returned", "views")

    @property
    def may_be(self) -> bool:
        """Whether a copy may be in progress for all that is known here."""
        return self.in_progress or self.returned is not None

    def __init__(self) -> None:
        self.in_progress = False
        self.returned: Value | None = None
        self.views: list[ast.expr] = []


class Frame:
    """A function's body while it is read, or the module's, a class's or a lambda's.

    Where it belongs: `scope` is its full name, `cls` the class it belongs to, `node` its definition if it is a
    function. What its names hold: `env` what each is bound to at this point, `closure` the names of the enclosing
    functions and the module, `conditions` those that stand for conditions; `roots` are names of which `env` may hold
    attributes or items, too, `unsettled` are the attributes bound since the last place where others may see them: a
    call of a method, a return. Where the reader is: `region`, `statement`, the enclosing `loops`; `alive` is False
    after a return, raise, break or continue. `copies` are those in progress. `spread` is each value in its
    `**keywords`. `results` and `yields` are what it has returned so far, `inner` the frames of the functions defined in
    it, which are read later.
    """

    def __init__(
        self, file: FileState, constructs: Constructs, scope: str, closure: tuple[Names, ...] = (), cls: str = ""
    ) -> None:
        self.file = file
        self.recorder = file.recorder
        self.gpu_names = file.gpu_names
        self.tensor_methods = file.methods_for(cls)
        self.constructs = constructs
        self.expressions = constructs.expressions
        self.scope = scope
        self.cls = cls
        self.node: FunctionNode | None = None
        self.env: Names = {}
        self.closure = closure
        self.conditions = NamedConditions()
        self.roots: set[str] = set()
        self.unsettled: dict[str, tuple[Instance, str]] = {}
        self.region = Region(RegionKind.FUNCTION)
        self.statement: ast.stmt = NOWHERE
        self.loops: list[Loop] = []
        self.alive = True
        self.copies = Copies()
        self.spread: Value | None = None
        self.results: list[Value] = []
        self.yields: list[Value] = []
        self.inner: list[Frame] = []

    def inside(self, scope: str, cls: str) -> Frame:
        """Return the frame of a function or class defined here."""
        return type(self)(self.file, self.constructs, scope, (self.env, *self.closure), cls)

    # -- reading on ----------------------------------------------------------------------------------------------------

    @property
    def body(self) -> list[ast.stmt]:
        """The statements of the function, or of the module."""
        return self.file.source.tree.body if self.node is None else self.node.body

    def eval(self, node: ast.expr) -> Value:
        """Return the value of an expression."""
        evaluate = self.expressions.get(type(node))
        return evaluate(self, node) if evaluate else UNKNOWN

    def block(self, body: list[ast.stmt]) -> None:
        """Run statements in order, as far as they are reachable."""
        self.constructs.block(self, body)

    def in_region(self, region: Region, body: list[ast.stmt]) -> None:
        """Run statements in a region of their own."""
        outer, self.region = self.region, region
        self.block(body)
        self.region = outer

    # -- names ---------------------------------------------------------------------------------------------------------

    def assign_name(self, name: str, value: Value) -> None:
        """Bind a plain name."""
        self.env[name] = value
        if name in self.roots:
            forget(self.env, name)
        if self.conditions.tests:
            self.conditions.forget(name)

    def hold(self, key: str, value: Value) -> None:
        """Bind a name, an attribute or an item by its key, which `path` returns."""
        self.env[key] = value
        if not key.isidentifier():
            self.roots.add(root(key))

    def bound(self, node: ast.expr) -> Value | None:
        """Return what an attribute or item was bound or narrowed to in this body; None if it was not."""
        key = path(node) if self.roots else None
        return None if key is None else self.env.get(key)

    # -- what is written down ------------------------------------------------------------------------------------------

    def is_given(self, node: ast.Name, binds_it: bool = False) -> bool:
        """Whether a name is that of a parameter, which is here what the caller gave.

        So it is where this row `binds_it` anew.
        """
        if self.node is None:
            return False
        if (known := self.file.rebound.get(self.node)) is None:
            if all(each.arg != node.id for each, _ in written(self.node.args)):
                return False
            known = self.file.rebound[self.node] = rebound(self.node, self.file.has_walrus)
        row = known.get(node.id, 0)
        return row == NEVER or (row + binds_it > node.lineno and self.region.nearest_loop() is None)

    def because(self, node: ast.expr | ast.stmt, message: str) -> Reason:
        """Return a reason located here."""
        return self.recorder.reason(node, message)

    def emit(self, kind: type[Operation], node: ast.expr, quoted: ast.expr | None = None, **operands: Any) -> None:
        """Record an operation here; `quoted` shows more of it than the node does."""
        self.recorder.emit(kind, node, self.statement, self.region, self.scope, quoted, **operands)

    def note_call(self, name: str, positional: tuple[Value, ...], keywords: Keywords, passed: bool = False) -> None:
        """Record that a function is called here with these arguments, or passed on to be called."""
        self.recorder.called(name, positional, keywords, self.region, self.scope, passed)
