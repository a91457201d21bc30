"""Reads loops to a fixpoint, and determines what each one iterates over."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from ....facts import naming, torch_transfers
from ....limits import DEEPEST_LOOP, MOST_PASSES
from ...notes.operations import Iterate, Pass
from ...often import gates
from ...often.nested import bound_by, nodes
from ...often.regions import SET_TO_EVALUATION, Region, RegionKind
from ...often.rounds import ELSEWHERE, ends_at_once, goes_by_parts
from ...values.certainty import can_wait
from ...values.joining import join_all
from ...values.lattice import CPU, OPEN, Device
from ...values.ops import Op
from ...values.union import UNKNOWN, Batch, Deferred, Host, Instance, Sequence, Tensor, Value, defer, options_of
from ..conditions import narrowing
from ..conditions.conditions import condition
from ..expressions.comprehensions import elements
from ..expressions.one_item import holds_one
from ..places.bindings import bind
from ..recording.methods_run import note_special
from ..state.file_state import FileState
from ..state.frame import Frame
from ..state.scope import Loop, Names, grown, merged, path
from .element_reads import Inside, values
from .loop_moves import moves_its_batches
from .moved_items import move_items
from .taken_batches import mark_taking
from .wrapped import iterated


def for_(frame: Frame, node: ast.For | ast.AsyncFor) -> None:
    """Run a `for` loop."""
    first = len(frame.recorder.calls)
    iterable, source = frame.eval(node.iter), iterated(frame, node.iter)
    region = loop_region(frame, node, source, iterable)
    note_special(frame, "__iter__", iterable)
    frame.recorder.mark_through(first, region)

    loops: list[Loop] = []

    def body() -> None:
        loops.append(frame.loops[-1])
        note_pass(frame, source)
        bind(frame, node.target, batches_of(frame, node, source, elements(frame, iterable)))
        frame.block(node.body)

    repeat_body(frame, region, body, node)
    note_elements(frame, node, iterable)
    if loops[-1].items:
        move_items(frame, node, loops[-1].items)


def note_pass(frame: Frame, source: ast.expr) -> None:
    """Record that a loop goes through what is named like a loader, for how often a framework moves its batches."""
    while isinstance(source, ast.Call):  # `enumerate(tqdm(loader))`
        source = next((each for each in source.args if gates.loader_name(each) is not None), ast.Constant(None))
    if gates.loader_name(source) is not None:
        frame.emit(Pass, source, value=frame.eval(source))


def note_elements(frame: Frame, node: ast.For | ast.AsyncFor, iterable: Value) -> None:
    """Record a loop over the elements of a potential tensor where its body first reads one on the host."""
    if not isinstance(node.target, ast.Name):
        return
    value: Value = iterable
    is_range = iterable == Host("range")
    if not (is_range or isinstance(iterable, Tensor | Deferred)):
        return
    inside = Inside(node, frame.recorder)
    if is_range:
        base = inside.indexed(node.target.id)
        value = UNKNOWN if base is None else frame.eval(base)
        reads = [] if base is None else inside.of_index(node.target.id, base)
    else:
        reads = inside.of_name(node.target.id)
    if reads and can_wait(value) and not inside.has_loop:
        first = reads[0]
        frame.recorder.emit(
            Iterate, first.node, first.statement, first.region, frame.scope, node.iter,
            value=value, reads=tuple(values(reads)),
        )  # fmt: skip


def batches_of(frame: Frame, node: ast.For | ast.AsyncFor, iterable: ast.expr, each: Value) -> Value:
    """Return what a loop yields, with batches in it if it goes through loaders and other iterables."""
    match iterable, each:
        case ast.Call(func=ast.Name(id="enumerate"), args=[inner, *_]), Sequence(items=(number, value)):
            return Sequence("tuple", (number, batches_of(frame, node, inner, value)))
        case ast.Call(func=ast.Name(id="zip"), args=inners), Sequence(items=tuple() as items):
            if len(inners) == len(items):
                found = (batches_of(frame, node, inner, item) for inner, item in zip(inners, items))
                return Sequence("tuple", tuple(found))
        case ast.Call(args=[ast.Call() as inner, *_]), _ if gates.last_name(iterable).lower() in naming.WRAPPING:
            return batches_of(frame, node, inner, each)  # `tqdm(enumerate(loader))`
    return batches(frame, node, iterable, each)


def batches(frame: Frame, node: ast.For | ast.AsyncFor, iterable: ast.expr, each: Value) -> Value:
    """Return what a loop yields; batches if the iterable is named like a loader and is otherwise unknown."""
    name = gates.loader_name(iterable)
    if name is None or not isinstance(each, Deferred) or _is_prepared(each):
        return each
    device = OPEN
    if moves_its_batches(node):
        device = Device(CPU, None, frame.because(iterable, "the loop moves its batches to the device itself"))
    return frame.recorder.same(defer(Op.BATCH, name, (each, Batch(device, named=name))))


def while_(frame: Frame, node: ast.While) -> None:
    """Run a `while` loop, whose body may rely on the condition."""
    why = frame.because(node.test, "a while loop repeats it")
    region = Region(RegionKind.LOOP, frame.region, why, counting=True, yielding=yields(frame, node))
    region.latest = region.function().latest

    def body() -> None:
        condition(frame, node.test, "while")
        narrowing.assume(frame, node.test, True)
        frame.block(node.body)

    repeat_body(frame, region, body, node)


def loop_region(frame: Frame, node: ast.For | ast.AsyncFor, source: ast.expr, iterable: Value) -> Region:
    """Return the region of a for loop over a `source`, marked if it iterates over batches; one pass is no loop."""
    if ends_at_once(node):
        why = frame.because(node.iter, "the loop ends in its first pass")
        return Region(RegionKind.BRANCH, frame.region, why, targets=frozenset(bound_by(node)))
    one = holds_one(frame, node.iter, iterable) and not _grows(node)
    words = "the loop goes through one item" if one else "a loop repeats it"
    why = frame.because(node.iter, words)
    region = Region(RegionKind.LOOP, frame.region, why)
    region.yielding = yields(frame, node)
    region.targets = frozenset(bound_by(node))
    region.around = any("epoch" in name for name in region.targets)
    region.counting = region.around or _counts(source, iterable)
    region.single = one
    region.parts = goes_by_parts(node.iter)
    region.latest = region.function().latest
    region.evaluating = evaluation_of(frame, region, source)
    if (by_batch := batch_loop(frame.file, source, iterable)) is not None:
        region.mark_step(frame.because(node.iter, by_batch), False)
    else:
        mark_taking(frame, region, node.body)
    return region


def _grows(node: ast.For | ast.AsyncFor) -> bool:
    """Whether a loop adds to what it goes through: `for node in found: found += node.children`."""
    source = node.iter
    while isinstance(source, ast.Call) and source.args:  # `enumerate(found)`
        source = source.args[0]
    name = path(source)
    inside = [each for statement in node.body for each in nodes(statement)]
    called = (each.func.value for each in inside if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute))
    added = (each.target for each in inside if isinstance(each, ast.AugAssign))
    return name is not None and any(path(each) == name for each in (*called, *added))


def yields(frame: Frame, node: ast.For | ast.AsyncFor | ast.While) -> bool:
    """Whether a loop yields in each pass, other than in a loop inside."""
    return frame.file.has_generators and any(map(_yields, node.body))


def _yields(node: ast.AST) -> bool:
    if isinstance(node, ast.Yield | ast.YieldFrom):
        return True
    return not isinstance(node, ELSEWHERE) and any(map(_yields, ast.iter_child_nodes(node)))


def _counts(source: ast.expr, iterable: Value) -> bool:
    """Whether a loop goes through numbers: `range(n)`, `trange(n)`."""
    is_range = isinstance(iterable, Host) and iterable.kind == "range"
    return is_range or (isinstance(source, ast.Call) and gates.last_name(source.func).endswith("range"))


def evaluation_of(frame: Frame, region: Region, source: ast.expr) -> str:
    """Return why loops here that train nothing, over a `source`, are evaluation; empty if nothing tells."""
    if gates.names_evaluation(source):
        return "it is named like evaluation data"
    if (evaluation := frame.file.evaluation) is not None:
        return evaluation.reasons[0].message
    return SET_TO_EVALUATION if region.function().mode == "eval" else ""


def batch_loop(file: FileState, node: ast.expr, iterable: Value) -> str | None:
    """Return why a loop is one over batches; None if it is not."""
    if isinstance(iterable, Batch):
        return "the loop iterates over a DataLoader"
    if isinstance(iterable, Instance) and file.inheritance.kind(iterable.cls) == "dataloader":
        return "the loop iterates over a DataLoader"
    name = gates.loader_name(node)
    return f"the loop iterates over `{name}`" if name else None


def repeat_body(
    frame: Frame, region: Region, body: Callable[[], None], node: ast.For | ast.AsyncFor | ast.While
) -> None:
    """Read a loop's body until what its names hold no longer changes (or often enough)."""
    outer, frame.region = frame.region, region
    before = start = frame.env
    statement = frame.statement
    is_deep = len(frame.loops) + 1 >= DEEPEST_LOOP
    for _ in range(1 if is_deep else MOST_PASSES):
        frame.env, frame.statement = dict(start), statement
        after, loop = one_pass(frame, start, body, Loop(node.body, region.targets, isinstance(node, ast.While)))
        if not grown(start, after):
            break
        start = after
    else:
        (DEEPEST_LOOP if is_deep else MOST_PASSES).met()
    frame.region = outer
    frame.env = merged([counted(before, after, loop.ends), *loop.breaks]) or after
    frame.block(node.orelse)


def one_pass(frame: Frame, start: Names, body: Callable[[], None], loop: Loop) -> tuple[Names, Loop]:
    """Read the body once: return what its names may hold after it, and what left it early."""
    frame.loops.append(loop)
    body()
    frame.loops.pop()
    loop.ends = [*loop.continues, *([frame.env] if frame.alive else [])]
    frame.alive = True
    return merged([start, *loop.ends]) or start, loop


def break_(frame: Frame, node: ast.Break) -> None:
    """Leave the innermost loop."""
    if frame.loops:
        frame.loops[-1].breaks.append(frame.env)
    frame.alive = False


def continue_(frame: Frame, node: ast.Continue) -> None:
    """Go on with the next pass of the innermost loop."""
    if frame.loops:
        frame.loops[-1].continues.append(frame.env)
    frame.alive = False


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
