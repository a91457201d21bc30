"""What is reported of torchdiffeq, kornia, apex and torchvision's transforms."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from synclint.lint.finding import Finding

HEAD = """
import kornia, torchdiffeq
import kornia.filters as filters
import torchvision.transforms.functional as TF
from apex import amp
from torchdiffeq import odeint_adjoint as odeint
"""


@pytest.mark.parametrize(
    "call",
    [
        "torchdiffeq.odeint(lambda t, y: y, x, position[None])",
        "odeint(func=model, y0=(x, scalar), t=host_ids)",
        "kornia.geometry.transform.warp_affine(x, x, (2, 2))",
        "filters.gaussian_blur2d(x, (3, 3), (1.0, 1.0))",
        "TF.normalize(x, [0.5], [0.5])",
        "with amp.scale_loss(scalar, optimizer) as scaled:\n    scaled.backward()",
    ],
)
def test_functions_that_wait(waits: Callable[..., list[Finding]], call: str) -> None:
    assert [each.code for each in waits(HEAD + call)] == ["SYNC208"]


@pytest.mark.parametrize(
    "call",
    [
        "torchdiffeq.odeint(lambda t, y: y, host, host_ids)",
        "kornia.filters.median_blur(x, 3)",
        "TF.normalize(host, [0.5], [0.5])",
        "TF.normalize(dataset.image, [0.5], [0.5])",
        "other.scale_loss(scalar, optimizer)",
    ],
)
def test_functions_that_do_not(waits: Callable[..., list[Finding]], call: str) -> None:
    assert waits(HEAD + call) == []


def test_times_are_tensors(lint_file: Callable[[str], list[Finding]]) -> None:
    found = lint_file("""
import torch
from torchdiffeq import odeint


class Solver(torch.nn.Module):
    def forward(self, start, times):
        return odeint(self.field, start, times).permute(1, 0)
""")
    assert [(each.code, each.severity.words) for each in found] == [("SYNC208", "warning")]
