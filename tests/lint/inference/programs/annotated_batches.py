"""Objects that their own class moves come from loaders, which tell more of their tensors than an annotation."""

import torch
from torch.utils.data import DataLoader


class Data:
    def apply(self, function):
        for key in self.keys:
            setattr(self, key, function(getattr(self, key)))
        return self

    def to(self, device):
        return self.apply(lambda x: x.to(device))


class Graphs(Data):
    pass


class Options:
    def __init__(self, rate: float):
        self.rate = rate


def step(batch: Graphs, options: Options, model, device: torch.device):
    batch  # reveal: Batch[cpu, pageable]
    batch = batch.to(device)  # operation: Call
    batch.x  # reveal: Batch[gpu]
    options  # reveal: instance of annotated_batches.Options
    model(batch.x).sum().backward()


def epoch(dataset, model, device):
    for batch in DataLoader(dataset):
        step(batch, Options(0.1), model, device)


def uncalled(batch: Graphs):
    batch  # reveal: instance of annotated_batches.Graphs


def made(batch: Graphs):
    batch  # reveal: instance of annotated_batches.Graphs


def main(dataset, model):
    epoch(dataset, model, torch.device("cuda"))
    made(Graphs())
