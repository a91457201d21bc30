"""A number on the host that is combined with what may be anywhere: the result is where that is."""

import torch


class Scaled:
    def __init__(self, proposal, offset):
        self.proposal = proposal
        self.offset = offset

    def density(self, x):
        return self.proposal.density(x) + self.offset


def search(proposal, x):
    scaled = Scaled(proposal, torch.log(torch.as_tensor(2.0)))
    a = scaled.density(x)  # reveal: Tensor[any device, float|complex]
    b = torch.log(torch.as_tensor(2.0)) + 3  # reveal: Tensor[cpu, float, rank 0]
    c = scaled.unknown.thing + torch.ones(3)  # reveal: Tensor[cpu, float|complex, rank≥1]
