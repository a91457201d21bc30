"""Reads loops to a fixpoint, and tells what each one iterates over."""

from __future__ import annotations

import ast
from collections.abc import Callable

from . import gates, narrowing
from .branches import Branches
from .file_state import FileState
from .frequency import Region
from .scope import Loop, Names, grown, merged
from .values import Batch, Instance, Value

MOST_PASSES = 2
"""How often a loop's body is read at the most; inner loops count for each pass of the outer ones."""
DEEP = 4
"""The body of a loop inside so many others is read once."""


class Loops(Branches):
    """The part of the reader that runs loops. `depth` counts those around this place."""

    def __init__(self, file: FileState, scope: str, env: Names, closure: tuple[Names, ...], cls: str = "") -> None:
        super().__init__(file, scope, env, closure, cls)
        self.loops: list[Loop] = []
        self.depth = 0

    def for_(self, node: ast.For | ast.AsyncFor) -> None:
        iterable = self.eval(node.iter)
        region = self.loop_region(node, iterable)

        def body() -> None:
            self.bind(node.target, self.elements(iterable))
            self.block(node.body)

        self.repeat_body(region, body, node.orelse)

    def while_(self, node: ast.While) -> None:
        region = Region("loop", self.region, self.because(node.test, "a while loop repeats it"))

        def body() -> None:
            self.condition(node.test, "while")
            narrowing.assume(self, node.test, True)
            self.block(node.body)

        self.repeat_body(region, body, node.orelse)

    def loop_region(self, node: ast.For | ast.AsyncFor, iterable: Value) -> Region:
        """The region of a for loop, marked when it iterates over batches."""
        region = Region("loop", self.region, self.because(node.iter, "a loop repeats it"))
        if (words := self.batches(node.iter, iterable)) is not None:
            region.mark_step(self.because(node.iter, words), False)
            region.evaluating = gates.names_evaluation(node.iter)
        return region

    def batches(self, node: ast.expr, iterable: Value) -> str | None:
        """Why a loop is one over batches; None where it is not."""
        if isinstance(iterable, Batch):
            return "the loop iterates over a DataLoader"
        if isinstance(iterable, Instance) and self.file.kind_of(iterable.cls) == "dataloader":
            return "the loop iterates over a DataLoader"
        name = gates.loader_name(node)
        return f"the loop iterates over `{name}`" if name else None

    def repeat_body(self, region: Region, body: Callable[[], None], orelse: list[ast.stmt]) -> None:
        """Read a loop's body until what its names hold no longer changes (or often enough)."""
        outer, self.region = self.region, region
        self.depth += 1
        start, statement = self.env, self.statement
        for _ in range(MOST_PASSES if self.depth < DEEP else 1):
            self.env, self.statement = dict(start), statement
            after, loop = self.one_pass(start, body)
            if not grown(start, after):
                break
            start = after
        self.depth -= 1
        self.region = outer
        self.env = merged([after, *loop.breaks]) or after
        self.block(orelse)

    def one_pass(self, start: Names, body: Callable[[], None]) -> tuple[Names, Loop]:
        """Read the body once: what its names may hold after it, and what left it early."""
        loop = Loop()
        self.loops.append(loop)
        body()
        self.loops.pop()
        ends = [*loop.continues, *([self.env] if self.alive else [])]
        self.alive = True
        return merged([start, *ends]) or start, loop

    def break_(self, node: ast.Break) -> None:
        if self.loops:
            self.loops[-1].breaks.append(self.env)
        self.alive = False

    def continue_(self, node: ast.Continue) -> None:
        if self.loops:
            self.loops[-1].continues.append(self.env)
        self.alive = False
