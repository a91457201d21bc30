"""Statements that bind anew, before the replay of a graph, what it has read while it was captured."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from ....facts.cuda_graphs import REPLAY
from ...often.nested import BLOCKS, nodes

_DEFINITIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_LOOPS: Final = (ast.For, ast.AsyncFor, ast.While)


class Rebinding(NamedTuple):
    """A statement that binds a name or attribute which a capture reads, and where that reads it."""

    statement: ast.Assign | ast.AugAssign
    read: ast.expr

    @property
    def target(self) -> ast.expr:
        """What is bound anew."""
        return self.statement.target if isinstance(self.statement, ast.AugAssign) else self.statement.targets[0]


def dotted(node: ast.AST | None) -> str:
    """Return a name, or attributes of one, as they are written; empty for anything else."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=owner, attr=name):
            return f"{owner_key}.{name}" if (owner_key := dotted(owner)) else ""
    return ""


def rebound(body: Sequence[ast.stmt], captured: Sequence[ast.stmt], graph: ast.expr) -> Iterator[Rebinding]:
    """Yield what a body binds anew between the capture of a graph in it and a replay."""
    read, name = _read(captured), dotted(graph)
    if read and name:
        yield from _before_replays(body, read, name, captured[-1].end_lineno or 0)


def rebound_by_others(
    methods: Mapping[str, Sequence[ast.stmt]], capturing: str, captured: Sequence[ast.stmt], graph: ast.expr
) -> Iterator[tuple[str, Rebinding]]:
    """Yield the attributes that other methods of a class bind anew before they replay a graph of the object.

    `methods` are their bodies by name; one that calls the `capturing` one may capture the graph again.
    """
    name = dotted(graph)
    read = {key: each for key, each in _read(captured).items() if key.startswith("self.")}
    for other, body in methods.items() if read and name.startswith("self.") else ():
        if other != capturing and not any(_mentions(each, f"self.{capturing}") for each in body):
            yield from ((other, each) for each in _before_replays(body, read, name, 0))


def _mentions(node: ast.AST, key: str) -> bool:
    return any(isinstance(each, ast.Attribute) and dotted(each) == key for each in nodes(node))


def _read(captured: Sequence[ast.stmt]) -> dict[str, ast.expr]:
    """Return the names and attributes that statements read, but for what they bind, and places in containers."""
    parts = [each for statement in captured for each in nodes(statement)]
    bound = {dotted(each) for each in parts if isinstance(getattr(each, "ctx", None), ast.Store)}
    positions = {id(part) for each in parts for part in _position(each)}
    read = (each for each in parts if isinstance(each, (ast.Name, ast.Attribute)) and id(each) not in positions)
    found = {dotted(each): each for each in read if isinstance(each.ctx, ast.Load)}
    return {key: each for key, each in found.items() if key and not any(_is_within(key, name) for name in bound)}


def _position(node: ast.AST) -> Sequence[ast.AST]:
    """Return what an expression has in it that the device never sees: a key, text."""
    match node:
        case ast.Subscript(slice=at):
            return nodes(at)
        case ast.JoinedStr():
            return nodes(node)
    return ()


def _is_within(key: str, name: str) -> bool:
    return bool(name) and (key == name or key.startswith(f"{name}."))


def _before_replays(
    body: Sequence[ast.stmt], read: Mapping[str, ast.expr], graph: str, after: int
) -> Iterator[Rebinding]:
    later = [each for each in _inside(body) if each.lineno > after]
    if any(isinstance(each, ast.Assign) and graph in map(dotted, each.targets) for each in later):
        return
    for block, is_loop in _blocks(body, after):
        replays = [at for at, each in enumerate(block) if each.lineno > after and _replays(each, graph)]
        if not replays:
            continue
        before = block if is_loop else block[: replays[-1]]
        for each in before:
            if isinstance(each, (ast.Assign, ast.AugAssign)) and each.lineno > after:
                targets = each.targets if isinstance(each, ast.Assign) else [each.target]
                key = dotted(targets[0]) if len(targets) == 1 else ""
                if key in read and not _keeps(each.value, key):
                    yield Rebinding(each, read[key])


def _inside(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    return (each for block, _ in _blocks(body, 0) for each in block)


def _blocks(body: Sequence[ast.stmt], after: int) -> Iterator[tuple[Sequence[ast.stmt], bool]]:
    """Yield the blocks of a body, not those of definitions in it, and whether a later loop repeats each."""
    todo: list[tuple[Sequence[ast.AST], bool]] = [(body, False)]
    while todo:
        block, is_loop = todo.pop()
        yield [each for each in block if isinstance(each, ast.stmt)], is_loop
        for each in block:
            if not isinstance(each, _DEFINITIONS):
                is_later = isinstance(each, _LOOPS) and each.lineno > after
                todo += ((getattr(each, name), is_later and name == "body") for name in BLOCKS.get(type(each), ()))


def _replays(statement: ast.stmt, graph: str) -> bool:
    return not isinstance(statement, _DEFINITIONS) and any(
        isinstance(each, ast.Call)
        and isinstance(each.func, ast.Attribute)
        and each.func.attr == REPLAY
        and dotted(each.func.value) == graph
        for each in nodes(statement)
    )


def _keeps(value: ast.expr, key: str) -> bool:
    """Whether a value may be the object that the name holds already: `x = x.copy_(y)`, `x = x.to(device)`."""
    match value:
        case ast.Call(func=ast.Attribute(value=receiver)):
            return dotted(receiver) == key
    return False
