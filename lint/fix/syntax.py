"""Questions about syntax trees: which expressions have no effects, and what is written where."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TypeGuard

from .module import Module


def is_path(node: ast.AST) -> bool:
    """Whether this is a name, or an attribute of one: evaluating it twice is as good as once."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def number(node: ast.AST) -> float | None:
    """Return the number that a literal is, if every dtype of floats can hold it; else None."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = number(node.operand)
        return None if inner is None else -inner
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and abs(node.value) <= 60_000:
        return node.value
    return None


def method(node: ast.AST, *names: str) -> ast.Call | None:
    """Return the node if it is a call `x.name(…)` of one of these names."""
    is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in names
    return node if is_call and isinstance(node, ast.Call) else None


def reads_device(node: ast.AST) -> bool:
    """Whether something in a node brings values to the host, and waits for them itself."""
    return any(method(each, "item", "tolist", "cpu", "numpy") for each in ast.walk(node))


def within(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield everything in some nodes."""
    for node in nodes:
        yield from ast.walk(node)


def uses(name: str, nodes: Iterable[ast.AST]) -> list[ast.Name]:
    """Return where a name is read."""
    return [each for each in within(nodes) if isinstance(each, ast.Name) and each.id == name and _is_read(each)]


def _is_read(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)


def bindings(name: str, nodes: Iterable[ast.AST]) -> int:
    """Return how often something in some nodes binds or deletes a name, declares it global, or captures it."""
    count = 0
    for node in within(nodes):
        match node:
            case ast.Name(id=id, ctx=ast.Store() | ast.Del()):
                count += id == name
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                count += 2 * (name in names)
            case ast.arg(arg=id) | ast.FunctionDef(name=id) | ast.AsyncFunctionDef(name=id) | ast.ClassDef(name=id):
                count += id == name
            case ast.alias(name=id, asname=other):
                count += (other or id) == name
            case ast.ExceptHandler(name=id) | ast.MatchAs(name=id) | ast.MatchStar(name=id) | ast.MatchMapping(rest=id):
                count += id == name
    return count


def is_bound(name: str, node: ast.expr, module: Module) -> bool:
    """Whether a name is a parameter, or bound before the statement of a node in any case."""
    scope = module.scope(node)
    if not isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    if any(each.arg == name for each in ast.walk(scope.args) if isinstance(each, ast.arg)):
        return True
    statement = module.statement(node)
    while statement is not None and statement is not scope:
        block = module.block(statement) or []
        before = block[: next((at for at, each in enumerate(block) if each is statement), 0)]
        targets = [each.targets if isinstance(each, ast.Assign) else [each.target] for each in before if _binds(each)]
        if any(bindings(name, each) for each in targets):
            return True
        if isinstance(statement, ast.For) and bindings(name, [statement.target]):
            return True
        statement = module.statement(statement)
    return False


def _binds(statement: ast.stmt) -> TypeGuard[ast.Assign | ast.AnnAssign]:
    return isinstance(statement, ast.Assign) or (isinstance(statement, ast.AnnAssign) and statement.value is not None)


def full_name(node: ast.AST, module: Module) -> str | None:
    """Return the full name of an imported function or class: `torch.nn.Linear` of `nn.Linear`."""
    if isinstance(node, ast.Attribute):
        above = full_name(node.value, module)
        return above and f"{above}.{node.attr}"
    if not isinstance(node, ast.Name) or bindings(node.id, [module.source.tree]) > 1:
        return None
    for statement in module.source.tree.body:
        if isinstance(statement, ast.ImportFrom) and not statement.level:
            for each in statement.names:
                if (each.asname or each.name) == node.id:
                    return f"{statement.module}.{each.name}"
    return module.imports.get(node.id)


def is_constant(node: ast.AST, module: Module) -> bool:
    """Whether this is a number, or a name that the module gives one, once."""
    if number(node) is not None:
        return True
    if not isinstance(node, ast.Name) or bindings(node.id, [module.source.tree]) != 1:
        return False
    return any(
        name.id == node.id and number(value) is not None
        for each in module.source.tree.body
        if isinstance(each, ast.Assign) and len(each.targets) == 1
        for name, value in assigned(each.targets[0], each.value)
    )


def assigned(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.Name, ast.expr]]:
    """Yield the names that are assigned to, and their values; of tuples, each."""
    if isinstance(target, ast.Name):
        yield target, value
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        for one, other in zip(target.elts, value.elts):
            yield from assigned(one, other)


def is_name(node: ast.AST | None, name: str) -> bool:
    """Whether this is a certain name."""
    return isinstance(node, ast.Name) and node.id == name


def follows(node: ast.expr | ast.stmt, other: ast.expr | ast.stmt) -> bool:
    """Whether a node stands behind the end of another."""
    return (node.lineno, node.col_offset) >= (other.end_lineno or 0, other.end_col_offset or 0)


def is_written(text: str, nodes: Iterable[ast.AST]) -> bool:
    """Whether a name or attribute path may be bound or changed in place: `x = …`, `x += …`, `x[…] = …`, `x.add_()`.

    A write to a part of the path, or to an attribute of it, counts as well; so does handing it to a call by itself.
    """
    for node in within(nodes):
        match node:
            case ast.Name(ctx=ast.Store() | ast.Del()) | ast.Attribute(ctx=ast.Store() | ast.Del()):
                written: ast.AST = node
            case ast.Subscript(value=value, ctx=ast.Store() | ast.Del()):
                written = value
            case ast.Call(func=ast.Attribute(value=value, attr=attr)) if attr.endswith("_") and not attr.endswith("__"):
                written = value
            case ast.Call(args=args, keywords=keywords) if any(
                ast.unparse(each) == text for each in (*args, *(each.value for each in keywords)) if is_path(each)
            ):
                return True
            case _:
                continue
        path = ast.unparse(_root(written))
        if path == text or text.startswith(f"{path}."):
            return True
    return False


def _root(node: ast.AST) -> ast.AST:
    """Return the path that a chain of subscripts and calls begins with."""
    while not is_path(node):
        inner = getattr(node, "value", None) or getattr(node, "func", None)
        if not isinstance(inner, ast.AST):
            return node
        node = inner
    return node


def is_free(name: str, module: Module) -> bool:
    """Whether no name or attribute of a module is this one, which Python may know in another spelling."""
    if name in module.source.text or module.source.text.isascii():
        return name not in module.source.text
    words = {each.id for each in ast.walk(module.source.tree) if isinstance(each, ast.Name)}
    words |= {each.arg for each in ast.walk(module.source.tree) if isinstance(each, ast.arg)}
    return name not in words


def is_alone(statement: ast.stmt, module: Module) -> bool:
    """Whether a statement has its lines for itself, so that another can be put before it, or it can be removed."""
    span = module.source.span(statement)
    lines = module.source.lines
    before, after = lines[span.row - 1][: span.column - 1], lines[span.end_row - 1][span.end_column - 1 :]
    return not before.strip() and (not after.strip() or after.lstrip().startswith("#"))


def is_unconditional(node: ast.AST, statement: ast.stmt, module: Module) -> bool:
    """Whether a statement always evaluates a node in it, once."""
    around: list[ast.AST] = []
    for each in module.around(node):
        if each is statement:
            return not any(isinstance(one, _CONDITIONAL) for one in around)
        around.append(each)
    return False


_CONDITIONAL = (
    ast.IfExp,
    ast.BoolOp,
    ast.Lambda,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
    ast.Compare,
)
