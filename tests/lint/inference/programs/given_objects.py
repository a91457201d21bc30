"""Methods of objects that functions and constructors are given: how often those who call them run."""

import torch
from torch import nn


class Writer:
    def update(self, **values):
        for value in values.values():
            self.last = value.item()  # frequency: many per step

    def set_epoch(self, epoch):
        self.epoch = torch.ones(1, device="cuda").item()  # frequency: every epoch


class Reducer:
    def reduce_all(self, loss):
        return loss.item()  # frequency: every step

    def reduce_none(self, loss: torch.Tensor):
        return loss.sum().item()  # frequency: every step (assumed)


class Respaced:
    def __init__(self, model, steps):
        self.model = model
        self.steps = steps

    def __call__(self, x, t):
        return self.model(x, torch.tensor(self.steps, device=t.device)[t])  # frequency: every step


class Diffusion:
    def of_wrapped(self, model, x, t):
        return (model(x, t) - x).square().mean()


class Spaced(Diffusion):
    def losses(self, model, x, t):
        return self.of_wrapped(self.wrapped(model), x, t)

    def wrapped(self, model):
        if isinstance(model, Respaced):
            return model
        return Respaced(model, [0, 10, 20])


class Loss(nn.Module):
    def __init__(self, reducer):
        super().__init__()
        self.reducer = reducer

    def forward(self, x):
        return self.reducer.reduce_all(x)


def train(model, loader, optimizer, diffusion, writer=None):
    for x, t in loader:
        loss = diffusion.losses(model, x, t)
        loss.backward()
        optimizer.step()
        if writer is not None:
            writer.update(loss=loss)


def main(model, loader, optimizer):
    writer, diffusion = Writer(), Spaced()
    loss = Loss(Reducer())
    for epoch in range(10):
        writer.set_epoch(epoch)
        train(model, loader, optimizer, diffusion, writer)
        writer.update(score=loss(torch.ones(1)))


if __name__ == "__main__":
    main(None, None, None)
