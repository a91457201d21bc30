"""Names the conditions that a line hangs on, where they do not say themselves how often they hold.

A line behind one runs as often as is said only where it holds: an option, whether an argument is given, the shape or
the value of a tensor. What goes without saying in a program that runs is not told.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from ....facts import choices as names
from ....facts.states import TRACING
from ...often import gates, on_devices, states
from ...often.local import IS, IS_NOT, OF_OTHERS, OWN, Need
from ...often.nested import nodes
from ...often.regions import Region
from ...values.ops import Op
from ...values.union import UNKNOWN, Value, defer
from ..state.frame import Frame
from ..state.scope import path
from .sizes import accumulates, divides_size
from .unsaid import goes_without_saying
from .wording import OPPOSITES, ORDERS, WORDS, worded


@lru_cache(maxsize=4096)
def _like(pattern: str, name: str) -> bool:
    """Whether a name is of a kind, whatever its case; the same few are asked for all the time."""
    return re.search(pattern, name.lower()) is not None


def conditions_of(frame: Frame, test: ast.expr, holds: bool, loop: Region | None = None) -> tuple[str, ...]:
    """Return what must hold if a condition holds, or does not, as people write it, without what a `loop` binds.

    They are asked for when the body has been read, and found out once: another pass of a loop tells nothing new.
    """
    known = frame.file.conditions.get((test, holds))
    if known is None:
        apart = loop.targets if loop is not None and loop.is_over_parts() else frozenset()
        found = _told(frame, test, holds)
        told = (worded(frame, part, wanted) for part, wanted in found if not _names(part, apart))
        known = frame.file.conditions[test, holds] = tuple(dict.fromkeys(told))
    return known


def _names(test: ast.expr, names: Collection[str]) -> bool:
    return any(isinstance(each, ast.Name) and each.id in names for each in nodes(test)) if names else False


def _told(frame: Frame, test: ast.expr, holds: bool) -> Iterator[tuple[ast.expr, bool]]:
    """Yield the parts of a condition that are named; of a name for several one of which says how often, the others."""
    for whole, wanted in _parts(test, holds):
        if accumulates(whole, wanted):
            continue
        part = gates.without_seldom(whole, wanted, frame.conditions.tests)
        is_plain = goes_without_saying(frame, part, wanted) or _tells_how_often(frame, part, wanted)
        if not is_plain or states.trains(part, wanted):
            yield part, wanted
        elif isinstance(part, ast.Name) and isinstance(several := frame.conditions.tests.get(part.id), ast.BoolOp):
            yield from _told(frame, several, wanted)


def _parts(test: ast.expr, holds: bool) -> Iterator[tuple[ast.expr, bool]]:
    """Yield the conditions each of which must hold, or must not, if the whole one does, or does not."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _parts(operand, not holds)
        case ast.BoolOp(op=op, values=values) if isinstance(op, ast.And) is holds:
            for each in values:
                yield from _parts(each, holds)
        case _:
            yield test, holds


def needs(frame: Frame, test: ast.expr, holds: bool) -> Iterator[Need]:
    """Yield what parameters, or attributes, must be for a condition to hold, or not to hold.

    That is told of parameters as far as they are never rebound.
    """
    for whole, wanted in _parts(test, holds):
        part = gates.without_seldom(whole, wanted, frame.conditions.tests)
        several = [_need(frame, each, not other) for each, other in _parts(part, not wanted)]
        if any(each.name for each in several):
            yield several[0]._replace(text=worded(frame, part, wanted), others=tuple(several[1:]))


def _need(frame: Frame, test: ast.expr, holds: bool) -> Need:
    """Return what a single condition needs; a need without a name if that cannot be told."""
    if (asked := _asked(*_meant(frame, test, holds))) is not None:
        subject, _ = _meant(frame, asked[0], True)
        if name := _named(frame, subject):
            return Need(name, asked[1], "", _value_of(frame, subject, name))
    return Need("", "true")


def _meant(frame: Frame, test: ast.expr, holds: bool) -> tuple[ast.expr, bool]:
    """Return the condition, or the value, that a name stands for which the body binds once: `debug = not args.fast`."""
    if isinstance(test, ast.Name) and not frame.is_given(test):
        match frame.file.bodies.binding(frame.body).get(test.id):
            case [ast.Assign(targets=[ast.Name()], value=value)]:
                found = [*_parts(value, holds)]
                return found[0] if len(found) == 1 else (test, holds)
    return test, holds


def interval(frame: Frame, test: ast.expr) -> Need | None:
    """Return the number of steps of which a condition lets one through, as something that has to be one for all."""
    numbers = [each.right for each in nodes(test) if isinstance(each, ast.BinOp) and isinstance(each.op, ast.Mod)]
    if len(numbers) != 1 or not (name := _named(frame, numbers[0])):
        return None
    return Need(name, f"{IS}1", "", _value_of(frame, numbers[0], name))


