"""What safe fixes write computes the same, bit by bit, in values and gradients, and changes the same tensors."""

from __future__ import annotations

import ast
import copy
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.distributions import Normal

from .test_safe import CASES

FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
DTYPES = (*FLOATS, torch.int64, torch.uint8, torch.bool)
ODD = (0.0, -0.0, 1.0, -1.5, 3.0, 0.25, float("nan"), float("inf"), float("-inf"))
SAME = sorted(
    set(CASES) - {"copy", "copy-to-cuda", "copy-to-any", "created-and-moved", "metric-number", "race", "sorter"}
)
"""Those that do more than move, or move only to a GPU; `metric-number` is a matter of TorchMetrics."""
NEEDS_COLUMNS = {"stack", "element"}
NEEDS_ROWS = {"stack-rows", "element"}


@st.composite
def tensors(draw: st.DrawFn) -> tuple[torch.Tensor, torch.Tensor]:
    """Two matrices of one shape and dtype, with odd values, perhaps empty, transposed or sharing their memory."""
    dtype = draw(st.sampled_from(DTYPES))
    rows, columns = draw(st.integers(0, 4)), draw(st.integers(0, 4))
    odd = st.lists(st.sampled_from(ODD if dtype in FLOATS else (0.0, 1.0, 3.0)), min_size=32, max_size=32)
    x, y = (torch.tensor(draw(odd), dtype=torch.float32).to(dtype)[: rows * columns] for _ in range(2))
    x, y = x.reshape(rows, columns), y.reshape(rows, columns)
    if draw(st.booleans()):
        x = x.T.contiguous().T
    return x, draw(st.sampled_from((y, x, y.T.contiguous().T)))


def outcome(program: str, x: torch.Tensor, y: torch.Tensor, line: torch.Tensor, grads: bool) -> dict[str, Any]:
    """What a program computes and leaves in its tensors, with the gradients; the type of the error if it fails."""
    leaves = copy.deepcopy([x, y])
    if grads:
        leaves = [each.requires_grad_() for each in leaves]
    names: dict[str, Any] = {"torch": torch, "Normal": Normal, "device": "cpu", "IGNORED": 255, "line": line.clone()}
    names |= {"x": leaves[0] * 1, "y": leaves[1] * 1} if x is not y else dict.fromkeys("xy", leaves[0] * 1)
    loop = f"for _ in [0]:\n{''.join(f'    {row}' for row in program.splitlines(keepends=True))}"
    try:
        exec(compile(loop.replace("'cuda'", "'cpu'"), "program", "exec"), names)
    except (RuntimeError, IndexError, ValueError) as error:
        return {"error": type(error)}
    found = {name: value for name, value in names.items() if isinstance(value, torch.Tensor | int | float)}
    loss = sum((each.double().sum() for each in found.values() if _has_gradient(each)), torch.zeros(()))
    if grads and isinstance(loss, torch.Tensor) and loss.requires_grad:
        loss.backward()
        found |= {f"gradient {at}": each.grad for at, each in enumerate(leaves)}
    return found


def _has_gradient(value: object) -> bool:
    return isinstance(value, torch.Tensor) and value.requires_grad


def bits(value: Any) -> Any:
    """A value so that it is equal only to what has the same bits, dtype and shape."""
    if not isinstance(value, torch.Tensor):
        return repr(value)
    data = value.detach().contiguous().view(-1)
    return value.dtype, tuple(value.shape), value.requires_grad, data.view(torch.uint8).tolist() if len(data) else []


@pytest.mark.parametrize("name", SAME)
@settings(max_examples=40, deadline=None)
@given(both=tensors(), line=st.lists(st.integers(0, 9), max_size=6), grads=st.booleans())
def test_values_are_equal(name: str, both: tuple[torch.Tensor, torch.Tensor], line: list[int], grads: bool) -> None:
    x, y = both
    if len(x) < (name in NEEDS_ROWS) or x.shape[1] < 3 * (name in NEEDS_COLUMNS):
        return  # an index out of range, which is not always noticed
    before, after = CASES[name]
    ast.parse(after)
    grads = grads and x.dtype in FLOATS
    one, other = (outcome(text, x, y, torch.tensor(line, dtype=torch.int64), grads) for text in (before, after))
    other = {key: value for key, value in other.items() if not key.endswith("_positions")}
    for gone in ("found", "v"):  # what is not used any more
        one.pop(gone, None), other.pop(gone, None)
    assert {key: bits(value) for key, value in other.items()} == {key: bits(value) for key, value in one.items()}


@settings(max_examples=60, deadline=None)
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


@settings(max_examples=60, deadline=None)
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
