"""What the metric rules report, and where they stay silent."""

from __future__ import annotations

import textwrap

import pytest
from synclint.lint.finding import Finding, Kind, Severity
from synclint.lint.rule import all_rules
from synclint.lint.run.engine import run
from synclint.lint.run.file import File
from synclint.lint.settings.config import Settings

RULES = [rule for rule in all_rules() if rule.code.startswith("SYNC4")]
HEAD = """
import time
import torch
import torch.distributed as dist
import torchmetrics
from lightning import LightningModule
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torchmetrics import Accuracy, MaxMetric, MeanMetric, Metric, MetricCollection, SumMetric
from torchmetrics.aggregation import RunningMean
from torchmetrics.classification import (
    BinaryAccuracy, BinaryAUROC, BinaryROC, MulticlassAccuracy, MulticlassConfusionMatrix, MultilabelF1Score,
)
from torchmetrics.image import PeakSignalNoiseRatio, StructuralSimilarityIndexMeasure
from torchmetrics.wrappers import BootStrapper
from transformers import TrainingArguments
import wandb

class Unchecked(MeanMetric):
    def _cast_and_nan_check_input(self, x, weight=None):
        return x, torch.ones_like(x) if weight is None else weight

device = torch.device("cuda")
loss = torch.rand(8, device=device)
preds, target = torch.rand(8, 5, device=device), torch.randint(5, (8,), device=device)
labels = preds.argmax(dim=1)
"""
ROWS = HEAD.count("\n")


def findings(body: str, torchmetrics: str = "1.9.0", head: str = HEAD) -> list[Finding]:
    text = head + textwrap.dedent(body).lstrip("\n")
    settings = Settings(torchmetrics=torchmetrics)
    result = run([File("train.py", True, text.encode())], settings, RULES, jobs=1)
    assert not result.failures
    return list(result.findings)


def reported(body: str, torchmetrics: str = "1.9.0") -> list[tuple[str, int, str]]:
    """Code, row within the body, severity."""
    return [(each.code, each.span.row - ROWS, each.severity.words) for each in findings(body, torchmetrics)]


def loop(setup: str, step: str) -> str:
    return f"{setup}\nfor batch in loader:\n    {step}\n"


@pytest.mark.parametrize("version", ["1.6.1", ">=1.5", ""])
def test_a_mean_without_weight_copies_its_default_in_old_versions(version: str) -> None:
    body = loop("mean = Unchecked().to(device)", "mean.update(loss)")
    assert reported(body, version) == [("SYNC401", 3, "error")]


@pytest.mark.parametrize("version", ["1.6.2", "1.9.0"])
def test_new_versions_copy_no_default_weight(version: str) -> None:
    assert reported(loop("mean = Unchecked().to(device)", "mean.update(loss)"), version) == []


@pytest.mark.parametrize(
    ("setup", "step"),
    [
        ("mean = Unchecked().to(device)", "mean.update(loss, torch.ones_like(loss))"),
        ("mean = Unchecked().to(device)", "mean.update(loss, weight=torch.ones_like(loss))"),
        ("mean = Unchecked()", "mean.update(len(batch))"),
        ("mean = MeanMetric(nan_strategy='disable').to(device)", "mean.update(loss)"),
        ("worst = MaxMetric(nan_strategy='disable').to(device)", "worst.update(loss)"),
    ],
)
def test_no_default_weight_is_copied(setup: str, step: str) -> None:
    assert reported(loop(setup, step), "") == []


def test_calling_a_mean_updates_it() -> None:
    assert reported(loop("mean = Unchecked().to(device)", "mean(loss)"), "1.6.1")[0] == ("SYNC401", 3, "error")


