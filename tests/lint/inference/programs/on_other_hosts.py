"""Tensors that a library keeps on the host, and those that are there with one of several backends."""

import pytorch_lightning as pl
import torch
import torch.distributed as dist


def predicted(trainer: pl.Trainer, model, loader) -> None:
    trainer.fit(model, loader)
    a = trainer.predict(model, loader)  # reveal: list[Batch[cpu], …]
    b = torch.cat(a)  # reveal: Tensor[cpu, rank≥1]


def sent(data, group) -> None:
    device = torch.device("cpu" if dist.get_backend(group) == "gloo" else "cuda")  # reveal: device any device
    a = torch.zeros(3, device=device)  # reveal: Tensor[any device, float, rank 1]
