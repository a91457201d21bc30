"""Rewritings of masked losses, which reach from the mask over the loss to where the loss is created."""

from __future__ import annotations

import ast
from typing import Final, NamedTuple

import libcst as cst

from ...offers import Edit
from ..expression import expression
from ..module import Module
from ..place import Place, is_nothing
from ..syntax import bindings, follows, full_name, is_alone, is_constant, is_name, uses
from .arguments import added, with_argument

CLASS: Final = "torch.nn.CrossEntropyLoss"
FUNCTION: Final = "torch.nn.functional.cross_entropy"


class _Selection(NamedTuple):
    """The statements `mask = target != ignored`, `scores = scores[mask]` and `target = target[mask]`, and the next."""

    rows: list[ast.stmt]
    behind: ast.stmt
    scores: str
    target: str
    ignored: ast.expr


def ignored_by_loss(place: Place) -> list[Edit] | None:
    """Pass `ignore_index=` to the cross entropy that is all that is computed of what a mask `target != ignored` keeps.

    The loss may be a function, or a module of the same class; a method may return what is kept to the only caller.
    """
    module = place.module
    found = _selection(place)
    scope = module.scope(place.node)
    if found is None or not isinstance(scope, ast.FunctionDef):
        return None
    call = _loss(found.scores, found.target, found.rows[-1], scope, module) or _returned(found, scope, module)
    made = None if call is None else _made(call, module)
    if call is None or made is None or any(each.arg == "ignore_index" or each.arg is None for each in made.keywords):
        return None
    passed = _passed(Place(module, call), Place(module, made), module.text(found.ignored), "row" in place.details)
    start, end = (module.source.span(each) for each in (found.rows[0], found.behind))
    if passed is None or any("#" in line for line in module.source.lines[start.row - 1 : end.row - 1]):
        return None
    return [Edit(start.row, start.column, end.row, end.column, ""), *passed]


def _passed(call: Place, made: Place, ignored: str, is_row: bool) -> list[Edit] | None:
    """Return the edits that have the loss skip a value; a mask makes one row of all entries, and so must `flatten`."""
    tree = call.call
    if tree is None:
        return None
    if not is_row:
        scores, target = (cst.ensure_type(each.value, cst.Name).value for each in tree.args[:2])
        rows = (f"{scores}.flatten(0, -2)", f"{target}.flatten()")
        args = [each.with_changes(value=expression(row)) for each, row in zip(tree.args, rows)]
        tree = tree.with_changes(args=[*args, *tree.args[2:]])
    if call.node is made.node:
        return call.rewritten(with_argument(tree, "ignore_index", ignored))
    flat, passed = call.rewritten(tree), added(made, "ignore_index", ignored)
    return None if flat is None or passed is None else [each for each in (*flat, *passed) if not is_nothing(each)]


def _selection(place: Place) -> _Selection | None:
    """Return the three statements of which the place is in one of the last two."""
    module = place.module
    statement = module.statement(place.node)
    block = module.block(statement) if statement else None
    at = next((at for at, each in enumerate(block or ()) if each is statement), 0)
    for start in (at - 2, at - 1):
        rows = block[start : start + 4] if block is not None and start >= 0 else []
        if len(rows) == 4 and all(is_alone(each, module) for each in rows):
            found = _masked(rows, module)
            if found is not None:
                return found
    return None


def _masked(rows: list[ast.stmt], module: Module) -> _Selection | None:
    match rows:
        case [
            ast.Assign(
                targets=[ast.Name(id=mask)],
                value=ast.Compare(left=ast.Name(id=target), ops=[ast.NotEq()], comparators=[ignored]),
            ),
            ast.Assign() as one,
            ast.Assign() as other,
            behind,
        ]:
            names = [_kept(each, mask) for each in (one, other)]
        case _:
            return None
    scope = module.scope(rows[0])
    if len(uses(mask, [scope])) != 2 or bindings(mask, [scope]) != 1 or not is_constant(ignored, module):
        return None
    scores = next((each for each in names if each != target), None)
    return _Selection(rows[:3], behind, scores, target, ignored) if scores and target in names else None


def _kept(statement: ast.Assign, mask: str) -> str | None:
    """Return the name in `name = name[mask]`."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript(value=value, slice=index)):
            return name if is_name(value, name) and is_name(index, mask) else None
    return None


def _loss(scores: str, target: str, after: ast.stmt, scope: ast.FunctionDef, module: Module) -> ast.Call | None:
    """Return the call `loss(scores, target)`, if nothing else is done with the two behind a statement."""
    if any(isinstance(each, ast.For | ast.AsyncFor | ast.While | ast.Try) for each in module.around(after)):
        return None
    later = [each for each in ast.walk(scope) if isinstance(each, ast.Name) and each.id in (scores, target)]
    later = [each for each in later if follows(each, after)]
    calls = {module.parents.get(each) for each in later}
    call = calls.pop() if len(calls) == 1 else None
    if len(later) != 2 or not isinstance(call, ast.Call) or len(call.args) != 2 or module.scope(call) is not scope:
        return None
    return call if is_name(call.args[0], scores) and is_name(call.args[1], target) else None


def _returned(found: _Selection, method: ast.FunctionDef, module: Module) -> ast.Call | None:
    """Return the call of the loss in the only caller of a method that ends with what is kept."""
    given = found.behind.value if isinstance(found.behind, ast.Return) else None
    names = [each.id for each in given.elts if isinstance(each, ast.Name)] if isinstance(given, ast.Tuple) else []
    calls = [each for each in ast.walk(module.source.tree) if _is_on_self(each, method.name)]
    call = module.parents.get(calls[0]) if len(calls) == 1 else None
    scope = module.scope(call) if isinstance(call, ast.Call) else None
    if sorted(names) != sorted((found.scores, found.target)) or not isinstance(scope, ast.FunctionDef):
        return None
    if module.parents.get(scope) is not module.parents.get(method) or not isinstance(call, ast.Call):
        return None
    match module.parents.get(call):
        case ast.Assign(targets=[ast.Tuple(elts=[ast.Name(id=one), ast.Name(id=other)])]) as taken:
            own = dict(zip(names, (one, other)))
            return _loss(own[found.scores], own[found.target], taken, scope, module)
    return None


def _made(call: ast.Call, module: Module) -> ast.Call | None:
    """Return the call that `ignore_index` is passed to: of the function, or of the class in the only assignment."""
    if full_name(call.func, module) == FUNCTION:
        return call
    if not _is_on_self(call.func, "") or not isinstance(call.func, ast.Attribute):
        return None
    name = call.func.attr
    every = [each for each in ast.walk(module.source.tree) if isinstance(each, ast.Attribute) and each.attr == name]
    stores = [each for each in every if isinstance(each.ctx, ast.Store)]
    if len(every) != 2 or len(stores) != 1:
        return None
    match module.parents.get(stores[0]):
        case ast.Assign(targets=[_], value=ast.Call(func=func, args=[]) as made) if full_name(func, module) == CLASS:
            return made
    return None


def _is_on_self(node: ast.AST, name: str) -> bool:
    """Whether this is `self.name`, or `self.` anything."""
    return isinstance(node, ast.Attribute) and is_name(node.value, "self") and name in ("", node.attr)