@pytest.mark.parametrize(
    "made",
    [
        "MeanMetric().to(device)",
        "MeanMetric().cuda()",
        "torchmetrics.MeanMetric().to(device)",
        "torchmetrics.aggregation.MeanMetric().to('cuda:0')",
        "MeanMetric(nan_strategy='ignore').to(device)",
        "MeanMetric(0.0).to(device)",
        "SumMetric(nan_strategy=0.0).to(device)",
        "MaxMetric('error').to(device)",
        "RunningMean(window=3).to(device)",
        "RunningMean(3, 'ignore').to(device)",
    ],
)
def test_aggregators_look_for_nan(made: str) -> None:
    assert reported(loop(f"metric = {made}", "metric.update(loss)")) == [("SYNC402", 1, "error")]


@pytest.mark.parametrize(
    "made",
    [
        "MeanMetric(nan_strategy='disable').to(device)",
        "MeanMetric('disable').to(device)",
        "RunningMean(3, 'disable').to(device)",
        "MeanMetric(nan_strategy=config.strategy).to(device)",
        "MeanMetric(**settings).to(device)",
        "Unchecked().to(device)",
        "MeanMetric().to('cpu')",
    ],
)
def test_no_check_for_nan(made: str) -> None:
    assert reported(loop(f"metric = {made}", "metric.update(torch.as_tensor(len(batch)))")) == []


def test_a_metric_moved_later() -> None:
    body = """
    metric = MeanMetric()
    metric.to(device)
    for batch in loader:
        metric.update(5)
    """
    assert reported(body) == [("SYNC402", 1, "error"), ("SYNC403", 4, "error")]


def test_a_metric_given_tensors_of_the_device_lives_there() -> None:
    body = loop("metric = MeanMetric()\nprepare(metric)", "metric.update(loss)")
    assert reported(body) == [("SYNC402", 1, "warning")]


def test_the_constructor_takes_the_frequency_of_its_updates() -> None:
    body = """
    metric = MeanMetric().to(device)
    for step, batch in enumerate(loader):
        if step % 100 == 0:
            metric.update(loss)
    """
    assert reported(body) == [("SYNC402", 1, "note")]
    assert reported("metric = MeanMetric().to(device)") == [("SYNC402", 1, "warning")]
    assert reported("metric = MeanMetric().to(device)\nmetric.update(loss)") == []


@pytest.mark.parametrize(
    ("update", "version", "words"),
    [
        ("metric.update(loss)", "1.9.0", 'Create the metric with `nan_strategy="disable"`'),
        ("metric.update(loss)", "1.6.1", "Subclass it"),
        ("metric.update(loss, weight)", "1.9.0", "This metric is given weights"),
        ("metric.update(loss, weight=weight)", "", "This metric is given weights"),
    ],
)
def test_advice_on_the_check_for_nan(update: str, version: str, words: str) -> None:
    body = loop("metric = MeanMetric().to(device)\nweight = torch.rand(8, device=device)", update)
    (finding,) = [each for each in findings(body, version) if each.code == "SYNC402"]
    assert finding.instead.startswith(words)


@pytest.mark.parametrize(
    "update",
    [
        "metric.update(5)", "metric.update(time.time() - started)", "metric.update(value=len(batch))",
        "metric.update([0.5, 1])", "value = metric(loss.item())", "metric.update(loss, 8)",
        "metric.update(loss, weight=loss.shape[0])",
    ],
)  # fmt: skip
def test_python_numbers_are_copied(update: str) -> None:
    body = loop("started = time.time()\nmetric = Unchecked().to(device)", update)
    assert reported(body) == [("SYNC403", 4, "error")]


@pytest.mark.parametrize(
    ("made", "update"),
    [
        ("Unchecked().to(device)", "metric.update(torch.as_tensor(5))"),
        ("Unchecked().to(device)", "metric.update(loss, torch.tensor(8))"),
        ("Unchecked().to(device)", "metric.update(batch)"),
        ("MeanMetric()", "metric.update(5)"),
        ("MeanMetric()", "metric.update(loss.item())"),
        ("PeakSignalNoiseRatio(1.0)", "metric.update(5, 6)"),
    ],
)
def test_no_number_is_copied(made: str, update: str) -> None:
    assert reported(loop(f"metric = {made}", update)) == []


