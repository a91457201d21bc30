"""How certain it is that a value which may be a number of Python is a tensor on the device."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

from synclint.lint.finding import Confidence, Finding

OBSERVED = dedent(
    """
    import torch
    from torch import Tensor

    def compute(total: Tensor, observed: int | Tensor):
        if observed < 2:
            raise ValueError
        return total / observed

    def step(x: Tensor, counts: list[int], device: torch.device):
        compute(x.sum(), {passed})
        compute(x.sum(), x.numel())
    """
)


def confidences(findings: list[Finding]) -> list[Confidence]:
    return [each.confidence for each in findings if each.name == "tensor-truth-value"]


def test_a_tensor_that_is_seen_to_be_made_is_likely_beside_numbers(linted: Callable[..., list[Finding]]) -> None:
    passed = "torch.tensor(counts, device=device)"
    assert confidences(linted(a=OBSERVED.format(passed=passed))) == [Confidence.LIKELY]


def test_a_tensor_of_an_annotation_is_not(linted: Callable[..., list[Finding]]) -> None:
    assert confidences(linted(a=OBSERVED.format(passed="len(counts)"))) == []


def test_what_bounds_a_slice_is_rather_the_number_that_it_may_be(linted: Callable[..., list[Finding]]) -> None:
    bounded = """
import torch
from torch import Tensor

def cut(x: Tensor, length: int | Tensor):
    return x[:length]

def step(x: Tensor, counts: list[int], device: torch.device):
    cut(x, torch.tensor(counts, device=device).max())
    cut(x, x.numel())
"""
    assert not [each for each in linted(a=bounded) if each.name == "tensor-to-python-number"]
    certain = bounded.replace("    cut(x, x.numel())\n", "").replace("int | Tensor", "Tensor")
    assert [each for each in linted(a=certain) if each.name == "tensor-to-python-number"]
