"""The masked loss of the articles, as the tool fixes it: it waits for nothing, and trains the same."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("torch")

import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from synclint.runtime_checker.simulated.watcher import watch_simulated

ARTICLE = Path(__file__).parents[3] / "examples" / "articles" / "masked_loss_before.py"


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> tuple[SimpleNamespace, SimpleNamespace, Path]:
    """The article before and after, without the marks that say where it waits."""
    file = tmp_path_factory.mktemp("article") / "train.py"
    file.write_text(re.sub(r"  # expect: .*", "", ARTICLE.read_text(encoding="utf-8")), encoding="utf-8")
    before = _loaded(file)
    options = ("--isolated", "--no-cache", "--fix-only", "--unsafe-fixes")
    subprocess.run([sys.executable, "-m", "synclint", "check", file.name, *options], cwd=file.parent, check=True)
    return before, _loaded(file), file


def _loaded(file: Path) -> SimpleNamespace:
    names: dict[str, Any] = {"__name__": "article"}
    exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), names)
    return SimpleNamespace(**names)


def _trained(program: SimpleNamespace, labels: list[int], device: str) -> tuple[torch.Tensor, torch.Tensor]:
    """The loss of a batch, and the gradients of the scores."""
    torch.manual_seed(len(labels))
    scores = torch.randn(1, 3, 1, len(labels), device=device).requires_grad_()
    loss = program.MaskedLoss()(scores * 1, torch.tensor(labels).reshape(1, 1, -1).to(device))
    loss.backward()
    assert scores.grad is not None
    return loss.detach().cpu(), scores.grad.cpu()


def test_losses_are_equal(programs: tuple[SimpleNamespace, SimpleNamespace, Path]) -> None:
    before, after, _ = programs

    @settings(max_examples=100)
    @given(st.lists(st.integers(0, 2), min_size=1, max_size=9))
    def are_equal(labels: list[int]) -> None:
        for one, other in zip(_trained(before, labels, "cpu"), _trained(after, labels, "cpu")):
            torch.testing.assert_close(one, other, equal_nan=True)

    are_equal()


def test_it_waits_no_more(programs: tuple[SimpleNamespace, SimpleNamespace, Path]) -> None:
    before, after, file = programs
    assert (_waits(before, file) > 3, _waits(after, file)) == (True, 0)


def _waits(program: SimpleNamespace, file: Path) -> int:
    with watch_simulated(()) as watcher:
        scores, target = torch.randn(1, 3, 2, 2, device="cuda"), torch.ones(1, 2, 2, dtype=torch.long, device="cuda")
        known = len(watcher.waits)
        program.MaskedLoss()(scores.requires_grad_(), target).backward()
        return sum(each.filename == str(file) for each in watcher.waits[known:])
