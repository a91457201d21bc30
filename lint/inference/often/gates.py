"""Conditions and names that tell how often code runs: every N steps, now and then, evaluation, batches."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import lru_cache
from typing import TypeGuard

from ...facts import naming
from ...regex import regex
from .local import EVERY_N
from .nested import nodes

_GATE = regex(rf"(?:^|_)(?:log(?:ging)?$|(?:{'|'.join(naming.GATE_WORDS)})(?:t?ing|s|d|ed)?(?:_|$))")  # no `log_prob`
_INTERVAL = regex(naming.INTERVALS)
_ACCUMULATION = regex(naming.ACCUMULATION)
_EVALUATION = regex(naming.EVALUATION_DATA)
_NO_WORD = regex(r"\W+")
_MASK = regex(naming.MASKS)
NOTHING_NAMED: Mapping[str, ast.expr] = {}


def constant(test: ast.expr) -> bool | None:
    """Return what a condition always is, for `TYPE_CHECKING`, `__debug__` and constants; None if it can be either."""
    match test:
        case ast.Constant(value=value):
            return bool(value)
        case ast.Name(id="TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING"):
            return False
        case ast.Name(id="__debug__"):
            return True
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = constant(operand)
            return None if inner is None else not inner
    return None


def is_always(test: ast.expr) -> bool:
    """Whether a condition holds whenever the program runs as a script, or has a GPU."""
    match test:
        case ast.Compare(left=ast.Name(id="__name__")):
            return True
        case ast.Call(func=ast.Attribute(attr="is_available")):
            return True
    return constant(test) is not None


def gate(test: ast.expr, holds: bool, named: Mapping[str, ast.expr] = NOTHING_NAMED) -> str | None:
    """Return why code that runs if a condition holds, or does not, runs only now and then; None if that is not so.

    `step % n == 0` and `should_log` hold now and then, `step % n` mostly. `named` are the conditions that names stand
    for.
    """
    match test:
        case _ if constant(test) is not None:
            return None
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return gate(operand, not holds, named)
        case ast.BoolOp(op=op, values=parts):
            found = [gate(part, holds, named) for part in parts]
            if isinstance(op, ast.And) is holds:  # any part is enough to make it seldom
                return EVERY_N if EVERY_N in found else next(filter(None, found), None)
            found = [why or _at_one_count(part, holds, test, named) for part, why in zip(parts, found, strict=True)]
            there = [why for part, why in zip(parts, found, strict=True) if not _asks_for_none(part)]
            return there[0] if there and all(there) else None  # `x is None or x.numel() == 0`
        case ast.BinOp(op=ast.Mod(), right=count) if not holds:
            return _every(count)
        case ast.Compare(ops=[ast.NotEq()]) if not holds:
            return _of_number(test)
        case ast.Compare(left=left, ops=[ast.Gt()], comparators=[ast.Constant(value=0)]) if not holds:
            return "only when it is empty" if _counts_elements(left) else None
        case ast.Compare(left=left, ops=[ast.Is()], comparators=[ast.Constant(value=None)]) if not holds:
            return _now_and_then(left, named)
        case _ if holds:
            return _now_and_then(test, named)
    return None


def _is_remainder(node: ast.AST) -> TypeGuard[ast.BinOp]:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod)


def _at_one_count(test: ast.expr, holds: bool, beside: ast.expr, named: Mapping[str, ast.expr]) -> str | None:
    """Return why a condition holds for one of many counts: `i == 1` beside `i % n == 0`."""
    test = named.get(test.id, test) if isinstance(test, ast.Name) else test
    match test:
        case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq() as op], comparators=[number]):
            counted = {ast.unparse(_moved(each.left)) for each in nodes(beside) if _is_remainder(each)}
            is_one = isinstance(op, ast.Eq) is holds and ast.unparse(_moved(left)) in counted
            return f"only when a counter is {ast.unparse(number)}" if is_one else None
    return None


def without_seldom(test: ast.expr, holds: bool, named: Mapping[str, ast.expr]) -> ast.expr:
    """Return what is left of several conditions one of which is enough, without those that hold now and then.

    Code that runs in most steps then runs for the rest: `each_step` of `each_step or step % 100 == 0`.
    """
    if not isinstance(test, ast.BoolOp) or isinstance(test.op, ast.And) is holds:
        return test
    rest = [each for each in test.values if not (gate(each, holds, named) or _at_one_count(each, holds, test, named))]
    return rest[0] if len(rest) == 1 else test


def _asks_for_none(test: ast.expr) -> bool:
    """Whether a condition asks whether something is given, which says nothing about how often it is."""
    match test:
        case ast.Compare(ops=[ast.Is()], comparators=[ast.Constant(value=None)]):
            return True
    return False


def _of_number(test: ast.Compare) -> str | None:
    """Return why something equals a number only now and then."""
    match test:
        case ast.Compare(left=ast.BinOp(op=ast.Mod(), right=count)):
            return _every(count)
        case ast.Compare(left=left, comparators=[ast.Constant(value=0)]) if _counts_items(left):
            return "only when it is empty"
    return None


def _every(count: ast.expr) -> str | None:
    """Return why code runs in one of so many steps; None if gradients are added up in the others: it is the step."""
    return None if adds_up(count) else EVERY_N


def adds_up(count: ast.expr) -> bool:
    """Whether a number is that of the batches whose gradients are added up to one step."""
    return _ACCUMULATION.search(last_name(count).lower()) is not None


def _counts_items(node: ast.expr) -> bool:
    """Whether an expression is the number of something's items: `len(x)`, `x.numel()`, `x.shape[0]`."""
    return _counts_elements(node) or (isinstance(node, ast.Call) and last_name(node) == "len")