def _asked(test: ast.expr, holds: bool) -> tuple[ast.expr, str] | None:
    """Return what a single condition is about, and what that must be for it to hold, or not to hold."""
    match test:
        case ast.Name() | ast.Attribute() | ast.Subscript(slice=ast.Constant(value=str())):
            return test, "true" if holds else "false"
        case ast.Compare(
            left=left, ops=[ast.Eq() | ast.NotEq() as op], comparators=[ast.Constant(value=str() | int() as constant)]
        ) if not isinstance(constant, bool):
            return left, f"{IS if isinstance(op, ast.Eq) is holds else IS_NOT}{constant!r}"
        case ast.Compare(left=left, ops=[op], comparators=[ast.Constant(value=bool() as flag)]):
            is_same = isinstance(op, ast.Is | ast.Eq)
            is_plain = is_same or isinstance(op, ast.IsNot | ast.NotEq)
            return (left, "true" if (flag is is_same) is holds else "false") if is_plain else None
        case ast.Compare(left=left, ops=[op], comparators=[ast.Constant(value=int() | float() as number)]) if (
            type(op) in ORDERS
        ):
            return left, f"{WORDS[type(op) if holds else OPPOSITES[type(op)]]} {number}"
        case ast.Call() if _option_in(test) is not None:
            return test, "true" if holds else "false"
    asked = states.asked_for(test)
    return None if asked is None else (asked[0], "None" if asked[1] is holds else "given")


def _option_in(node: ast.expr) -> tuple[str, ast.expr | None] | None:
    """Return the option that an expression reads by its name, and what it is if it is not there."""
    match node:
        case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value=str() as name), *default], keywords=[]):
            return name, default[0] if default else ast.Constant(None)
        case ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(value=str() as name), default]):
            return name, default
        case ast.Subscript(slice=ast.Constant(value=str() as name)):
            return name, None
    return None


def _value_of(frame: Frame, node: ast.expr, name: str) -> Value:
    """Return the question for an attribute of an object but the method's own, or what an option is by default."""
    if (option := _option_in(node)) is not None:
        return frame.eval(option[1]) if isinstance(option[1], ast.Constant) else UNKNOWN
    if not name.startswith(OF_OTHERS) or not isinstance(node, ast.Attribute):
        return UNKNOWN
    return defer(Op.ATTRIBUTE, node.attr, (frame.eval(node.value),))


def subject_of(frame: Frame, node: ast.expr) -> tuple[str, Value]:
    """Return the name of what a condition asks about, empty if it has none, and what tells what that usually is."""
    name = _named(frame, node)
    return name, _value_of(frame, node, name) if name else UNKNOWN


def _named(frame: Frame, node: ast.expr) -> str:
    """Return the name of a parameter, or of an attribute; empty for anything else."""
    match node:
        case ast.Name() if frame.is_given(node):
            return node.id
        case ast.Attribute(value=ast.Name(id="self"), attr=name) if frame.cls:
            return f"{OWN}{name}"
        case ast.Attribute(attr=name) if path(node) is not None:
            return f"{OF_OTHERS}{name}"
    option = _option_in(node)
    return f"{OF_OTHERS}{option[0]}" if option is not None else ""


def _tells_how_often(frame: Frame, test: ast.expr, holds: bool) -> bool:
    """Whether a condition or its opposite says how often it holds, that this is training, or that there is a GPU.

    Of several one of which is enough, one alone says so only where it mostly holds.
    """
    match test:
        case ast.BoolOp(op=op, values=parts):
            found = [_tells_how_often(frame, each, holds) for each in parts]
            if isinstance(op, ast.And) is holds or all(found):
                return any(found)
            is_gate = gates.gate(test, holds, frame.conditions.tests) is not None
            return is_gate or any(_mostly_holds(frame, each, holds) for each in parts)
        case ast.UnaryOp(operand=operand):
            return _tells_how_often(frame, operand, not holds)
        case ast.Name(id=name) if (known := frame.conditions.tests.get(name)) is not None:
            return _decides(name, holds) or _tells_how_often(frame, known, holds)
        case ast.Compare(left=left, comparators=[ast.Constant(value=str() as text)]):
            is_training = any(_is_of_training(each) for each in (text, gates.last_name(left)))
            return is_training or on_devices.names_device(
                left
            )  # `logger == "tensorboard"` is chosen before the first step
        case ast.Compare(left=ast.BinOp(op=ast.Mod(), right=count)):
            return not (gates.adds_up(count) or divides_size(frame, test))
        case ast.Compare(left=left):
            return _decides(gates.last_name(left), True) or on_devices.names_device(left)
        case ast.Call() if states.asked_for(test) is not None:
            return False
    return _decides(gates.last_name(test), holds) or on_devices.names_device(test) or _is_for_gpus(test)


def _mostly_holds(frame: Frame, test: ast.expr, holds: bool) -> bool:
    """Whether a condition, or its opposite, holds in most steps on a GPU."""
    named = frame.conditions.tests
    return (
        on_devices.has_gpu(test, named) is holds
        or (holds and _is_for_gpus(test))
        or gates.gate(test, not holds, named) is not None
        or goes_without_saying(frame, test, holds)
        or states.traced(test, not holds)
        or states.failing(test, not holds)
    )


def _is_for_gpus(test: ast.expr) -> bool:
    return _like(names.FOR_GPUS, gates.last_name(test))


@lru_cache(maxsize=4096)
def _decides(name: str, holds: bool) -> bool:
    """Whether what has this name says how often code runs where it is true, or false."""
    if _is_of_training(name) or name == "TYPE_CHECKING" or name.startswith(TRACING):
        return True
    return gates.says_when(name.lower())


def _is_of_training(name: str) -> bool:
    """Whether a flag with this name, or a text, says that a program trains, or what else it does."""
    return _like(names.TRAINING, name)
