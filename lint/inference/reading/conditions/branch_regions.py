"""Tells how often code runs that depends on a condition: once, now and then, in evaluation, on the way to an error."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import partial

from ...often import gates, on_devices, states
from ...often.exits import passed, passed_if_missing
from ...often.latches import Scope, latched
from ...often.local import EVERY_N
from ...often.made_once import made_once
from ...often.memos import filled, memoized
from ...often.moving import moved
from ...often.nested import nodes, statements
from ...often.regions import Region, RegionKind
from ...values.union import Batch, Host, Tensor, Value
from ..state.frame import Frame
from ..state.scope import path
from .sizes import divides_size
from .told import conditions_of, interval, needs
from .unsaid import asks_of_data, only_leaves
from .wording import worded

_ONE = Host("int", 1)
_SAYS_ALL = (RegionKind.ONCE, RegionKind.FAILURE)
"""Kinds of regions of which nobody asks what else they hang on."""


def branch_region(frame: Frame, node: ast.If, body: Sequence[ast.stmt], holds: bool) -> Region:
    """Return the region of a branch: one that leads to `raise` is a failure path, a gated one runs now and then."""
    if body and isinstance(body[-1], ast.Raise) and not _ends_otherwise(body):
        return failure(frame, node.test, "only on the way to an error")
    found = seldom(frame, node.test, body, holds)
    if found is None:
        if gates.is_always(node.test):
            return frame.region
        found = Region(RegionKind.BRANCH, frame.region)
    other = node.orelse if holds else node.body
    is_ordinary = (only_leaves(other) and asks_of_data(frame, node.test)) or (not holds and _is_usual(frame, node))
    if found.kind not in _SAYS_ALL and not is_ordinary:
        _hang(frame, found, node.test, holds)
    return found


def _hang(frame: Frame, region: Region, test: ast.expr, holds: bool) -> None:
    """Let a region tell the conditions that it hangs on, as long as its file is read.

    What a loop over the parts of a step binds tells passes apart: the step itself has some for which the code runs.
    """
    loop = frame.region.loop_of(*(each.id for each in nodes(test) if isinstance(each, ast.Name)))
    if region.kind in (RegionKind.BRANCH, RegionKind.CHOICE):
        region.counts = loop
    region.conditions = partial(conditions_of, frame, test, holds, loop)
    region.needs = tuple(needs(frame, test, holds))
    frame.file.hanging.append(region)


def _is_usual(frame: Frame, node: ast.If) -> bool:
    """Whether every program goes past a condition: it lets something be created, or an exception be raised."""
    return isinstance(node.body[-1], ast.Raise) or created(frame, node.test, node.body, True) is not None


def _ends_otherwise(body: Sequence[ast.stmt]) -> bool:
    """Whether a branch that ends in `raise` may be left before, as one whose cases each return something."""
    inner = [*statements(body)]
    loops = any(isinstance(each, (ast.For, ast.AsyncFor, ast.While)) for each in inner)  # whose `break` stays inside
    return any(isinstance(each, ast.Return if loops else (ast.Return, ast.Break, ast.Continue)) for each in inner)


def seldom(frame: Frame, test: ast.expr, code: Sequence[ast.stmt], holds: bool) -> Region | None:
    """Return the region of code that runs once or now and then, because a condition must hold or must not."""
    if on_devices.has_gpu(test, frame.conditions.tests) is (not holds) and not (code and isinstance(code[0], ast.If)):
        return Region(RegionKind.ONCE, frame.region, frame.because(test, "only when there is no GPU"))
    if holds and (name := _on_host(frame, test)):
        return Region(RegionKind.ONCE, frame.region, frame.because(test, f"never: `{name}` is on the host"))
    if words := _unset(frame, test, holds):
        return Region(RegionKind.ONCE, frame.region, frame.because(test, f"never: {words}"))
    if code and (name := _off_gpu(frame, test, code, holds)):
        return Region(RegionKind.ONCE, frame.region, frame.because(test, f"only where `{name}` is not on the GPU"))
    if states.traced(test, holds):
        words = "only while being scripted, traced, captured or exported"
        return Region(RegionKind.ONCE, frame.region, frame.because(test, words))
    return created(frame, test, code, holds) or gated(frame, test, code, holds)


def _on_host(frame: Frame, test: ast.expr) -> str:
    """Return the name of a tensor that a condition asks to be on the GPU, while it is certainly on the host."""
    match test:
        case ast.BoolOp(op=ast.And(), values=parts):
            return next(filter(None, (_on_host(frame, each) for each in parts)), "")
        case ast.Attribute(value=ast.Name(id=name), attr="is_cuda") if isinstance(known := frame.env.get(name), Tensor):
            return name if known.device.on_cpu else ""
    return ""


def _unset(frame: Frame, test: ast.expr, holds: bool) -> str:
    """Return which variable of the function keeps a condition from being what is wanted, as it is set before."""
    match test:
        case ast.Name(id=name) if isinstance(value := frame.env.get(name), Host) and isinstance(value.constant, bool):
            is_own = value.constant is not holds and frame.node is not None and not _is_set_inside(frame.node, name)
            return f"`{name}` is {value.constant}" if is_own else ""
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _unset(frame, operand, not holds)
        case ast.BoolOp(op=op, values=parts) if isinstance(op, ast.And) is holds:
            return next(filter(None, (_unset(frame, each, holds) for each in parts)), "")
    return ""


def _is_set_inside(function: ast.AST, name: str) -> bool:
    """Whether a function in another one sets a variable of that."""
    return any(isinstance(each, ast.Nonlocal) and name in each.names for each in nodes(function))


def _off_gpu(frame: Frame, test: ast.expr, code: Sequence[ast.stmt], holds: bool) -> str:
    """Return the name of what code computes on where it is not on the GPU, and does not move; empty if it does neither.

    Such code stands in for a kernel, and all that it computes with is on the host, too.
    """
    subject = on_devices.off_gpu(test, holds, frame.conditions.tests)
    name = path(subject) if subject is not None and not isinstance(code[0], ast.If) else None
    if name is None or _is_on_cpu(frame.env.get(name)):
        return ""
    calls = [each for statement in code for each in nodes(statement) if isinstance(each, ast.Call)]
    targets = (path(target) for call in calls for target in moved(call))
    return "" if any(name == each or name.startswith((f"{each}.", f"{each}[")) for each in targets) else name


def _is_on_cpu(value: Value | None) -> bool:
    return isinstance(value, Tensor | Batch) and value.device.on_cpu


def created(frame: Frame, test: ast.expr, code: Sequence[ast.stmt], holds: bool) -> Region | None:
    """Return the region of code that creates what a condition finds missing."""
    later = frame.file.bodies.set_later(frame.cls)
    scope = Scope(partial(frame.file.bodies.own_body, frame.cls), frame.file.bodies.bound_globally(frame.node), later)
    words = latched(test, holds, code, scope)
    words = words or made_once(test, holds, code)
    words = words or memoized(test, holds, code, frame.env) or filled(test, holds, code, frame.body)
    return Region(RegionKind.ONCE, frame.region, frame.because(test, words)) if words is not None else None


def gated(frame: Frame, test: ast.expr, code: Sequence[ast.stmt], holds: bool) -> Region | None:
    """Return the region of code that runs now and then, in evaluation, where training fails, or if asked for."""
    if states.failing(test, holds):
        return failure(frame, test, "only where something is not finite")
    if states.evaluating(test, holds):
        return Region(RegionKind.EVALUATION, frame.region, frame.because(test, "only in evaluation"))
    if (name := gates.counted(test, holds)) is not None and (loop := frame.region.loop_of(name)) is not None:
        return Region(RegionKind.GATE, frame.region, frame.because(test, "only once in the loop"), counts=loop)
    if (words := _gate(frame, test, holds)) is not None:
        region = Region(RegionKind.GATE, frame.region, frame.because(test, words))
        if words == EVERY_N:
            region.lets_through = partial(worded, frame, test, holds)
            region.every = interval(frame, test)
            frame.file.hanging.append(region)
        return region
    return None


def _gate(frame: Frame, test: ast.expr, holds: bool) -> str | None:
    """Return why a condition, or its opposite, holds now and then; None if it does not, as far as is known."""
    words = gates.gate(_with_count(frame, test), holds, frame.conditions.tests)
    is_usual = words == EVERY_N and (_is_every_one(frame, test) or divides_size(frame, test))
    return None if is_usual else words


def _is_every_one(frame: Frame, test: ast.expr) -> bool:
    """Whether a condition lets every n-th step through, and n is one, but no interval that users set."""
    numbers = [each.right for each in nodes(test) if isinstance(each, ast.BinOp) and isinstance(each.op, ast.Mod)]
    names = [each for each in numbers if isinstance(each, ast.Name) and not gates.names_interval(each.id)]
    return 0 < len(names) == len(numbers) and all(frame.eval(each) == _ONE for each in names)


def _with_count(frame: Frame, test: ast.expr) -> ast.expr:
    """Return a condition on a number of items with what counts them: `len(boxes) == 0` for `n == 0`."""
    match test:
        case ast.Compare(
            left=ast.Name(id=name), ops=[ast.Eq() | ast.NotEq() | ast.Gt()] as ops, comparators=[ast.Constant(value=0)]
        ) if frame.node is not None and name in frame.env:
            bound = [each for each in statements(frame.node.body) if _binds(each, name)]
            match bound:
                case [ast.Assign(targets=[ast.Name()], value=ast.Call() | ast.Subscript() as counted)]:
                    return ast.Compare(counted, ops, test.comparators)
    return test


def _binds(statement: ast.stmt, name: str) -> bool:
    """Whether a statement binds a name, or might."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=bound)]):
            return bound == name
        case ast.Assign(targets=targets):
            return any(isinstance(each, ast.Name) and each.id == name for target in targets for each in nodes(target))
        case ast.AugAssign(target=target) | ast.AnnAssign(target=target) | ast.For(target=target):
            return any(isinstance(each, ast.Name) and each.id == name for each in nodes(target))
    return False


