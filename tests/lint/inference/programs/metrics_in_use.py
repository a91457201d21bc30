"""Metrics of the project: they are updated, and computed, as often as what uses them runs."""

import torch
import torchmetrics
from lightning import LightningModule

__all__ = ["Offered"]


class Evaluated(torchmetrics.Metric):
    def update(self, texts):
        self.count += sum(texts).item()  # frequency: evaluation

    def compute(self):
        return self.count.item()  # frequency: evaluation


class Trained(torchmetrics.Metric):
    def update(self, texts):
        self.count += sum(texts).item()  # frequency: every step

    def compute(self):
        return self.count.item()  # frequency: every step


class Unused(torchmetrics.Metric):
    def update(self, texts):
        self.count += sum(texts).item()  # frequency: every step


class Base(torchmetrics.Metric):
    def update(self, texts):
        self._update(texts.sum())

    def _update(self, text):
        self.count += text.item()  # frequency: every step


class Offered(Base):
    def compute(self):
        return torch.zeros(3)  # frequency: every step


class Texts(LightningModule):
    def __init__(self):
        super().__init__()
        self.evaluated = Evaluated()
        self.trained = Trained()

    def training_step(self, batch, batch_idx):
        self.trained(batch)
        return self(batch)

    def validation_step(self, batch, batch_idx):
        self.trained(batch)
        self.evaluated(batch)
        self.log("errors", self.evaluated.compute())


def run_evaluation(model, loader):
    evaluated, offered = Evaluated(), Offered()
    with torch.no_grad():
        for batch in loader:
            evaluated.update(model(batch))
            offered.update(model(batch))
    return evaluated.compute()
