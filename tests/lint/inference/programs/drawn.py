"""Where distributions draw, by their parameters."""

import torch
from torch.distributions import Normal, Uniform


class Noise:
    def __init__(self, device):
        self.number = Normal(0.0, 1.0)
        self.tensor = Normal(torch.zeros(3, device=device), 1.0)
        self.unknown = Uniform(*device)

    def draw(self, other):
        a = self.number.sample((3,))  # reveal: Tensor[cpu, float]
        c = self.tensor.sample((3,))  # reveal: Tensor[gpu, float]
        d = self.unknown.sample((3,))  # reveal: Tensor[any device, float]
        return a


def drawn() -> None:
    noise = Noise(torch.device("cuda"))
    noise.draw(torch.device("cuda"))


def there() -> None:
    with torch.device("cuda"):
        a = Normal(0.0, 1.0)
        b = a.sample((3,))  # reveal: Tensor[gpu, float]


def declared(noise: Normal) -> None:
    a = noise.sample((3,))  # reveal: Tensor[any device, float]
