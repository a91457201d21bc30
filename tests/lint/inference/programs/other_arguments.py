"""What is called with arguments that no tensor's method of that name takes is no tensor."""

import elsewhere
import torch
from torch import nn


class Denoiser(nn.Module):
    def __init__(self):
        super().__init__()
        self.stft = elsewhere.STFT(1024).cuda()
        self.noise = elsewhere.noise(3).cuda()

    def forward(self, magnitude, phase):
        made = self.stft.inverse(magnitude, phase)  # operation: none
        made  # reveal: Batch[gpu]
        parts = self.stft.unique(names=True)  # operation: none
        inverted = self.noise.inverse()  # reveal: Tensor[gpu] # operation: Call
        return made, parts, inverted


def in_place(name):
    codec = elsewhere.load(name).to("cuda")
    found = codec.unique(keep=3)  # reveal: Batch[gpu] # operation: none
    one = codec.item(0)  # reveal: Batch[gpu] # operation: none
    largest = elsewhere.read(name).to("cuda").amax(axis=1, keepdims=True)  # reveal: Tensor[gpu]
    return found, one, largest, elsewhere.read(name).cuda().item()  # operation: Call, Call


def by_use(sizes, name):
    first = sizes[0]
    first.nonzero(name=name)
    a = first  # reveal: Unknown
    second = sizes[1]
    second.unsqueeze(0, name)
    b = second  # reveal: Unknown
    third = sizes[2]
    third.unsqueeze(dim=0)
    c = third  # reveal: Tensor[any device]
    fourth = sizes[3]
    fourth.unsqueeze(axis=0)
    d = fourth  # reveal: Tensor[any device]
    return a, b, c, d


def as_it_was_once(weights, steps, mean, norm, name):
    weight = weights[0]
    weight.addcdiv_(-0.1, mean, norm)
    a = weight  # reveal: Tensor[any device]
    step = steps[0]
    step.addcdiv_(-0.1, mean, norm, name)
    b = step  # reveal: Unknown
    return a, b
