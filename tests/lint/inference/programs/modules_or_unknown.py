"""What was moved and may be a module, or something unknown, which is then a module, too."""

import elsewhere
import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, count: int):
        super().__init__()
        self.count = count


def load(name):
    model = Head(3) if name == "head" else elsewhere.load(name)
    return model.to("cuda")


def select(scores: torch.Tensor, several: bool = False, count=1):
    several &= scores.shape[1] - count > 1
    if several:  # operation: none
        return scores
    return scores[0]


def run(name, scores):
    model = load(name)  # reveal: instance of modules_or_unknown.Head on gpu | Batch[gpu]
    kind = model.kind  # reveal: Unknown
    count = model.count  # reveal: int 3 | Unknown
    return select(scores, True, model.count), kind, count


def moved(name):
    batch = elsewhere.load(name).to("cuda")
    return batch.kind  # reveal: Batch[gpu]


def called(name, scores):
    model = elsewhere.find(name).to("cuda")  # reveal: instance of a model that something unknown has made on gpu
    hidden = model(scores)  # reveal: Batch[gpu]
    if model.depth > 3:  # operation: none
        return model.encode(scores)  # reveal: Batch[gpu]
    return hidden


def found(name):
    model = elsewhere.find(name).to("cuda")
    model.eval()
    return model


def run_found(name, scores):
    model = found(name)  # reveal: instance of a model that something unknown has made on gpu
    layers = [model.head(scores) for _ in range(model.depth)]  # reveal: list[Batch[gpu], …]
    return layers, range(model.depth // 2)  # operation: none


def run_returned(make, scores):
    model = returned(make)  # reveal: instance of a model that something unknown has made on gpu
    return model(scores), range(model.depth)  # operation: none


def returned(make):
    return make().to("cuda")
