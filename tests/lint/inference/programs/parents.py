"""What `super()` leads to: the methods and constructors of the base, with what is passed to them."""

from abc import ABC

import torch
from torch.distributions import Normal
from transformers import Trainer


class Base(ABC):
    def __init__(self, x):
        self.x = x

    def scaled(self, y):
        return y * 2

    def seen(self, y):
        a = y  # reveal: Tensor[gpu, float, rank 2]
        return a


class Derived(Base):
    def __init__(self):
        super().__init__(torch.ones(3, device="cuda"))

    def scaled(self, y):
        a = self.x  # reveal: Tensor[gpu, float, rank 1]
        b = super().scaled(self.x)  # reveal: Tensor[gpu, float, rank 1]
        return super(Derived, self).scaled(torch.ones(2, 3, device="cuda"))

    def seen(self, y):
        return super().seen(self.scaled(y))  # reveal: Tensor[gpu, float, rank 2]


class Open(Normal):
    def __init__(self, loc, scale):
        super().__init__(loc, scale, validate_args=False)

    def log_prob(self, value):
        return super().log_prob(value)


class Handed(Trainer):
    def compute_loss(self, model, inputs, return_outputs=False):
        return inputs["labels"]  # reveal: Batch[gpu] | Unknown

    def prediction_step(self, model, inputs):
        return self.compute_loss(model, inputs)


class HandsOn(Handed):
    def prediction_step(self, model, inputs: dict[str, object]):
        return super().prediction_step(model, inputs)


class Mixed(dict, Base):
    def scaled(self, y):
        return super().scaled(y)  # reveal: Unknown


for each in range(3):
    Derived().seen(1)


class Tokenizes(ABC):
    def tensor_of(self, text: str):
        """Return the numbers of a text."""
        raise NotImplementedError

    def length_of(self, text):
        raise ValueError(text)


class Words(Tokenizes):
    def tensor_of(self, text):
        return torch.tensor([len(each) for each in text.split()])

    def length_of(self, text):
        return torch.ones(3, device="cuda")


class Letters(Tokenizes):
    def tensor_of(self, text):
        return self.unknown(text)


def prepared(tokenizer: Tokenizes, text):
    a = tokenizer.tensor_of(text)  # reveal: Tensor[cpu, int, rank 1]
    return tokenizer.length_of(text)  # reveal: Unknown
