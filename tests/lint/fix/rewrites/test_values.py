"""What safe fixes write computes the same, bit by bit, in values and gradients, and changes the same tensors."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

pytest.importorskip("torch")

import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from synclint.runtime_checker.simulated.watcher import watch_simulated
from torch.distributions import Normal

from .test_safe import CASES

FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
DTYPES = (*FLOATS, torch.int64, torch.uint8, torch.bool)
ODD = (0.0, -0.0, 1.0, -1.5, 3.0, 0.25, float("nan"), float("inf"), float("-inf"))
SAME = sorted(set(CASES) - {"metric-number", "sorter"})
"""Those that are a matter of these tensors alone."""
NEEDS_COLUMNS = {"stack", "element"}
NEEDS_FLOATS = {"masked-update"}
NEEDS_ROWS = {"stack-rows", "element"}
MOST = 4
"""The most rows and columns; the memory has one more of each."""

Both = tuple[torch.Tensor, torch.Tensor]
LAYOUTS: dict[str, Callable[[torch.Tensor, int, int], Both]] = {
    "contiguous": lambda memory, n, m: (memory[0, :n, :m].contiguous(), memory[1, :n, :m].contiguous()),
    "strided": lambda memory, n, m: (memory[0, :n, :m], memory[1, :n, :m]),
    "transposed": lambda memory, n, m: (memory[0, :m, :n].T, memory[1, :n, :m]),
    "expanded": lambda memory, n, m: (memory[0, :n, :m], memory[1, :1, :m].expand(n, m)),
    "one": lambda memory, n, m: (memory[0, :n, :m],) * 2,
    "aliased": lambda memory, n, m: (memory[0, :n, :m], memory[0, :n, :m]),
    "overlapping": lambda memory, n, m: (memory[0, :n, :m], memory[0, 1 : n + 1, 1 : m + 1]),
}
"""Two matrices of one shape in the same memory, by how they lie there."""


@dataclass(frozen=True)
class Tensors:
    """What a program works on: memory with odd values, the shape and the layout of the matrices in it, and a row."""

    memory: torch.Tensor
    rows: int
    columns: int
    layout: str
    line: list[int]

    def names(self, grads: bool, device: str) -> tuple[torch.Tensor, dict[str, Any]]:
        """The memory, and tensors made of it, by the names that programs have for them."""
        leaf = self.memory.clone().to(device).requires_grad_(grads)
        x, y = LAYOUTS[self.layout](leaf * 1, self.rows, self.columns)
        line = torch.tensor(self.line, dtype=torch.int64, device=device)
        host = self.memory[0, : self.rows, : self.columns]
        return leaf, {"x": x, "y": y, "line": line, "host": host, "device": device}


@st.composite
def tensors(draw: st.DrawFn) -> Tensors:
    """Draw tensors of any dtype, perhaps empty; what they hold is odd."""
    dtype = draw(st.sampled_from(DTYPES))
    odd = st.lists(st.sampled_from(ODD if dtype in FLOATS else (0.0, 1.0, 3.0)), min_size=50, max_size=50)
    memory = torch.tensor(draw(odd), dtype=torch.float32).to(dtype).reshape(2, MOST + 1, MOST + 1)
    size = st.integers(0, MOST)
    line = st.lists(st.integers(0, 9), max_size=6)
    return Tensors(memory, draw(size), draw(size), draw(st.sampled_from(sorted(LAYOUTS))), draw(line))


def outcome(program: str, given: Tensors, grads: bool, device: str) -> dict[str, Any]:
    """What a program computes and leaves in its tensors, with the gradients; the type of the error if it fails."""
    leaf, tensors = given.names(grads, device)
    names: dict[str, Any] = {"torch": torch, "Normal": Normal, "IGNORED": 255, "n": 3, **tensors}
    loop = f"for _ in [0]:\n{''.join(f'    {row}' for row in program.splitlines(keepends=True))}"
    try:
        exec(compile(loop, "program", "exec"), names)
    except (RuntimeError, IndexError, ValueError, AssertionError) as error:
        return {"error": type(error)}
    found = {name: value for name, value in names.items() if isinstance(value, torch.Tensor | int | float)}
    loss = sum((each.double().sum() for each in found.values() if _has_gradient(each)), torch.zeros(()))
    if grads and isinstance(loss, torch.Tensor) and loss.requires_grad:
        loss.backward()
        found["gradient"] = leaf.grad
    return found


def _has_gradient(value: object) -> bool:
    return isinstance(value, torch.Tensor) and value.requires_grad


def bits(value: Any) -> Any:
    """A value so that it is equal only to what has the same bits, dtype and shape."""
    if not isinstance(value, torch.Tensor):
        return repr(value)
    data = value.detach().cpu().clone(memory_format=torch.contiguous_format).view(-1)
    data[data.isnan()] = torch.tensor(float("nan")).to(data.dtype)  # one NaN may become another
    return value.dtype, tuple(value.shape), value.requires_grad, data.view(torch.uint8).tolist() if len(data) else []


@pytest.fixture
def simulated_device() -> Iterator[str]:
    """The name of a device on which the CPU computes."""
    with watch_simulated(()):
        yield "cuda"


@pytest.mark.parametrize("name", SAME)
def test_values_are_equal(name: str, simulated_device: str) -> None:
    """One device for all that is drawn: it takes longer to set up than to compute on."""
    before, after = CASES[name]
    ast.parse(after)

    @settings(max_examples=40)
    @given(given=tensors(), grads=st.booleans())
    def are_equal(given: Tensors, grads: bool) -> None:
        if given.rows < (name in NEEDS_ROWS) or given.columns < 3 * (name in NEEDS_COLUMNS):
            return  # an index out of range, which is not always noticed
        if name in NEEDS_FLOATS and given.memory.dtype not in FLOATS:
            return
        grads = grads and given.memory.dtype in FLOATS
        one, other = (outcome(text, given, grads, simulated_device) for text in (before, after))
        other = {key: value for key, value in other.items() if not key.endswith("_positions")}
        for gone in ("found", "v"):  # what is not used any more
            one.pop(gone, None), other.pop(gone, None)
        assert {key: bits(value) for key, value in other.items()} == {key: bits(value) for key, value in one.items()}

    are_equal()


@settings(max_examples=60)
@given(
    st.lists(st.integers(-9, 9), min_size=1, max_size=8),
    st.lists(st.floats(-9, 9, width=16), max_size=6),
    st.booleans(),
)
def test_boundaries_sorted_before(values: list[int], searched: list[float], right: bool) -> None:
    boundaries, x = torch.tensor(values), torch.tensor(searched)
    order = boundaries.argsort()
    before = torch.searchsorted(boundaries, x, sorter=order, right=right)
    assert torch.equal(before, torch.searchsorted(boundaries[order], x, right=right))


@settings(max_examples=60)
@given(
    st.tuples(st.sampled_from(DTYPES), st.integers(0, 127))
    | st.tuples(st.sampled_from(FLOATS), st.floats(-60_000, 60_000) | st.sampled_from(ODD))
)
def test_elements_filled(both: tuple[torch.dtype, float]) -> None:
    dtype, number = both
    one, other = torch.ones(2, 2, dtype=dtype), torch.ones(2, 2, dtype=dtype)
    one[0, 1] = number
    other[0, 1].fill_(number)
    assert bits(one) == bits(other)
