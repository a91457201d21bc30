"""Statements without their layout."""

from __future__ import annotations

import pytest
from synclint.lint.files.statement import normalised
from synclint.lint.finding import squeezed


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("x = f(a, 'b').item()", 'x = f(\n    a,\n    "b",\n).item()'),
        ("    x = loss.item()", "x = (loss.item())  # now"),
        ("if mask.any():", "if (\n    mask.any()\n):"),
        ("    elif mask.any():", "        elif (mask.any()):  # else"),
        ("        for i, (x, y) in enumerate(loader):", "for (i, (x, y)) in enumerate(\n    loader\n):"),
        ("    with a as x, b:", "\twith a as x, \\\n\tb:"),
        ("    else: loss.item()", "loss.item()"),
        ("def f(a=x.item()):", "def f(\n    a = x.item(),\n):"),
        ("    except (A, B) as e:", "except(A,B) as e:"),
        ("match x.item():\n    case 1: f()", "match (x.item()):\n    case 1:\n        f()"),
        ("x = 'one' 'two' + y", "x = (\n    'one'\n    'two'\n    + y\n)"),
    ],
)
def test_layout_does_not_matter(first: str, second: str) -> None:
    one, two = (normalised(text.split("\n"), 0, len(text.split("\n")[0])) for text in (first, second))
    assert one == two
    assert "pass" not in one


def test_only_the_innermost_statement_counts() -> None:
    assert normalised(["if a.any(): b = c.item()"], 0, 17) == "b = c.item()"
    assert normalised(["if a.any(): b = c.item()"], 0, 4) == "if a.any():"
    assert normalised(["f('é'); g().item()"], 0, 12) == "g().item()"


def test_different_statements_stay_different() -> None:
    assert normalised(["x = a.item()"], 0, 5) != normalised(["x = b.item()"], 0, 5)
    assert squeezed("x = f(a)") != squeezed("y = f(a)")


@pytest.mark.parametrize("text", ["x = = 3", "%matplotlib  inline", "x = '\0'", "(" * 1000, ""])
def test_what_cannot_be_parsed_keeps_its_words(text: str) -> None:
    assert normalised([text], 0, 1) == " ".join(text.split())
    assert normalised([], 0, 1) == ""


def test_versions_of_python_put_parentheses_and_quotes_elsewhere() -> None:
    assert squeezed("for (i, x) in f(\"a['b']\"):") == squeezed("for i, x in f('a[\"b\"]'):")
