"""Unsafe fixes that turn a check off, or choose another kernel: what is valid computes the same."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("torch")

import torch
import torchmetrics
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import distributions
from torch.utils.data import DataLoader, TensorDataset
from torchmetrics import classification

from .test_values import DTYPES, FLOATS, ODD, bits

Values = list[float]
plain = settings(max_examples=60, deadline=None)
numbers = st.lists(st.floats(-9, 9, width=16), max_size=6)

MADE: dict[str, Callable[[torch.Tensor, bool | None], distributions.Distribution]] = {
    "Normal": lambda x, check: distributions.Normal(x, x.abs() + 1, validate_args=check),
    "Bernoulli": lambda x, check: distributions.Bernoulli(logits=x, validate_args=check),
    "Categorical": lambda x, check: distributions.Categorical(logits=x, validate_args=check),
    "Exponential": lambda x, check: distributions.Exponential(x.abs() + 1, validate_args=check),
    "Uniform": lambda x, check: distributions.Uniform(x, x.abs() + 20, validate_args=check),
    "Independent": lambda x, check: distributions.Independent(
        distributions.Laplace(x, x.abs() + 1, validate_args=check), 1, validate_args=check
    ),
}


def drawn(name: str, x: torch.Tensor, check: bool | None) -> list[Any]:
    """What a distribution draws, how likely that is, and the gradients."""
    leaf = x.clone().requires_grad_()
    torch.manual_seed(0)
    made = MADE[name](leaf * 1, check)
    sample = made.sample()
    likely = made.log_prob(sample)
    likely.double().sum().backward()
    return [bits(each) for each in (sample, likely, leaf.grad)]


@pytest.mark.parametrize("name", MADE)
def test_valid_parameters_need_no_check(name: str) -> None:
    @plain
    @given(st.sampled_from((torch.float32, torch.float64)), numbers, st.booleans())
    def are_equal(dtype: torch.dtype, values: Values, strided: bool) -> None:
        x = torch.tensor([*values, 1.0], dtype=dtype).repeat(2, 2)
        x = x.T if strided else x
        assert drawn(name, x, None) == drawn(name, x, False)

    are_equal()


def test_invalid_parameters_are_not_refused() -> None:
    x = torch.tensor([float("nan"), 1.0])
    with pytest.raises(ValueError, match="invalid values"):
        distributions.Normal(x, x)
    assert distributions.Normal(x, x, validate_args=False).log_prob(x)[0].isnan()


@plain
@given(
    st.sampled_from(("MeanMetric", "SumMetric", "MaxMetric", "MinMetric")), st.sampled_from(DTYPES), st.lists(numbers)
)
def test_metrics_of_numbers_need_no_check_for_nan(name: str, dtype: torch.dtype, batches: list[Values]) -> None:
    one, other = getattr(torchmetrics, name)(), getattr(torchmetrics, name)(nan_strategy="disable")
    for values in batches:
        x = torch.tensor(values).to(dtype)
        if not x.numel() and name in ("MaxMetric", "MinMetric"):
            continue
        one.update(x)
        other.update(x)
    assert bits(one.compute()) == bits(other.compute())


def test_nan_enters_the_mean() -> None:
    metric = torchmetrics.MeanMetric(nan_strategy="disable")
    metric.update(torch.tensor([1.0, float("nan")]))
    assert metric.compute().isnan()


@plain
@given(
    st.sampled_from((classification.BinaryAccuracy, classification.BinaryF1Score, classification.BinaryAUROC)),
    st.sampled_from(FLOATS),
    st.lists(st.tuples(st.floats(0, 1, width=16), st.integers(0, 1)), min_size=1, max_size=8),
)
def test_valid_labels_need_no_check(
    metric: type[torchmetrics.Metric], dtype: torch.dtype, pairs: list[tuple[float, int]]
) -> None:
    scores, labels = (torch.tensor(each) for each in zip(*pairs))
    one, other = metric(), metric(validate_args=False)
    for each in (one, other):
        each.update(scores.to(dtype), labels)
    assert bits(one.compute()) == bits(other.compute())


def test_invalid_labels_are_not_refused() -> None:
    scores, labels = torch.tensor([0.5, 0.6]), torch.tensor([0, 3])
    with pytest.raises(RuntimeError, match="Detected"):
        classification.BinaryAccuracy().update(scores, labels)
    classification.BinaryAccuracy(validate_args=False).update(scores, labels)


@plain
@given(st.sampled_from(FLOATS), st.lists(st.sampled_from(ODD), min_size=1, max_size=6), st.booleans())
def test_gradients_that_are_finite_are_clipped_alike(dtype: torch.dtype, values: Values, strided: bool) -> None:
    gradient = torch.tensor(values).to(dtype).repeat(2, 2)
    gradient = gradient.T if strided else gradient
    clipped = []
    for check in (True, False):
        leaf = torch.zeros_like(gradient).requires_grad_()
        leaf.grad = gradient.clone()
        try:
            clipped.append(torch.nn.utils.clip_grad_norm_([leaf], 1.0, error_if_nonfinite=check))
        except RuntimeError:
            assert check
            clipped.append(None)
        clipped.append(leaf.grad)
    norm, one, unchecked, other = clipped
    assert (norm is None) == (not unchecked.isfinite())
    assert norm is None or (bits(norm), bits(one)) == (bits(unchecked), bits(other))


@plain
@given(
    st.sampled_from((torch.optim.Adam, torch.optim.AdamW, torch.optim.SGD, torch.optim.Adagrad)),
    st.sampled_from((torch.float32, torch.float64)),
    numbers,
)
def test_fused_optimizers_round_differently(
    optimizer: type[torch.optim.Optimizer], dtype: torch.dtype, values: Values
) -> None:
    start = torch.tensor([*values, 1.0], dtype=dtype)
    results = []
    for fused in (False, True):
        leaf = start.clone().requires_grad_()
        made = optimizer([leaf], lr=0.1, fused=fused)  # type: ignore[call-arg]
        for _ in range(3):
            leaf.grad = leaf.detach() - 2
            made.step()
        results.append(leaf.detach())
    torch.testing.assert_close(*results)


@plain
@given(st.integers(1, 6), st.booleans())
def test_the_word_for_a_mask_spares_the_comparison(size: int, causal: bool) -> None:
    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(8, 2, dim_feedforward=8, dropout=0.0)
    encoder = torch.nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)
    mask = torch.nn.Transformer.generate_square_subsequent_mask(size)
    mask = mask if causal else torch.zeros_like(mask)
    x = torch.randn(size, 2, 8)
    plain = encoder(x, mask=mask)
    if causal:
        assert bits(plain) == bits(encoder(x, mask=mask, is_causal=True))
    torch.testing.assert_close(plain, encoder(x, mask=mask, is_causal=False))


@plain
@given(st.sampled_from(DTYPES), st.lists(st.sampled_from((0.0, 1.0, 3.0)), min_size=1, max_size=6))
def test_pinned_batches_are_equal(dtype: torch.dtype, values: Values) -> None:
    x = torch.tensor(values).to(dtype)
    loaders = (
        DataLoader(TensorDataset(x), batch_size=2, **extra) for extra in ({}, {"pin_memory": torch.cuda.is_available()})
    )
    one, other = ([bits(batch) for (batch,) in loader] for loader in loaders)
    assert one == other


def test_averages_over_all_batches_or_the_last() -> None:
    torch.manual_seed(0)
    one, other = torch.nn.BatchNorm1d(3, momentum=None), torch.nn.BatchNorm1d(3, momentum=0.1)
    copied = copy.deepcopy(other)
    for _ in range(3):
        x = torch.randn(4, 3)
        assert bits(one(x)) == bits(other(x)) == bits(copied(x))
    assert bits(one.running_mean) != bits(other.running_mean)
