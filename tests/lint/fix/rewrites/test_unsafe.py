"""Unsafe fixes: what is written when asked for, and nothing without."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

CASES = {
    "number-through-an-index": ("line[line] = n", "line[line] = line.new_full((), n)"),
    "created-and-converted": (
        "z = torch.arange(len(line)).to(x)",
        "z = torch.arange(len(line), device=x.device).to(x)",
    ),
    "created-and-converted-like": ("z = torch.zeros(3).type_as(x)", "z = torch.zeros(3, device=x.device).type_as(x)"),
    "running-sum": (
        "loss = x.sum()\ntotal = 0.0\ntotal += loss.item()",
        "loss = x.sum()\ntotal = 0.0\ntotal = total + loss.detach()",
    ),
    "appended": (
        "loss, losses = x.sum(), []\nlosses.append(loss.item())\nmean = sum(losses) / len(losses)",
        "loss, losses = x.sum(), []\nlosses.append(loss.detach())\nmean = sum(losses) / len(losses)",
    ),
    "conditions-about-two": (
        "if (x < 0).any() or (y > 1).any():\n    continue",
        "if (x < 0).any() | (y > 1).any():\n    continue",
    ),
    "filled-without-asking": (
        "m = x > 0.5\nif m.any():\n    x[m] = 0\n    y[m] = 1.5",
        "m = x > 0.5\nx[m] = 0\ny[m] = 1.5",
    ),
    "sum": ("m = x > 0.5\nz = x[m].sum()", "m = x > 0.5\nz = torch.where(m, x, 0).sum()"),
    "mean": (
        "m = x > 0.5\nz = x[m].mean()",
        "m = x > 0.5\nz = (torch.where(m, x, 0).mean() / m.to(x.dtype).mean())",
    ),
    "values": (
        "v, w = x.sum(), x.amax()\na = v.item()\nb = w.item()",
        "v, w = x.sum(), x.amax()\na, b = torch.stack((v, w)).tolist()",
    ),
    "clipped": (
        "z = torch.nn.utils.clip_grad_norm_([x], 1.0, error_if_nonfinite=True)",
        "z = torch.nn.utils.clip_grad_norm_([x], 1.0, error_if_nonfinite=False)",
    ),
    "number": ("z = torch.tensor(n, device='cuda')", "z = torch.full((), n, device='cuda')"),
    "random": ("z = torch.randn(3).to('cuda')", "z = torch.randn(3, device='cuda')"),
    "distinct": (
        "loss, n_unique = x.sum(), torch.unique(line)\nif len(n_unique) < 2:\n    loss = 0 * loss",
        "loss, n_unique = x.sum(), torch.unique(line)\nif len(n_unique) < 2:\n    loss = 0 * loss",
    ),
    "distinct-values": (
        "loss = x.sum()\nvalues = line.unique()\nif values.numel() == 1:\n    loss = 0 * loss",
        "loss = x.sum()\nvalues = line.flatten().sort().values\n"
        "loss = torch.where((values[1:] != values[:-1]).sum() + 1 == 1, 0 * loss, loss)",
    ),
    "stacked": (
        "z = torch.tensor([x.sum(), y.amax()], device='cuda')",
        "z = torch.stack([x.sum(), y.amax()]).detach().to('cuda')",
    ),
    "filled": (
        "t = x.sum()\nz = torch.full((2, 3), t, device=x.device)",
        "t = x.sum()\nz = torch.empty((2, 3), device=x.device).fill_(t.detach())",
    ),
    "count": (
        "m = x > 0.5\nz = y * len(torch.nonzero(m)) + m.nonzero().size(0)",
        "m = x > 0.5\nz = y * torch.count_nonzero(m) + torch.count_nonzero(m)",
    ),
    "fused": (
        "optimizer = torch.optim.AdamW([x])\ntorch.amp.GradScaler().step(optimizer)",
        "optimizer = torch.optim.AdamW([x], fused=True)\ntorch.amp.GradScaler().step(optimizer)",
    ),
    "capturable": (
        "optimizer = torch.optim.ASGD([x], lr=0.1)\noptimizer.step()",
        "optimizer = torch.optim.ASGD([x], lr=0.1, capturable=True)\noptimizer.step()",
    ),
    "momentum": ("norm = torch.nn.BatchNorm1d(3, momentum=None)", "norm = torch.nn.BatchNorm1d(3, momentum=0.1)"),
    "mask": (
        "encoder = torch.nn.TransformerEncoder(batch, 1)\nz = encoder(x, mask=y)",
        "encoder = torch.nn.TransformerEncoder(batch, 1)\nz = encoder(x, mask=y, is_causal=False)",
    ),
    "causal-mask": (
        "encoder = torch.nn.TransformerEncoder(batch, 1)\n"
        "mask = torch.nn.Transformer.generate_square_subsequent_mask(8).to('cuda')\nz = encoder(x, mask=mask)",
        "encoder = torch.nn.TransformerEncoder(batch, 1)\n"
        "mask = torch.nn.Transformer.generate_square_subsequent_mask(8).to('cuda')\n"
        "z = encoder(x, mask=mask, is_causal=True)",
    ),
    "distribution": ("z = Normal(x, y)", "z = Normal(x, y, validate_args=False)"),
}


@pytest.mark.parametrize(("before", "after"), CASES.values(), ids=CASES)
def test_fix(before: str, after: str, fixed: Callable[..., str]) -> None:
    assert fixed(before) == before
    assert fixed(before, "--unsafe-fixes") == after


@pytest.mark.parametrize(
    "snippet",
    [
        "loss, losses = x.sum(), []\nlosses.append(loss.item())\nreturn losses",
        "self.losses.append(x.sum().item())",
        "self.total += x.sum().item()",
        "total = batch[0]\ntotal += x.sum().item()",
        "v, w = x.sum(), line.sum()\na = v.item()\nb = w.item()",
        "if x.isnan().any():\n    raise RuntimeError(x)",
        "if x.isnan().any():\n    raise ValueError('nan')",
        "print(len(torch.nonzero(x > 0.5)))",
        "if (x > 0.5).nonzero().size(0) > 3:\n    continue",
        "optimizer = torch.optim.AdamW([x], foreach=True)\ntorch.amp.GradScaler().step(optimizer)",
        "optimizer = batch[0] or torch.optim.AdamW([x])\ntorch.amp.GradScaler().step(optimizer)",
        "try:\n    if x.isnan().any():\n        raise RuntimeError('nan')\nexcept RuntimeError:\n    pass",
        "i = line.argmax()\nx[i].zero_()",
        "z = torch.bincount(line)",
        "z = torch.bincount(line, minlength=n or 0)",
    ],
)
def test_what_others_need_stays(snippet: str, fixed: Callable[..., str]) -> None:
    assert fixed(snippet, "--unsafe-fixes") == snippet


def test_an_error_that_is_handled_is_left(fixed: Callable[..., str]) -> None:
    snippet = "try:\n    z = torch.linalg.inv(x)\nexcept RuntimeError:\n    pass"
    assert fixed(snippet, "--unsafe-fixes") == snippet


LOSS = """\
import torch
import torch.nn.functional as F


