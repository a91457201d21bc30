"""The tables of Python's constructs: which function reads which node."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from ..often.exits import LEAVING
from ..values.union import Value
from .conditions import conditions
from .conditions.branch_regions import beyond
from .expressions import arithmetic, calls, comprehensions, displays, expressions, lambdas
from .places import attributes, names, subscripts
from .state.frame import Constructs, Frame
from .statements import branches, definitions, loops, statements

EXPRESSIONS: dict[type[ast.expr], Callable[[Frame, Any], Value]] = {
    ast.Name: names.name_read,
    ast.Constant: expressions.constant,
    ast.Attribute: attributes.attribute_read,
    ast.List: displays.list_display,
    ast.Tuple: displays.tuple_display,
    ast.Set: displays.set_display,
    ast.Dict: displays.dict_display,
    ast.BinOp: arithmetic.binary_operation,
    ast.UnaryOp: arithmetic.unary_operation,
    ast.Compare: conditions.comparison,
    ast.BoolOp: conditions.boolean_operation,
    ast.IfExp: conditions.conditional,
    ast.Subscript: subscripts.subscript_read,
    ast.Slice: subscripts.slice_bounds,
    ast.JoinedStr: expressions.f_string,
    ast.FormattedValue: expressions.formatted_value,
    ast.ListComp: comprehensions.list_comprehension,
    ast.SetComp: comprehensions.set_comprehension,
    ast.GeneratorExp: comprehensions.generator,
    ast.DictComp: comprehensions.dict_comprehension,
    ast.Lambda: lambdas.function_of,
    ast.NamedExpr: expressions.walrus,
    ast.Await: expressions.await_,
    ast.Yield: expressions.yield_,
    ast.YieldFrom: expressions.yield_,
    ast.Starred: expressions.starred,
    ast.Call: calls.call,
}
STATEMENTS: dict[type[ast.stmt], Callable[[Frame, Any], None]] = {
    ast.Assign: statements.assign,
    ast.AnnAssign: statements.annotated,
    ast.AugAssign: statements.augmented,
    ast.Delete: statements.delete,
    ast.If: branches.if_,
    ast.Assert: branches.assert_,
    ast.Raise: branches.raise_,
    ast.Match: branches.match_,
    ast.Try: branches.try_,
    ast.For: loops.for_,
    ast.AsyncFor: loops.for_,
    ast.While: loops.while_,
    ast.Break: loops.break_,
    ast.Continue: loops.continue_,
    ast.Expr: statements.expression,
    ast.Return: statements.return_,
    ast.With: statements.with_,
    ast.AsyncWith: statements.with_,
    ast.Import: definitions.bind_imports,
    ast.ImportFrom: definitions.bind_imports,
    ast.FunctionDef: definitions.define_function,
    ast.AsyncFunctionDef: definitions.define_function,
    ast.ClassDef: definitions.define_class,
}
if hasattr(ast, "TryStar"):
    STATEMENTS[ast.TryStar] = branches.try_
if hasattr(ast, "TypeAlias"):
    STATEMENTS[ast.TypeAlias] = statements.type_alias


def block(frame: Frame, body: list[ast.stmt]) -> None:
    """Run statements in order, as far as they are reachable."""
    outer = frame.region
    for at, statement in enumerate(body, 1):
        if not frame.alive:
            break
        frame.statement = statement
        run = STATEMENTS.get(type(statement))
        if run is not None:
            run(frame, statement)
        if isinstance(statement, LEAVING):
            frame.region = beyond(frame, statement, body[at:])
    frame.region = outer


PYTHON = Constructs(EXPRESSIONS, block)
