"""What runs once behind a guard or in a property that is kept, and minibatches that a buffer yields."""

from functools import cached_property

import torch
import engine
from basicsr.models.sr_model import SRModel
from torch import nn


class Embedding:
    def __init__(self, model: nn.Module) -> None:
        self.model = model

    @cached_property
    def smallest(self) -> int:
        size = 2
        while size < 100:
            self.model(torch.zeros(1, size))  # frequency: once
            size *= 2
        return size


class Policy:
    def update(self, sample, optimizer):
        loss = sample.sum()
        loss.backward()
        optimizer.step()
        return loss

    def train(self, buffer, advantages, optimizer, recurrent):
        for _ in range(5):
            if recurrent:
                samples = buffer.recurrent_generator(advantages)
            else:
                samples = buffer.feed_forward_generator_transformer(advantages)
            for sample in samples:
                loss = self.update(sample, optimizer)
                loss.item()  # frequency: every step

    def train_directly(self, buffer, optimizer):
        for _ in range(5):
            for number, sample in enumerate(buffer.feed_forward_generator(4)):
                loss = self.update(sample, optimizer)
                loss.item()  # frequency: every step


def make_images(generator, n):
    code = torch.zeros(3)
    for _ in range(n):
        code = generator(code)  # frequency: every step
    return code


class Restored:
    def feed_data(self, data):
        self.low = data["low"].to(self.device)  # frequency: evaluation

    def nondist_validation(self, loader):
        for data in loader:
            self.feed_data(data)


class RestoredByOthers(SRModel):
    def feed_data(self, data):
        self.low = data["low"].to(self.device)  # frequency: every step

    def nondist_validation(self, loader):
        for data in loader:
            self.feed_data(data)
