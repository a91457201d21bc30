"""Which line of a function a wait is joined with, by what is directly below the function."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from synclint.runtime_checker.traces.joining import join
from synclint.runtime_checker.traces.places import places_of
from synclint.runtime_checker.traces.waits import Span, Trace, Traced

PROGRAM = """\
import torch
class First:
    def forward(self, x):
        return x.item()

class Second:
    @property
    def forward(self, x):
        return x.item()


def indexed(x, i):
    y = torch.ones(3, device="cuda")
    a = x[i], y[y > 1]
    return float(y), a


def three(x):
    a, b = x.item(), x.item()
    return a + b + x.item()


def listed(x, y=First().item()):
    y.item()
    return [
        each.item()
        for each in x
    ]


def many(x, y):
    a = x.item()
    if 3 in x and x > 2:
        x[x > 1] = 0
    b = Library(x)
    c = torch.unique(x), alias(x)
    return f"{x}", a, b, c


first = (lambda x: x.item(), torch.ones(1).item())
"""

ITEM = ("<built-in method item of Tensor object at 0x1>", "aten::item")
Found = dict[tuple[int, ...], tuple[str, str, int]]


@pytest.fixture
def program(tmp_path: Path) -> str:
    (tmp_path / "program.py").write_text(PROGRAM)
    return str(tmp_path / "program.py")


def joined(program: str, function: str, *calls: Sequence[Sequence[str]]) -> Found:
    """Where the waits are of some calls of a function: for each wait, what was below the function, outermost first."""
    waits = []
    for at, call in enumerate(calls):
        began = at * 1000
        for number, names in enumerate(call):
            start = began + number * 10
            below = (Span(start + depth, 9 - depth, name) for depth, name in enumerate(names, 1))
            waits.append(Traced("cudaStreamSynchronize", start + 8, 1e-6, [Span(began, 900, function), *below]))
    matches = join(Trace(waits, has_calls=True), [program], places_of, []).matches
    return {match.rows: (match.certainty, match.operator, len(match.waits)) for match in matches}


@pytest.mark.parametrize(
    ("function", "rows", "certainty"),
    [
        pytest.param("program.py(3): forward", (4,), "certain", id="the first line"),
        pytest.param("program.py(7): forward", (9,), "certain", id="the line of a decorator"),
        pytest.param("program.py(9): forward", (9,), "certain", id="where it was when the profiler started"),
        pytest.param("program.py(99): forward", (4, 9), "one of several", id="a file that was edited since"),
        pytest.param("program.py(23): listed", (24, 26), "one of several", id="a comprehension since Python 3.12"),
        pytest.param("program.py(25): <listcomp>", (26,), "certain", id="a comprehension before"),
        pytest.param("program.py(1): <module>", (23, 40), "one of several", id="a default, and a module"),
        pytest.param("program.py(40): <lambda>", (40,), "certain", id="a lambda"),
    ],
)
def test_functions_are_told_by_their_first_line(
    program: str, function: str, rows: tuple[int, ...], certainty: str
) -> None:
    assert joined(program, function, [ITEM]) == {rows: (certainty, "item", 1)}


@pytest.mark.parametrize(
    ("below", "row", "operator"),
    [
        (["aten::is_nonzero", "aten::item"], 33, "is_nonzero"),
        (["torch/_tensor.py(9): __contains__", *ITEM], 33, "__contains__"),
        (["aten::index_put_", "aten::nonzero"], 34, "index_put_"),
        (["lib.py(3): __init__", "lib.py(4): item", *ITEM], 35, "__init__"),
        (["torch/_jit_internal.py(6): fn", "torch/functional.py(7): _unique_impl", *ITEM], 36, "unique"),
        (["torch/_tensor.py(8): __torch_function__", "<built-in method _unique2 of type object at 0x1>"], 36, "unique"),
        (["torch/_tensor.py(9): __format__", *ITEM], 37, "__format__"),
        (["lib.py(3): wrapper", "lib.py(4): alias", *ITEM], 36, "alias"),
        (["lib.py(3): other", "aten::is_nonzero"], None, "other"),
        (["lib.py(3): __enter__", *ITEM], None, "__enter__"),
        (["nn.Module: Linear_0", "lib.py(3): forward", *ITEM], None, "Linear_0"),
        (["aten::add"], None, "add"),
        ([], None, ""),
    ],
)
def test_what_is_directly_below_tells_the_line(program: str, below: list[str], row: int | None, operator: str) -> None:
    expected = (31,), ("function only", operator, 1)
    if row is not None:
        expected = (row,), ("certain", operator, 1)
    assert joined(program, "program.py(31): many", [below]) == {expected[0]: expected[1]}


def test_order_counts_places_not_lines(program: str) -> None:
    function = "program.py(18): three"
    assert joined(program, function, [ITEM] * 3, [ITEM] * 3) == {
        (19,): ("by order", "item", 4),
        (20,): ("by order", "item", 2),
    }
    assert joined(program, function, [ITEM] * 2) == {(19, 20): ("one of several", "item", 2)}


def test_an_index_of_which_nothing_is_known_may_be_read(program: str) -> None:
    """Whether `x[i]` is depends on `i`; that `float(y)` reads is sure."""
    function, item = "program.py(12): indexed", ["aten::item"]
    assert joined(program, function, [item]) == {(15,): ("by order", "item", 1)}
    assert joined(program, function, [item] * 2) == {(14,): ("by order", "item", 1), (15,): ("by order", "item", 1)}
    assert joined(program, function, [item] * 3) == {(14, 15): ("one of several", "item", 3)}
