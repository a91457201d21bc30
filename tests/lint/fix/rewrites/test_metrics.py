"""Fixes of what metrics and loggers are given: what is written, and that the metrics compute the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("torch")

import torch
import torchmetrics
from hypothesis import given, settings
from hypothesis import strategies as st
from synclint.runtime_checker.simulated.watcher import watch_simulated

from .test_values import DTYPES, ODD, bits

PROGRAM = """\
import torch
import torchmetrics
from lightning import LightningModule
from torchmetrics.classification import MulticlassAccuracy


class Classifier(LightningModule):
    def training_step(self, batch, n: int):
        loss = self.net(batch).sum()
        {log}
        return loss


def train(loader):
    mean = torchmetrics.MeanMetric().to("cuda")
    accuracy = MulticlassAccuracy(num_classes=3, validate_args=False).to("cuda")
    for step, batch in enumerate(loader):
        x = torch.rand(8, 3, device="cuda")
        labels = torch.zeros(8, dtype=torch.long, device="cuda")
        {update}
    return mean.compute(), accuracy.compute()
"""
UPDATES = {
    "weight": ("mean.update(x)", "mean.update(x, weight=torch.ones_like(x))"),
    "number-and-weight": ("mean.update(step)", "mean.update(torch.as_tensor(step))"),
    "update": ("accuracy(x, labels)", "accuracy.update(x, labels)"),
    "value-that-is-used": ("print(accuracy(x, labels))", "print(accuracy(x, labels))"),
    "weight-of-a-temporary": ("mean.update(x * 2)", "mean.update(x * 2)"),
    "weight-that-is-given": ("mean.update(x, labels)", "mean.update(x, labels)"),
}
LOGS = {
    "position": ("self.log('n', n)", "self.log('n', torch.full((), float(n), device=self.device))"),
    "keyword": ("self.log('n', value=n)", "self.log('n', value=torch.full((), float(n), device=self.device))"),
    "item": ("self.log('n', loss.item())", "self.log('n', loss.item())"),
    "tensor": ("self.log('loss', loss)", "self.log('loss', loss)"),
    "several": ("self.log_dict({'n': n})", "self.log_dict({'n': n})"),
}
Run = Callable[..., tuple[int, str, str]]


@pytest.mark.parametrize(("before", "after"), UPDATES.values(), ids=UPDATES)
def test_updates(before: str, after: str, run: Run, tmp_path: Path) -> None:
    assert _fixed(before, "pass", run, tmp_path) == PROGRAM.format(update=after, log="pass")


@pytest.mark.parametrize(("before", "after"), LOGS.values(), ids=LOGS)
def test_logs(before: str, after: str, run: Run, tmp_path: Path) -> None:
    left = PROGRAM.format(update="pass", log=before)
    assert _fixed("pass", before, run, tmp_path) == left
    unsafe = _fixed("pass", before, run, tmp_path, "--unsafe-fixes").replace('(nan_strategy="disable")', "()")
    assert unsafe == PROGRAM.format(update="pass", log=after)


def _fixed(update: str, log: str, run: Run, folder: Path, *options: str) -> str:
    file = folder / "train.py"
    file.write_text(PROGRAM.format(update=update, log=log))
    run("--fix", "--quiet", "--show-notes", "--select", "ALL", *options, str(file))
    return file.read_text()


@settings(max_examples=60)
@given(
    st.sampled_from(("MeanMetric", "SumMetric", "MaxMetric", "MinMetric")),
    st.lists(st.integers(-(2**40), 2**40) | st.floats(-1e30, 1e30) | st.booleans(), min_size=1, max_size=4),
)
def test_numbers_as_tensors(name: str, numbers: list[float]) -> None:
    with watch_simulated(()):
        one, other = (getattr(torchmetrics, name)(nan_strategy="disable").to("cuda") for _ in range(2))
        for number in numbers:
            one.update(number)
            other.update(torch.as_tensor(number))
        assert bits(one.compute()) == bits(other.compute())


@settings(max_examples=60)
@given(st.sampled_from(DTYPES), st.lists(st.sampled_from(ODD[:6]), min_size=1, max_size=6))
def test_weights_like_the_value(dtype: torch.dtype, values: list[float]) -> None:
    x = torch.tensor(values).to(dtype)
    one, other = torchmetrics.MeanMetric(), torchmetrics.MeanMetric()
    one.update(x)
    other.update(x, weight=torch.ones_like(x))
    assert bits(one.compute()) == bits(other.compute())


@settings(max_examples=20)
@given(st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=5), min_size=1, max_size=3))
def test_updates_without_the_batch_value(batches: list[list[int]]) -> None:
    one, other = (torchmetrics.Accuracy(task="multiclass", num_classes=3, validate_args=False) for _ in range(2))
    for labels in batches:
        target = torch.tensor(labels)
        one(target.flip(0), target)
        other.update(target.flip(0), target)
    assert bits(one.compute()) == bits(other.compute())