def region_if(frame: Frame, test: ast.expr, holds: bool) -> Region:
    """Return the region of an expression that is evaluated only if a condition holds, or does not."""
    return seldom(frame, test, (), holds) or chosen(frame, test, holds)


def chosen(frame: Frame, test: ast.expr, holds: bool) -> Region:
    """Return the region of code that runs only if a choice was made."""
    found = Region(RegionKind.CHOICE, frame.region)
    _hang(frame, found, test, holds)
    return found


def beyond(frame: Frame, statement: ast.stmt, rest: Sequence[ast.stmt]) -> Region:
    """Return the region of the statements after one that may leave: `if step % 100: return`."""
    outer = frame.region
    for branch, holds in passed(statement) if rest else ():
        if (found := seldom(frame, branch.test, rest, holds)) is not None:
            frame.region = found
        elif not _is_passed_by(frame, branch, holds):
            frame.region = chosen(frame, branch.test, holds)
    for test in passed_if_missing(statement) if rest else ():
        frame.region = created(frame, test, rest, False) or frame.region
    found, frame.region = frame.region, outer
    return found


def _is_passed_by(frame: Frame, branch: ast.If, holds: bool) -> bool:
    """Whether the ordinary pass goes past a branch that may leave."""
    if not holds and _is_usual(frame, branch):
        return True
    return only_leaves(branch.orelse if holds else branch.body) and asks_of_data(frame, branch.test)


def failure(frame: Frame, node: ast.expr | ast.stmt, why: str) -> Region:
    """Return the region of code that runs only when something went wrong."""
    return Region(RegionKind.FAILURE, frame.region, frame.because(node, why))
