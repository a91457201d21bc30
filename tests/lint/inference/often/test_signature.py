"""Where functions bind their parameters anew."""

from __future__ import annotations

import ast

import pytest
from synclint.lint.inference.often.signature import NEVER, rebound


@pytest.mark.parametrize(
    ("statement", "row"),
    [
        ("x = 1", 2),
        ("for _, (x, *y) in pairs: pass", 2),
        ("with open(path) as x: pass", 2),
        ("x: int = 1", 2),
        ("x += 1", 2),
        ("if path:\n        x = 1", 3),
        ("x.data = 1", NEVER),
        ("x[0] = 1", NEVER),
        ("y = [x for x in path]", NEVER),
    ],
)
def test_statements_bind_parameters_anew(statement: str, row: int) -> None:
    function = ast.parse(f"def f(x, path):\n    {statement}").body[0]
    assert isinstance(function, ast.FunctionDef)
    assert rebound(function, in_expressions=False) == {"x": row, "path": NEVER}


def test_expressions_bind_parameters_anew() -> None:
    function = ast.parse("def f(x):\n    return (x := g(x))").body[0]
    assert isinstance(function, ast.FunctionDef)
    assert rebound(function, in_expressions=True) == {"x": 2}
