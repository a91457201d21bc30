"""Names the choices that a condition hangs on: options, the configuration, whether an argument is given, processes.

They are made before the first step, or by whoever calls, and nobody can tell them from the text; a line behind one runs
as often as is said only where it was made. Chance is told like a choice. What hangs on data is none: tensors, shapes,
the names of a loop.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache, partial

from ....facts import choices as names
from ....facts.naming import COUNTERS, WARM_UPS
from ....facts.states import TRACING
from ....regex import regex
from ...often import gates
from ...often.local import Need
from ...often.options import FOR_GPUS
from ...often.regions import Region
from ...often.signature import written
from ...often.states import asked_for
from ...values.union import Batch, Host, Instance, Sequence, Tensor, options_of
from ..state.frame import Frame
from ..state.scope import path
from .chance import hangs_on_chance
from .kept_options import keeps_options, may_be_none
from .wording import worded

_CONSTANT = regex(r"^[A-Z][A-Z0-9_]*$")


@lru_cache(maxsize=4096)
def _like(pattern: str, name: str) -> bool:
    """Whether a name is of a kind, whatever its case; the same few are asked for all the time."""
    return re.search(pattern, name.lower()) is not None


def choices(frame: Frame, test: ast.expr, holds: bool, region: Region) -> tuple[str, ...]:
    """Return the choices that were made if a condition in a region holds, or does not, as people write them.

    They are asked for when the body has been read, and found out once: another pass of a loop tells nothing new.
    """
    known = frame.file.choices.get((test, holds))
    if known is None:
        outer, frame.region = frame.region, region
        known = frame.file.choices[test, holds] = tuple(
            worded(frame, part, wanted)
            for part, wanted in _parts(test, holds)
            if _is_choice(frame, part) and not _tells_how_often(frame, part)
        )
        frame.region = outer
    return known


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
    """Yield what parameters must be for a condition to hold, or not to hold, as far as they are never rebound."""
    for part, wanted in _parts(test, holds):
        match part:
            case ast.Name() if frame.is_given(part):
                yield part.id, "true" if wanted else "false"
            case _ if (asked := asked_for(part)) is not None:
                if isinstance(asked[0], ast.Name) and frame.is_given(asked[0]):
                    yield asked[0].id, "None" if asked[1] is wanted else "given"


def _tells_how_often(frame: Frame, test: ast.expr) -> bool:
    """Whether a condition or its opposite says how often it holds, that this is training, or that there is a GPU."""
    match test:
        case ast.BoolOp(values=parts):
            return any(_tells_how_often(frame, each) for each in parts)
        case ast.UnaryOp(operand=operand):
            return _tells_how_often(frame, operand)
        case ast.Name(id=name) if (known := frame.conditions.tests.get(name)) is not None:
            return _decides(name) or _tells_how_often(frame, known)
        case ast.Compare(left=left, comparators=[ast.Constant(value=str() as text)]) if _like(names.TRAINING, text):
            return True
        case ast.Compare(left=left):
            return _decides(gates.last_name(left)) or gates.names_device(left)
        case ast.Call() if asked_for(test) is not None:
            return False
    name = gates.last_name(test)
    return _decides(name) or gates.names_device(test) or FOR_GPUS.search(name.lower()) is not None


@lru_cache(maxsize=4096)
def _decides(name: str) -> bool:
    """Whether what has this name says how often code runs."""
    if _like(names.TRAINING, name) or name == "TYPE_CHECKING" or name in TRACING:
        return True
    return gates.says_when(name.lower()) or _like(WARM_UPS, name)


def _is_choice(frame: Frame, test: ast.expr) -> bool:
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _is_choice(frame, operand)
        case ast.BoolOp(values=values):
            return all(_is_choice(frame, each) for each in values)
        case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot()], comparators=[ast.Constant()]):
            return _is_chosen(frame, left, "given")
        case ast.Call() if (asked := asked_for(test)) is not None:
            return _is_chosen(frame, asked[0], "given")
        case ast.Compare(left=ast.Constant(value=None), ops=[ast.In() | ast.NotIn()]):
            return True  # what is not computed is None in a list of results
        case _ if hangs_on_chance(frame, test):
            return True
        case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()], comparators=[ast.Name() | ast.Attribute() as held]):
            return isinstance(left, ast.Constant) and _is_chosen(frame, held, "options")
        case ast.Compare(left=left, ops=[_], comparators=[right]) if _is_rank(left) and _is_rank(right):
            return True
        case ast.Compare(left=left, ops=[_], comparators=[right]):
            return _is_settled(frame, right) and _is_chosen(frame, left, "text" if _is_text(right) else "number")
        case ast.Compare(left=low, comparators=[asked, high]):
            return _is_settled(frame, low) and _is_settled(frame, high) and _is_chosen(frame, asked, "number")
    return _is_chosen(frame, test, "truth")


def _is_rank(node: ast.expr) -> bool:
    """Whether an expression is named like the number of a process: `source_rank`."""
    return isinstance(node, ast.Name | ast.Attribute) and gates.last_name(node).lower().endswith("rank")


def _is_settled(frame: Frame, node: ast.expr) -> bool:
    """Whether an expression is a constant, or several, or one by its name."""
    match node:
        case ast.Constant():
            return True
        case ast.UnaryOp(operand=operand):
            return _is_settled(frame, operand)
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            return all(_is_settled(frame, each) for each in parts)
        case ast.Name(id="inf") | ast.Attribute(attr="inf"):
            return True
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return _CONSTANT.match(name) is not None or _is_chosen(frame, node, "options")
    return False


def _is_text(node: ast.expr) -> bool:
    """Whether an expression is a text, or a name among several."""
    match node:
        case ast.Constant(value=value):
            return isinstance(value, str)
        case ast.Tuple(elts=[first, *_]) | ast.List(elts=[first, *_]) | ast.Set(elts=[first, *_]):
            return _is_text(first)
    return isinstance(node, ast.Name | ast.Attribute)


def _is_chosen(frame: Frame, node: ast.expr, asked: str) -> bool:
    """Whether an expression reads a choice; `asked` is what the condition wants to know of it."""
    match node:
        case ast.NamedExpr(value=value):
            return _is_chosen(frame, value, asked)
        case ast.BinOp(left=left, op=op, right=right) if asked == "number" and not isinstance(op, ast.Mod):
            chosen = [_is_chosen(frame, each, asked) for each in (left, right)]
            return all(chosen) or (any(chosen) and _is_settled(frame, left if chosen[1] else right))
        case ast.Name(id=name):
            return _is_chosen_name(frame, name, asked)
        case ast.Attribute(attr=name):
            return _is_chosen_attribute(frame, node, name, asked)
        case ast.Subscript(value=held, slice=ast.Constant(value=str())):
            return _is_of_configuration(frame, node) or (asked == "truth" and _is_kept(frame, held))
        case ast.Call(func=ast.Name(id="bool" | "int" | "float" | "str"), args=[inner]):
            return _is_chosen(frame, inner, asked)
        case ast.Call(func=ast.Name(id="len"), args=[inner]):
            return _is_of_configuration(frame, inner)
        case ast.Call(func=ast.Name(id="callable"), args=[inner]):
            return _is_chosen(frame, inner, "given")
        case ast.Call(func=func, args=given):
            return _is_chosen_call(frame, func, given)
    return False


def _is_kept(frame: Frame, node: ast.expr) -> bool:
    """Whether an expression is an attribute of the object that the method belongs to: what it keeps stays as it is."""
    return isinstance(node, ast.Attribute) and isinstance(frame.env.get((path(node) or "").partition(".")[0]), Instance)


def _is_chosen_name(frame: Frame, name: str, asked: str) -> bool:
    if (test := frame.conditions.tests.get(name)) is not None:
        return name not in _names(test) and (_is_choice(frame, test) or _keeps_options(frame, name))
    if frame.region.loop_of(name) is not None or _like(COUNTERS, name):
        return False
    if _like(names.PROCESSES, name) or _CONSTANT.match(name):
        return True
    value = frame.env.get(name)
    if asked != "given" and any(isinstance(each, Tensor | Batch | Sequence) for each in options_of(value or Host(""))):
        return False
    if value is None:
        return asked != "options" and any(name in outer for outer in frame.closure)
    if _is_chosen_by_caller(frame, name, asked) or (asked == "truth" and _like(names.FLAGS, name)):
        return True
    if asked == "given":
        return may_be_none(frame, name, partial(_is_choice, frame), partial(_is_options, frame))
    return asked == "truth" and _keeps_options(frame, name)


def _keeps_options(frame: Frame, name: str) -> bool:
    return keeps_options(frame, name, partial(_reads_option, frame))


def _reads_option(frame: Frame, node: ast.expr) -> bool:
    """Whether an expression reads a part of a configuration, by its name or by a call with that."""
    if isinstance(node, ast.Call):
        return gates.last_name(node) in names.READING and _is_chosen_call(frame, node.func, node.args)
    return _is_of_configuration(frame, node)


def _is_chosen_by_caller(frame: Frame, name: str, asked: str) -> bool:
    """Whether a name is that of a parameter which is an option, by its default, or by what is asked of it."""
    for each, default in written(frame.node.args) if frame.node is not None else ():
        if each.arg == name:
            if asked in ("given", "text"):
                return True
            return isinstance(default, ast.Constant) or (asked == "truth" and _is_bool(each.annotation))
    return False


def _is_bool(annotation: ast.expr | None) -> bool:
    return isinstance(annotation, ast.Name) and annotation.id == "bool"


def _is_chosen_attribute(frame: Frame, node: ast.Attribute, name: str, asked: str) -> bool:
    if asked == "number" and _like(COUNTERS, name):
        return False
    if _is_of_configuration(frame, node) or _like(names.PROCESSES, name) or _CONSTANT.match(name):
        return True
    key = path(node)
    if key is None or frame.region.loop_of(root := key.partition(".")[0]) is not None:
        return False
    if isinstance(frame.env.get(root), Instance) or root not in frame.env:
        return True
    return asked == "truth" and (_like(names.FLAGS, name) or _like(names.ASKING, name))


def _is_of_configuration(frame: Frame, node: ast.expr) -> bool:
    """Whether an expression reads a part of what is named like a configuration, and no loop goes through those."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
        name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
        if _like(names.CONFIGURATIONS, name):
            return frame.region.loop_of(name) is None
    return False


def _is_chosen_call(frame: Frame, func: ast.expr, given: list[ast.expr]) -> bool:
    """Whether a call tells how many processes there are, or reads an option by its name."""
    name = gates.last_name(func)
    if not given and _like(names.ASKED_OF_PROCESSES, name):
        return True
    if name in names.READING and any(isinstance(each, ast.Constant) for each in given[:2]):
        held = func.value if isinstance(func, ast.Attribute) else given[0]
        return name == "getenv" or _is_options(frame, held)
    if isinstance(func, ast.Attribute) and name in names.TEXT_METHODS:
        return _is_chosen(frame, func.value, "text")
    return False


def _is_options(frame: Frame, node: ast.expr) -> bool:
    """Whether an expression is a configuration, or the object that the method belongs to."""
    name = gates.last_name(node)
    if isinstance(node, ast.Name) and isinstance(frame.env.get(name), Instance):
        return True
    if isinstance(node, ast.Attribute) and _is_of_configuration(frame, node):
        return True
    return isinstance(node, ast.Name | ast.Attribute) and _like(names.CONFIGURATIONS, name)


def _names(test: ast.expr) -> set[str]:
    return {each.id for each in ast.walk(test) if isinstance(each, ast.Name)}
