"""A file that tries what is in it on the host, which tells nothing of where others use it."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, masks):
        a = x  # reveal: Tensor[any device, float, rank 1]
        b = masks[0]  # reveal: Tensor[any device, float, rank 2]
        return a


def area(boxes):
    a = boxes  # reveal: Tensor[any device, float, rank 2]
    return a


if __name__ == "__main__":
    net = Net()
    y = net(torch.ones(3), [torch.ones(3, 3)])  # reveal: Tensor[cpu, float, rank 1]
    area(torch.rand(2, 4))
