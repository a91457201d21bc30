"""Batches and models that a framework moves to its device."""

import lightning as L
import torch
from accelerate import Accelerator
from lightning.fabric import Fabric
from torch import nn
from torch.utils.data import DataLoader
from transformers import Trainer
from trl.experimental.orpo import ORPOTrainer
from trl.trainer import GRPOTrainer, PPOTrainer


class Net(L.LightningModule):
    def training_step(self, batch, batch_idx):
        batch  # reveal: Batch[gpu]
        x, y = batch
        batch_idx  # reveal: Unknown
        return self.shared(batch)

    def on_before_batch_transfer(self, batch, dataloader_idx):
        return batch  # reveal: Unknown

    def shared(self, batch):
        return batch["x"]  # reveal: Batch[gpu]


class Mine(Trainer):
    def compute_loss(self, model, inputs, return_outputs=False):
        return inputs["labels"]  # reveal: Batch[gpu]


class Rewarded(GRPOTrainer):
    def _prepare_inputs(self, inputs):
        return super()._prepare_inputs(inputs)  # frequency: every step


class Preferred(ORPOTrainer):
    def compute_loss(self, model, inputs, return_outputs=False):
        return inputs["labels"]  # reveal: Batch[gpu]


class WithALoopOfItsOwn(PPOTrainer):
    def _prepare_inputs(self, inputs):
        return super()._prepare_inputs(inputs)  # frequency: unknown


def accelerated(dataset, model, unknown) -> None:
    accelerator = Accelerator()
    accelerator.device  # reveal: device gpu
    accelerator.is_main_process  # reveal: bool
    net, data, other = accelerator.prepare(nn.Linear(3, 4), DataLoader(dataset), unknown)
    net  # reveal: instance of torch.nn.Linear on gpu
    for batch in data:
        x = batch["a"]  # reveal: Batch[gpu]
        y = net(x)  # reveal: Tensor[gpu]
        both = accelerator.gather(y)  # reveal: Tensor[gpu]
        norm = accelerator.clip_grad_norm_(net.parameters(), 1.0)  # reveal: Tensor[gpu, float, rank 0]
        accelerator.backward(y.sum())  # frequency: every step


def prepared(loader, accelerator: Accelerator) -> None:
    for batch in accelerator.prepare(loader):
        batch["a"]  # reveal: Batch[gpu]


def with_fabric(dataset) -> None:
    fabric = Fabric(accelerator="cpu")
    for x, _ in fabric.setup_dataloaders(DataLoader(dataset)):
        x  # reveal: Batch[cpu]
    there = Fabric().to_device(torch.ones(3))  # reveal: Tensor[gpu, float, rank 1]


def main(dataset) -> None:
    prepared(DataLoader(dataset), Accelerator())
