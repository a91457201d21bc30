"""What methods of libraries keep on objects whose classes, or whose callers, other files define."""

from __future__ import annotations

from collections.abc import Callable

from synclint.lint.finding import Finding

BASE = """
import torch

class Base(torch.nn.Module):
    def forward(self, x):
        return self.value(x)
"""

OWN = """
import torch
from base import Base

class Own(Base):
    def __init__(self, given):
        super().__init__()
        self.register_buffer("kept", given[..., :3])
        self.plain = given[..., :3]

    def value(self, x):
        if self.kept:
            return x
        return -x if self.plain else x
"""

FUNCTION = """
import torch

class Signs(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, mask):
        ctx.save_for_backward(mask)
        return x[mask]

    @staticmethod
    def backward(ctx, grad):
        mask, = ctx.saved_tensors
        return grad[mask], None
"""

APPLIES = """
import torch
from function import Signs

apply = Signs.apply

def main(loader, optimizer):
    for batch in loader:
        x = batch.to("{0}", non_blocking=True)
        loss = {1}(x, x > 0)
        loss.sum().backward()
        optimizer.step()
"""


def test_a_buffer_is_a_tensor_whatever_it_is_made_of(linted: Callable[..., list[Finding]]) -> None:
    found = linted(base=BASE, own=OWN)
    assert [(each.code, each.span.row) for each in found] == [("SYNC104", 12)]


def test_what_is_applied_elsewhere_tells_what_forward_is_given_and_backward_finds(
    linted: Callable[..., list[Finding]],
) -> None:
    for called in ("Signs.apply", "apply"):
        found = linted(function=FUNCTION, applies=APPLIES.format("cuda", called))
        rows = [(each.span.filename, each.span.row, each.severity.words) for each in found]
        assert rows == [("function.py", 8, "error"), ("function.py", 13, "error")]
        assert not linted(function=FUNCTION, applies=APPLIES.format("cpu", called))
