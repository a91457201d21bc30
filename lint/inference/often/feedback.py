"""Loops whose passes work on what earlier ones have found: over tokens or denoising steps, not over items of data."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from ...files.parts import PARTS
from .nested import nodes, statements


class Feedback:
    """What the passes of a loop with this body hand to later ones."""

    def __init__(self, body: Sequence[ast.stmt]) -> None:
        stored, sources = _Stores(), _Sources(body)
        for statement in body:
            stored.visit(statement)
        self._again = stored.early | stored.changed
        self._sources = sources.of
        self._assigned = sources.assigned

    def reaches(self, given: Sequence[ast.expr], fresh: Collection[str]) -> bool:
        """Whether expressions in the body depend on what an earlier pass of the loop has bound or changed.

        Names and attributes are followed through the body's assignments, in no particular order; those in `fresh`,
        which the loop binds itself, are another item's in each pass: `for x in data: x = x.cuda()`.
        """
        return any(map(self._is_again(fresh), self._made_of({name for each in given for name in _names(each)})))

    def returns(self, call: ast.Call, fresh: Collection[str]) -> bool:
        """Whether a call in the body is given what it gave in an earlier pass: `tokens = decode(tokens, state)`."""
        given = {name for each in (*call.args, *(each.value for each in call.keywords)) for name in _names(each)}
        again = [*filter(self._is_again(fresh), self._made_of(given))]
        if not again:
            return False
        bound = {name for targets, value in self._assigned if call in nodes(value) for name in targets}
        return any(not bound.isdisjoint(self._made_of({name})) for name in again)

    def _is_again(self, fresh: Collection[str]) -> Callable[[str], bool]:
        """Return whether an earlier pass leaves what a name stands for."""
        return lambda name: name in self._again and name.partition(".")[0] not in fresh

    def _made_of(self, names: set[str]) -> Iterator[str]:
        """Yield names, and those that they are made of."""
        seen: set[str] = set()
        todo = {*names}
        while todo:
            name = todo.pop()
            yield name
            seen.add(name)
            todo |= self._sources.get(name, set()) - seen


class _Stores(ast.NodeVisitor):
    """Finds what a body reads before it binds it, and what it changes, in the order of its text."""

    def __init__(self) -> None:
        self.read: set[str] = set()
        self.bound: set[str] = set()
        self.early: set[str] = set()
        self.changed: set[str] = set()

    def generic_visit(self, node: ast.AST) -> None:
        """Visit all that is in a node, without operators and contexts."""
        for name in PARTS[type(node)]:
            part = getattr(node, name, None)
            for each in part if isinstance(part, list) else (part,):
                if isinstance(each, ast.AST):
                    self.visit(each)

    def visit_Assign(self, node: ast.Assign) -> None:
        self.visit(node.value)
        for target in node.targets:
            self.visit(target)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.visit(node.value)
        self.changed.update(_bound(node.target))

    def visit_Expr(self, node: ast.Expr) -> None:
        """Take a method called for nothing but what it does, `tokens.append(x)`, as a change of its object."""
        self.generic_visit(node)
        match node.value:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name))):
                self.changed.add(name)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Store):
            self.changed.update(_bound(node.value))

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self._note(_written(node), node.ctx)
        self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        self._note(node.id, node.ctx)

    def _note(self, name: str, ctx: ast.expr_context) -> None:
        if isinstance(ctx, ast.Load):
            if name not in self.bound:
                self.read.add(name)
            return
        if name in self.read:
            self.early.add(name)
        self.bound.add(name)


class _Sources:
    """Finds from which names the names of a body are made."""

    def __init__(self, body: Sequence[ast.stmt]) -> None:
        self.of: dict[str, set[str]] = {}
        self.assigned: list[tuple[list[str], ast.expr]] = []
        for statement in statements(body):
            match statement:
                case ast.Assign(targets=targets, value=value):
                    self._note(targets, value)
                case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.For(target=target, iter=value):
                    self._note([target], value)
                case ast.With(items=items):
                    for item in items:
                        if item.optional_vars is not None:
                            self._note([item.optional_vars], item.context_expr)

    def _note(self, targets: Iterable[ast.expr], value: ast.expr) -> None:
        names = set(_names(value))
        bound = [name for target in targets for name in _bound(target)]
        self.assigned.append((bound, value))
        for name in bound:
            self.of.setdefault(name, set()).update(names)


def _names(node: ast.expr) -> Iterator[str]:
    """Yield the names and attributes that an expression reads."""
    for each in nodes(node):
        match each:
            case ast.Name(id=name, ctx=ast.Load()):
                yield name
            case ast.Attribute(ctx=ast.Load()):
                yield _written(each)


def _written(node: ast.Attribute) -> str:
    """Return an attribute as it is written; most are those of names, for which that is simple."""
    parts, base = [node.attr], node.value
    while isinstance(base, ast.Attribute):
        parts.append(base.attr)
        base = base.value
    return ".".join([base.id, *reversed(parts)]) if isinstance(base, ast.Name) else ast.unparse(node)


def _bound(target: ast.expr) -> Iterator[str]:
    """Yield the names and attributes that an assignment binds, in a tuple or an item, too."""
    match target:
        case ast.Name(id=name):
            yield name
        case ast.Attribute():
            yield _written(target)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                yield from _bound(part)
        case ast.Starred(value=inner) | ast.Subscript(value=inner):
            yield from _bound(inner)
