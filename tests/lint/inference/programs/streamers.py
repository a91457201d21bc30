"""Streamers, which get copies of the tokens that a model generates."""

import torch
from transformers import TextStreamer
from transformers.generation.streamers import BaseStreamer


class Sounds(BaseStreamer):
    def __init__(self, model):
        self.model = model
        self.cache = None

    def put(self, value):
        tokens = value[0]  # reveal: Tensor[cpu]
        if self.cache is None:
            self.cache = tokens
        else:
            self.cache = torch.concatenate([self.cache, tokens[:, None]], dim=-1)
        if len(value.shape) > 1 and value.sum() > 0:  # operation: none
            value = value[0]
        return self.cache.sum()  # reveal: Tensor[cpu, int|float|complex, rank 0]


class Text(TextStreamer):
    def put(self, value):
        return value  # reveal: Tensor[cpu]
