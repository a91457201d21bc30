"""Fixed programs are run in other circumstances, and what they then compute differently is found."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from synclint.runtime_checker.verify.means import simulated  # noqa: E402
from synclint.runtime_checker.verify.variants import TRACED, harmed  # noqa: E402

PROGRAM = """\
import torch
from torch.utils.data import DataLoader, TensorDataset


def setup(device, rows=4):
    return torch.ones(rows, 3).to(device)


def step(state):
    {body}
"""
CASES = {
    "data on the device": (
        "return next(iter(DataLoader(TensorDataset(torch.ones(4)))))",
        "return next(iter(DataLoader(TensorDataset(torch.ones(4)), pin_memory=True)))",
    ),
    "host as the target": ("return state + 1", "return state + 1 if state.is_cuda else state + 2"),
    "no rows": ("return state.sum()", "return state[0].sum() * 0 + state.sum()"),
    "half precision": ("return state.sum()", "return torch.full((), 1e5, dtype=state.dtype) * 0 + state.sum()"),
    TRACED: ("return state + torch.zeros(3).type_as(state)",
             "return state + torch.zeros(3, device=state.device).type_as(state)"),
}  # fmt: skip


@pytest.mark.parametrize("circumstance", CASES)
def test_harm_is_seen(circumstance: str, tmp_path: Path) -> None:
    before, after = tmp_path / "before.py", tmp_path / "after.py"
    for path, body in zip((before, after), CASES[circumstance]):
        path.write_text(PROGRAM.format(body=body), encoding="utf-8")
    assert circumstance in harmed(before, after, simulated())
    assert harmed(before, before, simulated()) == []
