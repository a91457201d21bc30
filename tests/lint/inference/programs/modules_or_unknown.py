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
