"""Items that methods bind under keys in a dict of an attribute, which a base or another method makes."""

from __future__ import annotations

import torch
from torch import nn


class Streaming(nn.Module):
    def __init__(self):
        super().__init__()
        self.state: dict[str, torch.Tensor] = {}
        self.cache = None

    def restore(self, state):
        for key, value in state.items():
            self.state[key] = value


class Attention(Streaming):
    def keep(self, keys, offset):
        self.state["keys"] = keys.cuda()
        if "offset" in self.state:
            self.state["offset"] += offset
        else:
            self.state["offset"] = torch.tensor(0)
        self.cache = {}
        self.cache["mask"] = keys.cuda() > 0
        self.cache = {**self.cache, "sum": keys.sum()}

    def forward(self, x):
        offset = self.state["offset"]  # reveal: Tensor[cpu, int, rank 0]
        keys = self.state["keys"]  # reveal: Tensor[gpu]
        other = self.state["other"]  # reveal: Tensor[any device] | Unknown
        mask = self.cache["mask"]  # reveal: Tensor[gpu, bool]
        return offset, keys, other, mask


class Moved(Streaming):
    def keep(self, keys):
        self.state["keys"] = torch.zeros(3)
        self.state = {key: value.cuda() for key, value in self.state.items()}

    def forward(self, x):
        keys = self.state["keys"]  # reveal: Batch[gpu]
        return keys


class Loaded(Streaming):
    def keep(self, path):
        self.cache["keys"] = torch.zeros(3)
        self.cache = torch.load(path)

    def forward(self, x):
        keys = self.cache["keys"]  # reveal: Unknown
        return keys
