"""A class that describes dicts promises a dict with its fields; what callers pass tells more."""

from typing import NotRequired, TypedDict

import torch
from torch import Tensor
from torch.utils.data import DataLoader


class Pairs(TypedDict):
    pairs: Tensor
    lengths: list[int]
    weights: NotRequired[Tensor]


class Named(Pairs, total=False):
    names: list[str]


class Plain:
    pairs: Tensor


def given(batch: Pairs):
    batch["pairs"]  # reveal: Tensor[any device]
    batch["lengths"]  # reveal: list[int, …]
    batch["others"]  # reveal: Unknown
    if batch["pairs"].any():  # operation: Truth
        return batch


def inherited(batch: Named):
    batch["names"]  # reveal: list[str, …]
    batch["weights"]  # reveal: Tensor[any device]


def process(batch: Pairs, model):
    pairs = batch["pairs"]  # reveal: Tensor[cpu]
    return model(pairs[1:3].to(model.device))  # operation: Call


def train(dataset, model):
    for batch in DataLoader(dataset):
        process(batch, model).backward()


def made(x: Tensor):
    pairs = Pairs(pairs=x.cuda(), lengths=[3])
    pairs["pairs"]  # reveal: Tensor[gpu]


def no_dict(batch: Plain):
    batch  # reveal: instance of typed_dicts.Plain
