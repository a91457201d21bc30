"""Methods that are not given the object, or return it: class methods, static ones, and those that end in `self`."""

import torch
from torch import nn


class Base(nn.Module):
    def __init__(self, size=3):
        super().__init__()
        self.size = size

    @classmethod
    def make(cls, path, device="cpu"):
        kept = path  # reveal: str
        print(kept)
        return cls(3).to(device)

    def ready(self):
        return self.eval()  # reveal: instance of class_methods.Base

    def loss(self, x):
        return 0.0

    @staticmethod
    def scaled(x, by):
        return x * by  # reveal: Tensor[gpu, int|uint8|float|complex]


class Net(Base):
    def loss(self, x):
        return x.sum()


class Trainer:
    def __init__(self, net: Base):
        self.net = net

    def step(self, x):
        return self.net.scaled(x, 2)


def main(loader):
    net = Net.make("a.pt", "cuda")  # reveal: instance of class_methods.Net on gpu
    net = net.ready()  # reveal: instance of class_methods.Net on gpu
    trainer = Trainer(net)
    for batch in loader:
        batch = batch.cuda()
        loss = net.loss(batch)  # reveal: Tensor[gpu, int|float|complex, rank 0]
        trainer.step(batch)
        if loss > 0:
            pass