DDP = """
dist.init_process_group({backend})
model = DistributedDataParallel(nn.Linear(3, 3).to(device))
metric = {made}
for batch in loader:
    metric.update(1.0)
print({value})
"""


@pytest.mark.parametrize("backend", ['"nccl"', 'backend="nccl"', '"nccl" if torch.cuda.is_available() else "gloo"'])
def test_a_metric_on_the_host_fails_under_nccl(backend: str) -> None:
    body = DDP.format(backend=backend, made="MeanMetric()", value="metric.compute()").lstrip()
    assert reported(body) == [("SYNC404", 3, "error")]


def test_ddp_alone_makes_it_likely() -> None:
    body = """
    model = DistributedDataParallel(nn.Linear(3, 3).to(device))
    metric = MeanMetric()
    metric.update(1.0)
    metric.compute()
    """
    assert reported(body) == [("SYNC404", 2, "warning")]


@pytest.mark.parametrize(
    ("backend", "made", "value"),
    [
        ('"nccl"', "MeanMetric(sync_on_compute=False)", "metric.compute()"),
        ('"nccl"', "MeanMetric(**settings)", "metric.compute()"),
        ('"nccl"', "MeanMetric()", "1"),
        ('"gloo"', "MeanMetric()", "metric.compute()"),
        ('"cpu:gloo,cuda:nccl"', "MeanMetric()", "metric.compute()"),
        ("", "MeanMetric()", "metric.compute()"),
        ("args.backend", "MeanMetric()", "metric.compute()"),
        ('"nccl"', "MeanMetric().to(device)", "metric.compute()"),
        ('"nccl"', "MeanMetric().to(args.where)", "metric.compute()"),
    ],
)
def test_metrics_that_do_not_fail(backend: str, made: str, value: str) -> None:
    codes = {code for code, _, _ in reported(DDP.format(backend=backend, made=made, value=value))}
    assert "SYNC404" not in codes


def test_a_metric_of_a_module_moves_with_it() -> None:
    body = """
    dist.init_process_group("nccl")
    class Net(LightningModule):
        def __init__(self):
            super().__init__()
            self.mean = MeanMetric()
            self.accuracy = MulticlassAccuracy(5, validate_args=False)
        def training_step(self, batch, index):
            self.mean.update(len(batch))
            self.accuracy(batch["x"], batch["y"])
            self.mean.compute()
    """
    assert reported(body) == [
        ("SYNC402", 5, "warning"),
        ("SYNC403", 8, "warning"),
        ("SYNC406", 9, "warning"),
        ("SYNC407", 9, "warning"),
        ("SYNC407", 10, "warning"),
    ]


@pytest.mark.parametrize(
    ("made", "update"),
    [
        ("BinaryAccuracy()", "metric.update(preds, target)"),
        ("torchmetrics.classification.BinaryAccuracy(0.3)", "metric.update(preds, target)"),
        ("Accuracy(task='binary')", "metric.update(preds, target)"),
        ("Accuracy('multilabel', num_labels=5)", "metric.update(preds, target)"),
        ("MultilabelF1Score(num_labels=5)", "metric.update(preds, target)"),
        ("BinaryROC()", "metric.update(preds, target)"),
        ("MulticlassAccuracy(5, average='micro')", "metric.update(labels, target)"),
    ],
)
def test_the_check_of_arguments_waits(made: str, update: str) -> None:
    assert reported(loop(f"metric = {made}.to(device)", update)) == [("SYNC405", 1, "error")]


