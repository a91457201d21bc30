"""A loop that trains, and runs in some passes of another, is one over steps where these passes are."""

import torch
from torch import nn
from torch.utils.data import DataLoader


def adversarial(critic: nn.Module, generator: nn.Module, loader: DataLoader, optimizers, every: int, passes: int):
    for step, batch in enumerate(loader):
        critic(batch.cuda()).mean().backward()
        optimizers[0].step()
        if step % (every * passes) == 0:
            for _ in range(passes):
                loss = critic(generator(batch)).mean()
                loss.backward()
                loss.item()  # where: step % (every * passes) == 0
            optimizers[1].step()


def alternating(model: nn.Module, loader: DataLoader, optimizer: torch.optim.Optimizer):
    for epoch in range(10):
        if epoch % 3 == 0:
            for batch in loader:
                loss = model(batch.cuda()).mean()
                loss.backward()
                optimizer.step()
                loss.item()  # where: epoch % 3 == 0
