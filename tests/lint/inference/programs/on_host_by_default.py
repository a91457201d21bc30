"""What is made on a device that is the CPU by default is there, unless whoever calls asks for another."""

from typing import Optional, Union

import torch
from torch import nn
from torch.distributions import Distribution, Uniform


class Drawn(Uniform):
    pass


class Generator(nn.Module):
    def __init__(self, limits: torch.Tensor) -> None:
        super().__init__()
        self.limits = limits
        self.make_on()

    def make_on(self, device: Optional[torch.device] = None) -> None:
        if device is None:
            device = torch.device("cpu")
        self.make(device)

    def make(self, device: torch.device) -> None:
        limits = torch.as_tensor(self.limits).to(device)
        self.drawn = Drawn(limits[0], limits[1])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.drawn.rsample((3,))  # reveal: Tensor[cpu by default, float]
        drawn(self.drawn)  # reveal: Tensor[cpu by default, float]
        return self.drawn.rsample((3,)).to(x.device)  # reveal: Tensor[any device, float]


def drawn(distribution: Distribution) -> torch.Tensor:
    return distribution.sample((3,))


class Buffer:
    def __init__(self, device: Union[str, torch.device] = "cpu") -> None:
        self.held = torch.zeros(3, device=device)

    def sample(self) -> torch.Tensor:
        return self.held[:2]  # reveal: Tensor[cpu by default, float, rank 1]


class GivenGpu(nn.Module):
    def __init__(self, device: torch.device = torch.device("cpu")) -> None:
        super().__init__()
        self.device = device

    def forward(self, x):
        return torch.zeros(3, device=self.device)  # reveal: Tensor[gpu, float, rank 1]


def placed(x: torch.Tensor, device: Optional[torch.device] = None, other: Optional[torch.device] = None):
    if device is None:
        device = torch.get_default_device()
    torch.zeros(3, device=device)  # reveal: Tensor[cpu by default, float, rank 1]
    if other is None:
        other = x.device
    torch.zeros(3, device=other)  # reveal: Tensor[any device, float, rank 1]


def noise(x: torch.Tensor, device: Optional[torch.device] = None) -> torch.Tensor:
    device = device or torch.device("cpu")
    return torch.randn(x.shape, device=device)


def noisy(x: torch.Tensor) -> torch.Tensor:
    noise(x, device=x.device)  # reveal: Tensor[any device, float]
    return noise(x)  # reveal: Tensor[cpu, float]


GivenGpu(torch.device("cuda"))


class LossElsewhere(nn.Module):
    def __init__(self, device, loss_device) -> None:
        super().__init__()
        self.device = device
        self.loss_device = loss_device

    def forward(self, x):
        torch.zeros(3, device=self.device)  # reveal: Tensor[gpu, float, rank 1]
        return torch.zeros(3, device=self.loss_device)  # reveal: Tensor[cpu, float, rank 1]


LossElsewhere(torch.device("cuda"), torch.device("cpu"))