@pytest.mark.parametrize(
    ("made", "update"),
    [
        ("BinaryAccuracy(validate_args=False).to(device)", "metric.update(preds, target)"),
        ("BinaryAccuracy(0.5, 'global', None, False).to(device)", "metric.update(preds, target)"),
        ("BinaryAccuracy()", "metric.update(batch[0], batch[1])"),
        ("BinaryAUROC().to(device)", "metric.update(preds, target)"),
        ("MulticlassAccuracy(5, average='micro').to(device)", "metric.update(preds, target)"),
        ("Accuracy(task='multiclass', num_classes=5).to(device)", "metric.update(preds, target)"),
        ("Accuracy(num_classes=5).to(device)", "metric.update(preds, target)"),
    ],
)
def test_no_check_waits(made: str, update: str) -> None:
    assert reported(loop(f"metric = {made}", update)) == []


@pytest.mark.parametrize(
    "made",
    [
        "MulticlassAccuracy(5)",
        "MulticlassAccuracy(num_classes=5, average='macro')",
        "MulticlassAccuracy(5, average=None)",
        "MulticlassAccuracy(5, average='micro', ignore_index=0)",
        "MulticlassAccuracy(5, 1)",
        "Accuracy(task='multiclass', num_classes=5, average='macro')",
        "Accuracy(task='multiclass', num_classes=5, ignore_index=-1)",
        "MulticlassConfusionMatrix(5)",
        "BinaryAUROC(thresholds=20)",
        "BinaryAUROC(ignore_index=0)",
        "PeakSignalNoiseRatio(1.0)",
        "StructuralSimilarityIndexMeasure()",
        "MetricCollection([MulticlassAccuracy(5, average='micro'), MulticlassConfusionMatrix(5)])",
        "MetricCollection({'a': MulticlassAccuracy(5)})",
        "MetricCollection(MulticlassAccuracy(5))",
        "BootStrapper(MulticlassAccuracy(5, average='micro'))",
    ],
)
def test_metrics_that_wait_on_every_update(made: str) -> None:
    assert reported(loop(f"metric = {made}.to(device)", "metric.update(preds, target)")) == [("SYNC406", 3, "error")]


@pytest.mark.parametrize(
    "made",
    [
        "MulticlassAccuracy(5, average='micro').to(device)",
        "MulticlassAccuracy(5, top_k=2).to(device)",
        "MulticlassAccuracy(5, 2).to(device)",
        "MulticlassAccuracy(5, average=config.average).to(device)",
        "Accuracy(task='multiclass', num_classes=5).to(device)",
        "Accuracy(task=config.task, num_classes=5).to(device)",
        "Accuracy(task='multiclass', **settings).to(device)",
        "MulticlassAccuracy(**settings).to(device)",
        "BinaryAUROC().to(device)",
        "StructuralSimilarityIndexMeasure(data_range=1.0).to(device)",
        "torchmetrics.MeanSquaredError().to(device)",
        "MetricCollection([MulticlassAccuracy(5, average='micro')]).to(device)",
    ],
)
def test_updates_that_do_not_wait(made: str) -> None:
    assert reported(loop(f"metric = {made}", "metric.update(preds, target)")) == []


def test_what_a_version_made_harmless_is_silent() -> None:
    body = loop("metric = torchmetrics.PearsonCorrCoef().to(device)", "metric.update(loss, loss)")
    assert reported(body, "1.7.3") == [("SYNC406", 3, "error")]
    assert reported(body, "1.7.4") == []


def test_a_metric_on_the_host_waits_for_nothing() -> None:
    body = loop("metric = MulticlassConfusionMatrix(5)", "metric.update(preds.cpu(), target.cpu())")
    assert reported(body) == []


def test_what_a_collection_member_waits_for_is_named() -> None:
    body = loop("metric = MetricCollection([MulticlassConfusionMatrix(5)]).to(device)", "metric.update(preds, target)")
    (finding,) = findings(body)
    assert finding.message.startswith("`MulticlassConfusionMatrix` counts with `bincount`")


