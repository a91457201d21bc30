"""Tensors that a library or a backend keeps on the host."""

import pytorch_lightning as pl
import torch
import torch.distributed as dist


def predicted(trainer: pl.Trainer, model, loader) -> None:
    trainer.fit(model, loader)
    a = trainer.predict(model, loader)  # reveal: list[Batch[cpu], …]
    b = torch.cat(a)  # reveal: Tensor[cpu, rank≥1]


def sent(data, group) -> None:
    device = torch.device("cpu" if dist.get_backend(group) == "gloo" else "cuda")  # reveal: device cpu
    a = torch.zeros(3, device=device)  # reveal: Tensor[cpu, float, rank 1]
