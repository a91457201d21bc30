"""Waits of several kinds in a loop of training."""

import torch
from torch import nn


def accuracy(scores, labels):
    right = scores.argmax(1) == labels
    return right.float().mean().item()


def hard_ones(losses):
    return losses[losses > losses.mean()]


def step(model, optimizer, images, labels):
    images, labels = images.to("cuda"), labels.to("cuda")
    scores = model(images)
    losses = nn.functional.cross_entropy(scores, labels, reduction="none")
    loss = hard_ones(losses).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if loss > 100:
        print("large")
    kept = torch.unique(labels)
    return float(loss), accuracy(scores, labels), kept


def run(steps, profiler=None):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Flatten(), nn.Linear(3 * 64 * 64, 2048), nn.ReLU(), nn.Linear(2048, 10)).to("cuda")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(steps):
        images, labels = torch.rand(64, 3, 64, 64), torch.randint(10, (64,))
        step(model, optimizer, images, labels)
        if profiler is not None:
            profiler.step()


if __name__ == "__main__":
    run(12)