@pytest.mark.parametrize(
    ("made", "step", "codes"),
    [
        ("torchmetrics.MeanSquaredError()", "metric(loss, loss)", ["SYNC407"]),
        ("torchmetrics.MeanSquaredError()", "error = metric(loss, loss)", []),
        ("torchmetrics.MeanSquaredError()", "metric.update(loss, loss)", []),
        ("torchmetrics.MeanSquaredError()", "value = metric.compute()", ["SYNC407"]),
        ("torchmetrics.CosineSimilarity(compute_on_cpu=True)", "metric.update(preds, preds)", ["SYNC407"]),
    ],
)
def test_values_made_in_every_step(made: str, step: str, codes: list[str]) -> None:
    assert [code for code, _, _ in reported(loop(f"metric = {made}.to(device)", step))] == codes


def test_values_made_now_and_then_are_fine() -> None:
    body = """
    metric = torchmetrics.MeanSquaredError().to(device)
    for step, batch in enumerate(loader):
        metric.update(loss, loss)
        if step % 100 == 0:
            print(metric.compute())
    """
    assert reported(body) == []


LIGHTNING = """
class Net(LightningModule):
    def training_step(self, batch, index):
        loss = torch.mean(batch["x"])
        {log}
        return loss
"""


@pytest.mark.parametrize(
    "log",
    [
        'self.log("size", len(batch))', 'self.log("beta", 0.5)', 'self.log("beta", value=0.5)',
        'self.log("loss", loss.item())', 'self.log("loss", loss, prog_bar=True)',
        'self.log_dict({"loss": loss, "size": 5})', 'self.log_dict({"loss": loss}, prog_bar=True)',
    ],
)  # fmt: skip
def test_loggers_that_copy_or_read(log: str) -> None:
    assert reported(LIGHTNING.format(log=log)) == [("SYNC408", 4, "warning")]


@pytest.mark.parametrize(
    "log",
    [
        'self.log("loss", loss)', 'self.log("loss", loss, prog_bar=False)', 'self.log_dict({"loss": loss})',
        'self.log("rate", self.rates[0])', 'self.log("loss", loss, on_step=False, prog_bar=True)',
    ],
)  # fmt: skip
def test_loggers_that_do_not(log: str) -> None:
    assert reported(LIGHTNING.format(log=log)) == []


def test_a_logger_that_reads_tensors() -> None:
    assert reported(loop("", 'wandb.log({"loss": loss, "size": 5})')) == [("SYNC408", 2, "error")]
    assert reported(loop("", 'wandb.log({"size": len(batch)})')) == []


@pytest.mark.parametrize(
    ("arguments", "codes"),
    [
        ("'out'", ["SYNC408"]),
        ("'out', logging_nan_inf_filter=True", ["SYNC408"]),
        ("'out', logging_nan_inf_filter=False", []),
        ("'out', use_cpu=True", []),
    ],
)
def test_the_trainer_asks_for_nan(arguments: str, codes: list[str]) -> None:
    source = f"arguments = TrainingArguments({arguments})"
    assert [code for code, _, _ in reported(source)] == codes
    assert all(each.kind is Kind.SETUP for each in findings(source))


def test_what_the_trainer_is_told_to_log_asks_for_nothing() -> None:
    source = "import transformers\ntrainer = transformers.Seq2SeqTrainer(model)\ntrainer.log({'accuracy': 3.0})"
    assert reported(source) == []


def test_severities_are_those_of_the_kinds() -> None:
    kinds = {rule.code: rule.kind.value for rule in RULES}
    assert kinds == {
        "SYNC401": "stall", "SYNC402": "setup", "SYNC403": "stall", "SYNC404": "bug", "SYNC405": "setup",
        "SYNC406": "stall", "SYNC407": "stall", "SYNC408": "stall",
    }  # fmt: skip
    assert [rule.code for rule in RULES if not rule.default] == ["SYNC407"]
    assert all(each.severity >= Severity.NOTE for each in findings("metric = MeanMetric().to(device)"))
