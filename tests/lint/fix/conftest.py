"""Fixes snippets that stand in a training loop, with a few tensors at hand, by the command line."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from synclint.lint import cli

ABOVE = """\
import numpy as np
import torch
import torchmetrics
from torch.distributions import Normal
from torch.utils.data import DataLoader

IGNORED = 255


def train(dataset, device, n: int):
    mean = torchmetrics.MeanMetric(nan_strategy="disable").to("cuda")
    for batch in DataLoader(dataset, pin_memory=True, num_workers=2):
        x = torch.rand(8, 3, device="cuda")
        y = torch.rand(8, 3, device="cuda")
        line = torch.arange(8, device="cuda")
        host = torch.from_numpy(np.zeros(8))
"""


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """The command line in this process: the exit code, the output and the errors."""

    def call(*arguments: str, isolated: bool = True) -> tuple[int, str, str]:
        options = ["--isolated"] if isolated else []
        monkeypatch.setattr(sys, "argv", ["synclint", "check", "--no-cache", *options, *arguments])
        capsys.readouterr()
        with pytest.raises(SystemExit) as exit_:
            cli.main()
        captured = capsys.readouterr()
        return int(exit_.value.code or 0), captured.out, captured.err

    return call


@pytest.fixture
def fixed(
    run: Callable[..., tuple[int, str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., str]:
    """What becomes of a snippet at the end of the loop; a second run must not change anything."""
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "train.py"

    def fix(snippet: str, *options: Any) -> str:
        file.write_text(ABOVE + textwrap.indent(textwrap.dedent(snippet), " " * 8), encoding="utf-8")
        run("--fix", "--quiet", "--show-notes", *options, "train.py")
        once = file.read_text(encoding="utf-8")
        run("--fix", "--quiet", "--show-notes", *options, "train.py")
        assert file.read_text(encoding="utf-8") == once
        assert once.startswith(ABOVE)
        return textwrap.dedent(once.removeprefix(ABOVE))

    return fix
