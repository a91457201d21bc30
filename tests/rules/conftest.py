"""Lints snippets that stand in a training loop, with a few tensors at hand."""

from __future__ import annotations

import textwrap
from collections.abc import Callable

import pytest
from synclint.lint.finding import Finding, Kind, Severity
from synclint.lint.rule import all_rules
from synclint.lint.run.engine import run
from synclint.lint.run.file import File
from synclint.lint.settings.config import Settings

LOOP = """
import cmath, logging, math, operator
import numpy as np
import torch
import torch.distributed as dist
import torch.nn.functional as F
import torchvision
from torch.utils.data import DataLoader
from torch.utils.tensorboard import SummaryWriter
from tqdm import tqdm

logger = logging.getLogger(__name__)
writer = SummaryWriter()


def train(dataset):
    loader = DataLoader(dataset, pin_memory=True, num_workers=2)
    for batch in tqdm(loader):
        x = torch.rand(8, 3, device="cuda")
        mask, scalar, position = x > 0.5, x.sum(), x.argmax()
        ids = torch.arange(8, device="cuda")
        tensors = [x.sum(), x.mean()]
        host = torch.rand(8, 3)
        host_mask, host_scalar, host_ids = host > 0.5, host.sum(), torch.arange(8)
        array, numbers, count, text = np.zeros(8), [1, 2], 3, "text"
        on_gpu = batch["x"].to("cuda", non_blocking=True)
"""


@pytest.fixture
def waits() -> Callable[..., list[Finding]]:
    """The findings in a snippet, which ends a training loop's body; `settings` are keys of the configuration."""

    def lint(snippet: str, least: Severity = Severity.WARNING, **settings: str) -> list[Finding]:
        data = (LOOP + textwrap.indent(textwrap.dedent(snippet).strip("\n"), " " * 8)).encode()
        rules = [rule for rule in all_rules() if rule.kind is not Kind.META]
        result = run([File("train.py", named=True, data=data)], Settings(**settings), rules, jobs=1)
        assert not result.failures, result.failures[0].trace
        return [finding for finding in result.findings if finding.severity >= least]

    return lint


@pytest.fixture
def lint_file() -> Callable[[str], list[Finding]]:
    """All findings in a whole file."""

    def lint(source: str) -> list[Finding]:
        rules = [rule for rule in all_rules() if rule.kind is not Kind.META]
        result = run([File("program.py", named=True, data=textwrap.dedent(source).encode())], Settings(), rules, jobs=1)
        assert not result.failures, result.failures[0].trace
        return [finding for finding in result.findings if finding.severity > Severity.NONE]

    return lint
