"""What an attribute holds for others, where it is bound to what it held before."""

import torch


class Sampler:
    def __init__(self):
        self.set_up(4)
        self.sigmas = self.sigmas.to("cpu")
        self.index = None
        self.start = None

    def set_up(self, n: int, device=None):
        sigmas = torch.linspace(0, 1, n).to(device)
        self.sigmas = torch.cat([sigmas, sigmas])
        self.sigmas = self.sigmas.to("cpu")

    def step(self, x: torch.Tensor):
        self.sigmas  # reveal: Tensor[cpu, rank≥1]
        if self.index is None:
            self.index = 0 if self.start is None else self.start
        self.index += 1
        return x

    def noised(self, x: torch.Tensor):
        self.index  # reveal: None | int
        self.sigmas.to(x.device)  # operation: Call
        return x

    def begin(self, start: int = 0):
        self.start = start


class Cached:
    def __init__(self):
        self.table = torch.arange(9)

    def look_up(self, x: torch.Tensor):
        self.table = self.table.to(x.device)
        return self.table[x]

    def again(self, x: torch.Tensor):
        self.table  # reveal: Tensor[any device, int, rank 1]
        return self.table[x]


def look(cached: Cached, x: torch.Tensor):
    cached.table  # reveal: Tensor[any device, int, rank 1]
    return x
