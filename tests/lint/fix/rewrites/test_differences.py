"""What unsafe fixes write computes the same but for the difference that they name."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from .test_displayed import CASES as DISPLAYED
from .test_unsafe import CASES as UNSAFE
from .test_values import FLOATS, Tensors, bits, outcome, tensors

CASES = {**UNSAFE, **DISPLAYED}

plain = settings(max_examples=60)


def both(name: str, given: Tensors, grads: bool = False) -> list[dict[str, torch.Tensor]]:
    return [outcome(text, given, grads, "cpu") for text in CASES[name]]


def is_finite(given: Tensors) -> bool:
    return given.memory.dtype in FLOATS and bool(given.memory.isfinite().all())


@plain
@given(tensors(), st.sampled_from(("sum", "mean")), st.booleans())
def test_reductions_differ_in_the_last_digits(given: Tensors, name: str, grads: bool) -> None:
    if given.memory.dtype not in FLOATS:
        return
    one, other = both(name, given, grads)
    tolerance = 4 * torch.finfo(given.memory.dtype).eps
    assert one["z"].dtype == other["z"].dtype
    torch.testing.assert_close(one["z"], other["z"], rtol=tolerance, atol=tolerance, equal_nan=True)
    if is_finite(given) and grads and one["z"].isfinite():
        torch.testing.assert_close(one["gradient"], other["gradient"], rtol=tolerance, atol=tolerance)


@plain
@given(tensors())
def test_an_empty_tensor_has_one_value(given: Tensors) -> None:
    one, other = both("distinct-values", given)
    first = one["loss"] if given.line else one["loss"] * 0  # nothing counts as one value
    assert "loss" not in other or bits(first + 0) == bits(other["loss"] + 0)


@plain
@given(tensors(), st.sampled_from(("refusal", "refusal-unless", "assertion")))
def test_refusals_have_another_type(given: Tensors, name: str) -> None:
    one, other = both(name, given)
    assert ("error" in one) == ("error" in other)
    assert other.get("error", RuntimeError) is RuntimeError


@plain
@given(tensors(), st.booleans())
def test_rows_are_copies(given: Tensors, grads: bool) -> None:
    if len(given.line) > given.rows:
        return
    grads = grads and given.memory.dtype in FLOATS
    one, other = both("row", given, grads)
    assert ("error" in one) == ("error" in other)
    if "error" not in one:
        assert {key: bits(value) for key, value in one.items()} == {key: bits(value) for key, value in other.items()}
        assert not other["z"].numel() or other["z"].data_ptr() != one["z"].data_ptr()


@plain
@given(tensors())
def test_values_read_at_once_and_counted_classes_are_equal(given: Tensors) -> None:
    for name in ("values", "classes"):
        one, other = both(name, given)
        if name == "classes" and 9 in given.line:  # a class too many
            assert other == {"error": RuntimeError}
            continue
        assert {key: bits(value) for key, value in one.items()} == {key: bits(value) for key, value in other.items()}


@plain
@given(tensors(), st.booleans())
def test_stacked_filled_and_counted_values_are_equal(given: Tensors, grads: bool) -> None:
    grads = grads and given.memory.dtype in FLOATS
    for name in ("stacked", "filled", "count"):
        before, after = (text.replace("'cuda'", "'cpu'") for text in CASES[name])
        reads = name == "filled"  # which `torch.full` refuses to do of a tensor with a gradient
        one, other = (outcome(text, given, grads and not reads, "cpu") for text in (before, after))
        if reads and given.memory.dtype not in FLOATS:  # nothing is offered for them
            continue
        if "error" in one:  # an empty tensor has no largest element; a value beyond the range
            continue
        assert bits(one["z"]) == bits(other["z"])


@plain
@given(tensors())
def test_sums_round_as_the_dtype_does(given: Tensors) -> None:
    if is_finite(given):
        one, other = both("running-sum", given)
        torch.testing.assert_close(torch.tensor(one["total"]), other["total"].float(), rtol=1e-2, atol=1e-2)


def test_a_singular_matrix_is_inverted_to_anything() -> None:
    before, after = CASES["linalg"]
    singular = Tensors(torch.zeros(2, 5, 5), 3, 3, "contiguous", [])
    assert "error" in outcome(before, singular, False, "cpu")
    assert outcome(after, singular, False, "cpu")["z"].shape == (3, 3)
