"""Reads alternatives: in a dict, `heads = {"a": A(), "b": B()}`, `heads[name]`, and functions that have one name."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ....limits import LONGEST_CONDITION
from ...notes.quotation import quotation
from ...often.gates import last_name
from ...often.local import IS, Need
from ...often.nested import bound_by, nodes, statements
from ...often.regions import Region, RegionKind
from ...values.arguments import Keywords
from ...values.union import Class, Function, Module, OneOf, Sequence, Value
from ..conditions.branch_regions import region_if
from ..conditions.told import subject_of
from ..recording.command_lines import options_asked
from ..recording.registrations import kept_under, named
from ..state.frame import Frame

_CALLABLE = (Function, Module, Class)
"""What a call of one of several may run; what other files define is a part of a module."""


def chosen_from(frame: Frame, node: ast.Assign) -> str:
    """Return the name of a dict of alternatives that is assigned here; empty for anything else."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict(keys=[_, _, *_] as keys)):
            texts = all(isinstance(each, ast.Constant) and isinstance(each.value, str) for each in keys)
            told = frame.file.tables
            return name if texts and told.asked(name) and not told.gone_through(name) else ""
    return ""


def alternative(frame: Frame, name: str, key: ast.expr, node: ast.expr) -> Value:
    """Return an item of a dict of alternatives: what makes it runs where it is chosen, and so does what it is."""
    words = kept_under(frame, name, key)
    outer = frame.region
    frame.region = Region(RegionKind.CHOICE, outer, conditions=lambda: (words,))
    value = frame.eval(node)
    frame.region = outer
    frame.file.summary.chosen.update(named(frame, node, words))
    return value


def note_where_chosen(
    frame: Frame, node: ast.Call, callee: Value, name: str, runs: str, positional: tuple[Value, ...], keywords: Keywords
) -> None:
    """Record that a call of what may be one of several runs a function, where that is chosen which has a full name."""
    outer = frame.region
    frame.region = called_where(frame, node, callee, name)
    frame.note_call(runs, *options_asked(frame, node, positional, keywords))
    frame.region = outer


def called_where(frame: Frame, node: ast.Call, callee: Value, name: str) -> Region:
    """Return the region in which a call runs the function with this full name: where that is the one called here.

    Where a loop binds what it calls, all of them run, or all that are kept under a key.
    """
    match callee, node.func:
        case OneOf(), ast.Name(id=called) if (listed := _gone_through(frame, node, called)) is not None:
            return _under_key(frame, listed.value, listed.slice, name, frame.region.loop_of(called))
        case OneOf(), _ if (found := _looked_up(frame, node.func)) is not None:
            return frame.region if _are_all_keys(frame, *found) else _under_key(frame, *found, name)
        case OneOf(options), ast.Name(id=called) if all(isinstance(each, _CALLABLE) for each in options):
            last = name.rpartition(".")[2]
            if last.isidentifier() and last != called and not _is_bound_by_loop(frame, called):
                if len(choices := [*_choices(frame, called, last)]) == 1:
                    return region_if(frame, *choices[0])
                words = f"`{quotation(called, LONGEST_CONDITION)}` is `{quotation(last, LONGEST_CONDITION)}`"
                return Region(RegionKind.CHOICE, frame.region, conditions=lambda: (words,))
    return frame.region


def _looked_up(frame: Frame, node: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    """Return the dict and the key by which a function is looked up, there or where its name is bound once."""
    match node:
        case ast.Subscript(value=table, slice=key):
            return table, key
        case ast.Call(func=ast.Attribute(value=table, attr="get"), args=[key, *_], keywords=[]):
            return table, key
        case ast.Name(id=name) if not _is_bound_by_loop(frame, name):
            match frame.file.bodies.binding(frame.body).get(name):
                case [ast.Assign(targets=[ast.Name()], value=ast.Subscript() | ast.Call() as value)]:
                    return _looked_up(frame, value)
    return None


def _gone_through(frame: Frame, node: ast.Call, name: str) -> ast.Subscript | None:
    """Return the list in a dict, `stages[kind]`, that the innermost loop which binds a name goes through."""
    match _binding_loop(frame, node, name):
        case ast.For(target=ast.Name(), iter=ast.Subscript(value=table, slice=key) as listed):
            return None if _are_all_keys(frame, table, key) else listed
    return None


def _choices(frame: Frame, called: str, last: str) -> Iterator[tuple[ast.expr, bool]]:
    """Yield the conditions under which a variable is bound to the function of that name, and whether they hold."""
    body = frame.body
    for each in statements(body):
        match each:
            case ast.If(test=test):
                for block, holds in ((each.body, True), (each.orelse, False)):
                    yield from ((test, holds) for inner in block if _binds(inner, called, last))
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.IfExp(test=test) as value) if name == called:
                sides = ((value.body, True), (value.orelse, False))
                yield from ((test, holds) for side, holds in sides if last_name(side) == last)


