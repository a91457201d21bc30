"""An attribute of an object of one of several classes is that of those that have it; one without would fail there."""

import torch
from torch.utils.data import Dataset


class Scaled:
    def __init__(self):
        self.factor = 2.0

    def back(self, x):
        return x * self.factor


class Plain(Dataset):
    def __init__(self):
        self.length = 3


class Full(Dataset):
    def __init__(self):
        self.length = torch.ones(3)
        self.scaled = Scaled()


class Open(Dataset):
    def __getattr__(self, name):
        return globals()[name]


def chosen(name):
    if name == "full":
        return Full()
    return Plain()


def opened(name):
    return Full() if name == "full" else Open()


def step(name, x):
    data = chosen(name)
    data.scaled  # reveal: instance of one_of_several_classes.Scaled
    data.scaled.back(x.cpu()).float()  # reveal: Tensor[cpu, float, rank 1]
    data.length  # reveal: Tensor[cpu, float, rank 1] | int 3
    data.missing  # reveal: Unknown
    opened(name).scaled  # reveal: instance of one_of_several_classes.Scaled | Unknown


def work(name):
    step(name, torch.ones(3, device="cuda"))
