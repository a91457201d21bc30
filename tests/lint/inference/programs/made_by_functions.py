"""Objects that functions make: what calls them, and their methods."""

import torch
from torch import nn


class Loss:
    def __call__(self, logits, targets):
        return logits[targets > 0].sum()  # frequency: every step

    def sample(self, boxes):
        return boxes.nonzero()  # frequency: every step

    def reduce(self, loss):
        return loss.item()  # frequency: every epoch

    def describe(self, loss):
        return loss.item()  # frequency: every step (assumed)


class Scale(nn.Module):
    def weight(self, x):
        return x.max().item()  # frequency: every step


def make_loss(cfg):
    loss = Loss()
    return loss


def build(cfg):
    return make_loss(cfg)


def optional_scale(cfg):
    if cfg.scaled:
        return Scale()
    return None


class Head(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        loss = build(cfg)
        self.loss = loss
        self.scale = optional_scale(cfg)

    def forward(self, x, targets):
        boxes = self.loss.sample(x)
        return self.loss(x, targets) + self.scale.weight(boxes)


def train(cfg, loader, head, optimizer):
    loss = make_loss(cfg)
    for _epoch in range(cfg.epochs):
        for x, targets in loader:
            head(x, targets).backward()
            optimizer.step()
        loss.reduce(torch.ones(3, device="cuda"))