def _binds(statement: ast.stmt, called: str, last: str) -> bool:
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name() | ast.Attribute() as value):
            return name == called and last_name(value) == last
    return False


def _under_key(frame: Frame, table: ast.expr, key: ast.expr, name: str, loop: Region | None = None) -> Region:
    """Return the region of a call of what a dict holds under a key: where that is the one of this function.

    A `loop` goes through the list that is held there. A function that is once in it is called by one of its passes, and
    so is one under a single key by a pass of the loop through the keys.
    """
    outer, held = frame.region, [(each, value) for each, value in _held(frame, table) if _is(value, name)]
    keys = [each for each, _ in held]
    if not keys or not all(isinstance(each, str) for each in keys):
        return outer
    if loop is not None and all(_times(value, name) == 1 for _, value in held):
        outer = Region(RegionKind.CHOICE, outer, counts=loop)
    asked = f"== {keys[0]!r}" if len(keys) == 1 else f"in {tuple(keys)}"
    words = quotation(f"{frame.file.source.segment(key)} {asked}", LONGEST_CONDITION)
    subject, value = subject_of(frame, key)
    needs = (Need(subject, f"{IS}{keys[0]!r}", words, value),) if subject and len(keys) == 1 else ()
    through = outer.loop_of(key.id) if isinstance(key, ast.Name) and len(keys) == 1 else None
    return Region(RegionKind.CHOICE, outer, conditions=lambda: (words,), needs=needs, counts=through)


def _times(value: Value, name: str) -> int:
    """Return how often a list holds the function with a full name."""
    return sum(_is(each, name) for each in value.items or ()) if isinstance(value, Sequence) else 1


def _is(value: Value, name: str) -> bool:
    """Whether a value is the function with a full name, or a list in which it is."""
    if isinstance(value, Sequence):
        return any(_is(each, name) for each in value.items or ())
    return isinstance(value, _CALLABLE) and value.name == name


def _held(frame: Frame, table: ast.expr) -> Iterable[tuple[object, Value]]:
    """Return what a dict holds, with its keys, as far as that can be read again."""
    match table:
        case ast.Dict(keys=keys, values=values) if all(isinstance(each, ast.Name | ast.Attribute) for each in values):
            return [
                (each.value, frame.eval(value)) for each, value in zip(keys, values) if isinstance(each, ast.Constant)
            ]
        case ast.Name() | ast.Attribute():
            known = frame.eval(table)
            if isinstance(known, Sequence) and known.items is not None:
                return zip(known.keys or (), known.items)
    return ()


def _are_all_keys(frame: Frame, table: ast.expr, key: ast.expr) -> bool:
    """Whether a key is written there, or stands for all of them: a loop goes through the dict, or what is written."""
    name = last_name(table)
    if isinstance(key, ast.Constant) or (name and frame.file.tables.gone_through(name)):
        return True
    if not isinstance(key, ast.Name) or frame.region.loop_of(key.id) is None:
        return False
    loop = _binding_loop(frame, key, key.id)
    return loop is None or not any(isinstance(each, ast.Name | ast.Attribute) for each in nodes(loop.iter))


def _binding_loop(frame: Frame, node: ast.expr, name: str) -> ast.For | ast.AsyncFor | None:
    """Return the innermost loop around a place that binds a name."""
    loops = (each for each in statements(frame.body) if isinstance(each, ast.For | ast.AsyncFor))
    binding = (each for each in loops if name in bound_by(each) and _is_around(each, node))
    return max(binding, key=lambda each: each.lineno, default=None)


def _is_around(loop: ast.stmt, node: ast.expr) -> bool:
    return loop.lineno <= node.lineno <= (loop.end_lineno or 0)


def _is_bound_by_loop(frame: Frame, name: str) -> bool:
    """Whether a loop around this place binds a name, in its head or its body."""
    if frame.region.loop_of(name) is not None:
        return True
    return any(name in bound_by(each) for loop in frame.loops for each in statements(loop.body))