def loss(scores, target):
    mask = target != -1
    scores = scores[mask]
    target = target[mask]
    {last}


def train(loader):
    for x, y in loader:
        loss(x.cuda(non_blocking=True), y.cuda(non_blocking=True)).backward()
"""
SKIPPED = """\
import torch
import torch.nn.functional as F


def loss(scores, target):
    {last}


def train(loader):
    for x, y in loader:
        loss(x.cuda(non_blocking=True), y.cuda(non_blocking=True)).backward()
"""


@pytest.mark.parametrize(
    ("last", "after"),
    [
        (
            "return F.cross_entropy(scores, target, reduction='sum')",
            "return F.cross_entropy(\n"
            "        scores.flatten(0, -2), target.flatten(), reduction='sum', ignore_index=-1\n    )",
        ),
        ("return F.cross_entropy(scores, target, ignore_index=3)", None),
        ("return F.cross_entropy(scores, target) / len(target)", None),
        ("return F.nll_loss(scores, target)", None),
    ],
)
def test_a_loss_that_skips(
    last: str, after: str | None, run: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    file = tmp_path / "train.py"
    file.write_text(LOSS.format(last=last))
    run("--fix", "--unsafe-fixes", "--quiet", str(file))
    assert ("scores.flatten(0, -2)" in file.read_text()) == (after is not None)
    assert after is None or file.read_text() == SKIPPED.format(last=after)
