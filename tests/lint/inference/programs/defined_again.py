"""Methods that stand twice in a class: nothing can call the first."""

import torch
from torch import nn


class Net(nn.Module):
    def norm(self, x: torch.Tensor):
        return x.norm().item()  # operation: none

    scale = 3

    @property
    def weight(self):
        return torch.ones(3, device="cuda").sum().item()  # operation: none

    def forward(self, x: torch.Tensor):
        return self.norm(x) + self.weight

    def norm(self, x: torch.Tensor):
        return x.abs().sum().item()  # frequency: every step

    @property
    def weight(self):
        return torch.ones(3, device="cuda").item()  # frequency: every step

    @weight.setter
    def weight(self, value: torch.Tensor):
        self.value = value.item()  # frequency: every step (assumed)

    def kept(self, x: torch.Tensor):
        return x.norm().item()  # frequency: every step (assumed)

    old = kept

    def kept(self, x: torch.Tensor):
        return x.norm()
