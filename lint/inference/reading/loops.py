"""Reads loops to a fixpoint, and determines what each one iterates over."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from ...facts import torch_transfers
from ..notes.operations import Iterate
from ..often import gates
from ..often.regions import Region
from ..values.certainty import can_wait
from ..values.joining import join_all
from ..values.lattice import CPU, OPEN, Device
from ..values.union import UNKNOWN, Batch, Deferred, Host, Instance, Sequence, Tensor, Value, defer, options_of
from . import narrowing
from .branches import Branches
from .element_reads import Inside, values
from .file_state import FileState
from .loop_moves import moves_its_batches
from .scope import Loop, Names, grown, merged

MOST_PASSES = 2
"""The maximum number of times a loop's body is read; inner loops count for each pass of the outer ones."""
DEEP = 4
"""The body of a loop nested in this many others is read only once."""


class Loops(Branches):
    """The part of the reader that runs loops; `depth` counts the enclosing ones."""

    def __init__(self, file: FileState, scope: str, env: Names, closure: tuple[Names, ...], cls: str = "") -> None:
        super().__init__(file, scope, env, closure, cls)
        self.loops: list[Loop] = []
        self.depth = 0

    def for_(self, node: ast.For | ast.AsyncFor) -> None:
        iterable = self.eval(node.iter)
        region = self.loop_region(node, iterable)

        def body() -> None:
            self.bind(node.target, self.batches_of(node, node.iter, self.elements(iterable)))
            self.block(node.body)

        self.repeat_body(region, body, node.orelse)
        self.note_elements(node, iterable)

    def note_elements(self, node: ast.For | ast.AsyncFor, iterable: Value) -> None:
        """Record a loop over the elements of a potential tensor where its body first reads one on the host."""
        if not isinstance(node.target, ast.Name):
            return
        value: Value = iterable
        inside = Inside(node, self.recorder.operations.values())
        if isinstance(iterable, Tensor | Deferred):
            reads = inside.of_name(node.target.id)
        elif iterable == Host("range"):
            base = inside.indexed(node.target.id)
            value = UNKNOWN if base is None else self.eval(base)
            reads = [] if base is None else inside.of_index(node.target.id, base)
        else:
            return
        if reads and can_wait(value) and not inside.has_loop:
            first = reads[0]
            self.recorder.emit(
                Iterate, first.node, first.statement, first.region, self.scope, node.iter,
                value=value, reads=tuple(values(reads)),
            )  # fmt: skip

    def batches_of(self, node: ast.For | ast.AsyncFor, iterable: ast.expr, each: Value) -> Value:
        """Return what a loop yields, with batches in it if it goes through loaders and other iterables."""
        match iterable, each:
            case ast.Call(func=ast.Name(id="enumerate"), args=[inner, *_]), Sequence(items=(number, value)):
                return Sequence("tuple", (number, self.batches_of(node, inner, value)))
            case ast.Call(func=ast.Name(id="zip"), args=inners), Sequence(items=tuple() as items):
                if len(inners) == len(items):
                    found = (self.batches_of(node, inner, item) for inner, item in zip(inners, items))
                    return Sequence("tuple", tuple(found))
        return self.batch(node, iterable, each)

    def batch(self, node: ast.For | ast.AsyncFor, iterable: ast.expr, each: Value) -> Value:
        """Return what a loop yields; batches if the iterable is named like a loader and is otherwise unknown."""
        name = gates.loader_name(iterable)
        if name is None or not isinstance(each, Deferred) or _is_prepared(each):
            return each
        device = OPEN
        if moves_its_batches(node):
            device = Device(CPU, None, self.because(iterable, "the loop moves its batches to the device itself"))
        return self.recorder.same(defer("batch", name, (each, Batch(device, named=name))))

    def while_(self, node: ast.While) -> None:
        region = Region("loop", self.region, self.because(node.test, "a while loop repeats it"))

        def body() -> None:
            self.condition(node.test, "while")
            narrowing.assume(self, node.test, True)
            self.block(node.body)

        self.repeat_body(region, body, node.orelse)

    def loop_region(self, node: ast.For | ast.AsyncFor, iterable: Value) -> Region:
        """Return the region of a for loop, marked if it iterates over batches."""
        warming = isinstance(iterable, Host) and gates.warms_up(node.iter)
        why = self.because(node.iter, "the loop only warms up" if warming else "a loop repeats it")
        region = Region("loop", self.region, why, warming=warming)
        region.targets = frozenset(each.id for each in ast.walk(node.target) if isinstance(each, ast.Name))
        region.around = any("epoch" in name for name in region.targets)
        if (words := self.batch_loop(node.iter, iterable)) is not None:
            region.mark_step(self.because(node.iter, words), False)
            region.evaluating = gates.names_evaluation(node.iter)
        return region

    def batch_loop(self, node: ast.expr, iterable: Value) -> str | None:
        """Return why a loop is one over batches; None if it is not."""
        if isinstance(iterable, Batch):
            return "the loop iterates over a DataLoader"
        if isinstance(iterable, Instance) and self.file.inheritance.kind(iterable.cls) == "dataloader":
            return "the loop iterates over a DataLoader"
        name = gates.loader_name(node)
        return f"the loop iterates over `{name}`" if name else None

    def repeat_body(self, region: Region, body: Callable[[], None], orelse: list[ast.stmt]) -> None:
        """Read a loop's body until what its names hold no longer changes (or often enough)."""
        outer, self.region = self.region, region
        self.depth += 1
        before = start = self.env
        statement = self.statement
        for _ in range(MOST_PASSES if self.depth < DEEP else 1):
            self.env, self.statement = dict(start), statement
            after, loop = self.one_pass(start, body)
            if not grown(start, after):
                break
            start = after
        self.depth -= 1
        self.region = outer
        self.env = merged([counted(before, after, loop.ends), *loop.breaks]) or after
        self.block(orelse)

    def one_pass(self, start: Names, body: Callable[[], None]) -> tuple[Names, Loop]:
        """Read the body once: return what its names may hold after it, and what left it early."""
        loop = Loop()
        self.loops.append(loop)
        body()
        self.loops.pop()
        loop.ends = [*loop.continues, *([self.env] if self.alive else [])]
        self.alive = True
        return merged([start, *loop.ends]) or start, loop

    def break_(self, node: ast.Break) -> None:
        if self.loops:
            self.loops[-1].breaks.append(self.env)
        self.alive = False

    def continue_(self, node: ast.Continue) -> None:
        if self.loops:
            self.loops[-1].continues.append(self.env)
        self.alive = False


def counted(before: Names, after: Names, ends: list[Names]) -> Names:
    """Return what names hold after a loop assumed to run: for `total = 0`, to which it adds tensors, the sum."""
    sums = {name: join_all(end.get(name, UNKNOWN) for end in ends) for name in _numbers(before) if ends}
    return {**after, **{name: value for name, value in sums.items() if not _may_be_host(value)}}


def _numbers(names: Names) -> Iterator[str]:
    for name, value in names.items():
        if isinstance(value, Host) and value.kind in ("int", "float"):
            yield name


def _may_be_host(value: Value) -> bool:
    return any(isinstance(option, Host) or option is UNKNOWN for option in options_of(value))


def _is_prepared(value: Value) -> bool:
    """Whether a framework has had the loader in its hands, and may move its batches."""
    while isinstance(value, Deferred) and value.operands:
        if value.name.rpartition(".")[2] in torch_transfers.PREPARING:
            return True
        value = value.operands[0]
    return False
