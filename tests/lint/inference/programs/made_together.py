"""Objects that functions return together, in tuples: what calls them, and their methods."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return {"boxes": x.sigmoid()}


class Criterion(nn.Module):
    def forward(self, outputs, targets):
        return (outputs["boxes"] - targets).sum()  # reveal: Tensor[gpu, float|complex, rank 0] # frequency: every step

    def report(self, outputs):
        return outputs["boxes"].max().item()  # frequency: every epoch


class Held:
    def __init__(self, width):
        self.width = width

    def measure(self, boxes):
        return boxes.nonzero()  # frequency: every step


def build(cfg):
    if cfg.large:
        return Net(), Criterion(), (Held(3), None)
    model = Net()
    criterion = Criterion()
    return model, criterion, (Held(2), 1)


def build_model(cfg):
    return build(cfg)


class Trainer:
    def __init__(self, cfg):
        self.model, self.criterion, (self.held, self.count) = build_model(cfg)

    def step(self, x, targets):
        outputs = self.model(x)
        self.held.measure(outputs["boxes"])
        self.criterion(outputs, targets).backward()


def train_one(model, criterion, loader, optimizer):
    for x, targets in loader:
        loss = criterion(model(x.to("cuda")), targets.to("cuda"))
        loss.backward()
        optimizer.step()


def main(cfg, loader):
    model, criterion, others = build_model(cfg)
    criterion.to("cuda")
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for _epoch in range(cfg.epochs):
        train_one(model, criterion, loader, optimizer)
        criterion.report({"boxes": torch.ones(3, device="cuda")})
    trainer = Trainer(cfg)
    for x, targets in loader:
        trainer.step(x.to("cuda"), targets.to("cuda"))
