"""After a thread on callbacks: a registry of losses, and a history that keeps tensors."""

import torch
from torch import nn

LOSSES = {}


def register(name):
    def add(cls):
        LOSSES[name] = cls
        return cls

    return add


@register("dice")
class Dice(nn.Module):
    def forward(self, p, y):
        inter = (p * y).sum()
        loss = 1 - 2 * inter / (p.sum() + y.sum())
        return loss, {"dice": 1 - loss, "n": y.shape[0]}


@register("ce")
class CE(nn.Module):
    def forward(self, p, y):
        loss = nn.functional.binary_cross_entropy(p, y)
        return loss, {"ce": loss, "n": len(y)}


def train(cfg, model, loader, optimizer):
    model, criterion = model.cuda(), LOSSES[cfg.loss]()
    for x, y in loader:
        loss, parts = criterion(model(x.cuda(non_blocking=True)), y.cuda(non_blocking=True))
        loss.backward()
        optimizer.step()
        print(parts["n"])  # clean
        print({k: v for k, v in parts.items()})  # waits
        print(float(loss))  # waits