def _counts_elements(node: ast.expr) -> bool:
    """Whether an expression is the size of a tensor: what a mask selects is seldom empty; a list may always be."""
    match node:
        case ast.Call(func=ast.Attribute(attr="numel" | "size" | "nelement")):
            return True
        case ast.Subscript(value=ast.Attribute(attr="shape")):
            return True
    return False


def counted(test: ast.expr, holds: bool) -> str | None:
    """Return the name that a condition compares with a constant or a length; None for other conditions.

    It is `i` of `i == 0` and of `i + 1 == len(x)`.
    """
    match test:
        case ast.BoolOp(op=op, values=parts) if isinstance(op, ast.And) is holds:
            return next(filter(None, (counted(part, holds) for part in parts)), None)
        case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq() as op], comparators=[limit]):
            if isinstance(op, ast.Eq) is not holds:
                return None
            match left, limit:
                case ast.Name(id=name), ast.Constant(value=int() | str()):
                    return name
            return _last(left, limit) or _last(limit, left)
    return None


def _last(node: ast.expr, limit: ast.expr) -> str | None:
    """Return the name that stands for the last of something's items, if it is equal to a limit: `len(x) - 1`."""
    name, length = _without(node, ast.Add), _without(limit, ast.Sub)
    is_length = isinstance(length, ast.Call) and last_name(length) == "len"
    return name.id if isinstance(name, ast.Name) and is_length else None


def _moved(node: ast.expr) -> ast.expr:
    """Return what a constant is added to, or subtracted from."""
    return _without(_without(node, ast.Add), ast.Sub)


def _without(node: ast.expr, op: type[ast.operator]) -> ast.expr:
    """Return what a constant is added to, or subtracted from; the node itself if there is none."""
    match node:
        case ast.BinOp(left=left, op=found, right=ast.Constant(value=int())) if isinstance(found, op):
            return left
    return node


def _now_and_then(test: ast.expr, named: Mapping[str, ast.expr]) -> str | None:
    """Return why a single condition without `not`, `and` and `or` holds only now and then."""
    match test:
        case ast.Name(id=name) if name in named:
            others = {key: each for key, each in named.items() if key != name}
            if (words := gate(named[name], True, others)) is not None:
                return words
        case ast.Compare(ops=[ast.Eq()]) if (words := _of_number(test)) is not None:
            return words
        case ast.Compare(left=ast.BinOp(op=ast.Mod(), right=count), ops=[op]) if not isinstance(op, ast.NotEq):
            return _every(count)
        case ast.Compare(left=left, ops=[ast.Gt() | ast.GtE() | ast.Is() | ast.IsNot(), *_]):
            return _now_and_then(left, named)
    match test:
        case ast.Name(id=name) | ast.Attribute(attr=name) if says_when(name.lower()):
            return f"only if `{name}` is true"
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if says_when(name.lower()):
            return f"only if `{name}()` is true"
        case ast.Call(func=func, args=given):
            return EVERY_N if any(names_interval(last_name(each)) for each in (func, *given)) else None
    return None


@lru_cache(maxsize=4096)
def names_interval(name: str) -> bool:
    """Whether something is named like the number of steps between two events, and not like a mask of what is within."""
    return _INTERVAL.search(name.lower()) is not None and _MASK.search(name.lower()) is None


@lru_cache(maxsize=4096)
def says_when(name: str) -> bool:
    """Whether a condition with this name holds now and then."""
    return _GATE.search(name) is not None


def last_name(node: ast.expr) -> str:
    """Return the last word of a name, attribute or call: `loader` of `self.loader()`."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Call(func=func):
            return last_name(func)
        case ast.Subscript(value=value):
            return last_name(value)
    return ""


def loader_name(node: ast.expr) -> str | None:
    """Return the name of what yields batches, through `enumerate`, `tqdm`, `zip`, `iter`; None if no name says so."""
    name = last_name(node)
    bare = name.lower().strip("_")
    if bare.endswith(naming.LOADER_WORDS):
        return name
    match node:
        case ast.Call(args=given):
            return next(filter(None, map(loader_name, given)), None)
    return None


def names_evaluation(node: ast.expr) -> bool:
    """Whether the iterable is named like evaluation data: `val_loader`, `tqdm(test_set)`, `loaders["val"]`."""
    inside = wrapped(node)
    match inside:
        case ast.Subscript(slice=ast.Constant(value=str() as name)):
            pass
        case _:
            name = loader_name(node) or last_name(inside)
    return bool(_EVALUATION.search(_NO_WORD.sub("_", name).lower()))


def wraps(node: ast.expr) -> TypeGuard[ast.Call]:
    """Whether an expression is a call of `enumerate`, `tqdm` or the like, which yields what it is given."""
    return isinstance(node, ast.Call) and last_name(node).lower() in naming.WRAPPING


def wrapped(node: ast.expr) -> ast.expr:
    """Return what is inside of such calls."""
    while wraps(node) and node.args:
        node = node.args[0]
    return node
