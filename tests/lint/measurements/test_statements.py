"""Statements by function and text: the innermost on a row, whatever stands around it, and equal ones told apart."""

from __future__ import annotations

import pytest
from synclint.lint.files.source import Source, parse
from synclint.lint.measurements.statements import Statement, at, statements

TEXT = """import torch
class Net:
    @torch.no_grad()
    def forward(self, x):
        if x.sum() > 0: print(
            x.item())
        else:
            x.item()
        x.item()
        for part in (x,
                     x):

            x.item()
        def inner():
            return x
        match x:
            case 1:
                pass
"""


def found() -> list[Statement]:
    source = parse(TEXT.encode(), "net.py", wanted=True)
    assert isinstance(source, Source)
    return statements(source)


@pytest.mark.parametrize(
    ("row", "function", "text", "nth"),
    [
        (1, "", "import torch", 1),
        (5, "Net.forward", "print(x.item())", 1),
        (6, "Net.forward", "print(x.item())", 1),
        (8, "Net.forward", "x.item()", 1),
        (9, "Net.forward", "x.item()", 2),
        (11, "Net.forward", "for part in (x, x):", 1),
        (13, "Net.forward", "x.item()", 3),
        (15, "Net.forward.inner", "return x", 1),
        (16, "Net.forward", "match x:", 1),
        (18, "Net.forward", "pass", 1),
    ],
)
def test_the_statement_on_a_row(row: int, function: str, text: str, nth: int) -> None:
    statement = at(found(), row)
    assert statement is not None
    assert statement[:3] == (function, text, nth)


def test_there_is_none_on_an_empty_row() -> None:
    assert at(found(), 100) is None


def test_text_is_that_of_the_statement_whatever_its_layout() -> None:
    source = parse(b"x = f( 1,\n   'a' )\n", "a.py", wanted=True)
    other = parse(b'if 1:\n  x = f(1, "a")\n', "a.py", wanted=True)
    assert isinstance(source, Source)
    assert isinstance(other, Source)
    assert statements(source)[0].text == statements(other)[1].text
