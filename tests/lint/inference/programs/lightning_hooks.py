"""Methods that Lightning's Trainer calls, of modules and of callbacks of one's own."""

import torch
from lightning.pytorch.callbacks import ModelCheckpoint
from pytorch_lightning import Callback, LightningModule


class KeepTheBest(ModelCheckpoint):
    def on_validation_end(self, trainer, module):
        best = trainer.callback_metrics["loss"].item()  # frequency: every epoch

    def on_train_batch_end(self, trainer, module, outputs, batch, index):
        loss = outputs["loss"].item()  # frequency: every step

    def on_save_checkpoint(self, trainer, module, checkpoint):
        checkpoint["mean"] = self.mean.item()  # frequency: every N steps

    def on_fit_end(self, trainer, module):
        total = self.total.item()  # frequency: once


class Forecaster(LightningModule):
    def predict_step(self, batch, index):
        columns = batch["columns"]
        at = columns.get_loc("y")
        at  # reveal: object
        batch["windows"][..., at]  # reveal: Batch[gpu]


class Watch(Callback):
    def on_predict_batch_end(self, trainer, module, outputs, batch, index):
        scores = outputs.tolist()  # frequency: every step

    def on_train_batch_start(self, trainer, module, batch, index):
        batch["x"]  # reveal: Batch[gpu]

    def on_train_batch_end(self, trainer, module, outputs, batch, index):
        x = self.moved(batch, module.device)

    def moved(self, batch, device):
        x = batch["x"]  # reveal: Batch[gpu]
        return x.to(device)

    def on_after_backward(self, trainer, module):
        norm = torch.stack([p.grad.norm() for p in module.parameters()]).max().item()  # frequency: every step


class Fitted(LightningModule):
    def on_fit_start(self):
        self.fit_shape()

    def fit_shape(self):
        for _ in range(1000):
            loss = self.head(torch.rand(3).to(self.device)).mean()
            loss.backward()
            print(loss.item())  # frequency: once

    def training_step(self, batch, index):
        return self.head(batch).mean().item()  # frequency: every step

    def on_validation_batch_end(self, outputs, batch, index):
        batch["x"]  # reveal: Batch[gpu]


class Sphere:
    def initialize_radius(self):
        for _ in range(1000):
            loss = self.radius.sum()
            loss.backward()
            print(loss.item())  # frequency: once

    def initialize_colors(self):
        for _ in range(1000):
            loss = self.radius.sum()
            loss.backward()
            print(loss.item())  # frequency: every step


class Started(LightningModule):
    def on_train_start(self):
        self.geometry.initialize_radius()
