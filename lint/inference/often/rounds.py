"""What loops go through: what collectors yield, parts of a whole, processes."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from ...facts import choices, naming
from ...limits import FURTHEST, SMALLEST
from ...regex import regex
from .gates import last_name
from .nested import statements

ELSEWHERE: Final = (ast.For, ast.AsyncFor, ast.While, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
"""What is inside of these is no part of the loop around them."""
_COLLECTOR = regex(naming.COLLECTORS)
_PROCESSES = regex(choices.PROCESSES)
_ASKED_OF_PROCESSES = regex(choices.ASKED_OF_PROCESSES)


def ends_at_once(loop: ast.For | ast.AsyncFor) -> bool:
    """Whether a loop's first pass is its last: `for batch in loader: show(batch); break`."""
    return isinstance(loop.body[-1], ast.Break | ast.Return) and not any(map(_goes_on, loop.body))


def _goes_on(node: ast.AST) -> bool:
    """Whether there is a `continue`, of this loop."""
    if isinstance(node, ast.Continue):
        return True
    return not isinstance(node, ELSEWHERE) and any(map(_goes_on, ast.iter_child_nodes(node)))


def goes_by_parts(iterable: ast.expr) -> bool:
    """Whether a loop has a pass for each part of a whole, which may be one: `range(0, len(x), chunk_size)`."""
    match iterable:
        case ast.Call(func=ast.Name(id="range" | "trange"), args=[_, _, ast.Constant(value=int(size))]):
            return size >= SMALLEST
        case ast.Call(func=ast.Name(id="range" | "trange"), args=[_, _, size]):
            return isinstance(size, ast.Name | ast.Attribute)
        case ast.Call(func=ast.Name(id="enumerate" | "tqdm"), args=[inner, *_]):
            return goes_by_parts(inner)
    return False


def is_process(node: ast.expr) -> bool:
    """Whether an expression is named like the number of a process, or of all of them: `rank`, `dist.get_rank()`."""
    name = last_name(node).lower()
    return (_ASKED_OF_PROCESSES if isinstance(node, ast.Call) else _PROCESSES).search(name) is not None


def goes_through_collector(iterable: ast.expr) -> bool:
    """Whether a loop goes through what a collector of experience yields."""
    return any(_COLLECTOR.search(name.lower()) for name in _names(iterable))


def _names(node: ast.expr) -> Iterator[str]:
    """Yield the names that an iterable is made from: `files` of `enumerate(tqdm(self.files[1:]))`."""
    yield last_name(node)
    match node:
        case ast.Call(args=given):
            for each in given:
                yield from _names(each)
        case ast.BinOp(left=left, right=right):
            yield from _names(left)
            yield from _names(right)


def lists_bound(body: Iterable[ast.stmt]) -> dict[str, list[ast.expr]]:
    """Return by name the displays of lists in a body that may have an item for each process."""
    found: dict[str, list[ast.expr]] = {}
    for statement in statements(body):
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.ListComp | ast.BinOp):
            for target in statement.targets:
                if isinstance(target, ast.Name):
                    found.setdefault(target.id, []).append(statement.value)
    return found


def goes_through_processes(iterable: ast.expr, lists: Mapping[str, Sequence[ast.expr]], left: int = FURTHEST) -> bool:
    """Whether a loop has one pass for each process, given the lists bound there: on one GPU there is one."""
    match iterable:
        case ast.Call(func=ast.Name(id="range"), args=[count]):
            return _counts_processes(count)
        case ast.Call(func=ast.Name(id="zip" | "enumerate"), args=given):
            return any(goes_through_processes(each, lists, left) for each in given)
        case ast.Name(id=name) if left > 0:
            return any(_has_each_process(each, lists, left - 1) for each in lists.get(name, ()))
    return False


def _has_each_process(made: ast.expr, lists: Mapping[str, Sequence[ast.expr]], left: int) -> bool:
    """Whether an expression makes a list of as many items as there are processes."""
    match made:
        case ast.ListComp(generators=[ast.comprehension(iter=inner)]):
            return goes_through_processes(inner, lists, left)
        case ast.BinOp(left=ast.List(), op=ast.Mult(), right=count):
            return _counts_processes(count)
    return False


def _counts_processes(node: ast.expr) -> bool:
    """Whether an expression is the number of processes, by its name."""
    names = _ASKED_OF_PROCESSES if isinstance(node, ast.Call) else _PROCESSES
    return names.search(last_name(node).lower()) is not None
