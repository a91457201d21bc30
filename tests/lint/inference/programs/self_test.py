"""A file that tries what is in it when it is run, on data that it makes up."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return x.sum()  # frequency: every step


if __name__ == "__main__":
    net = Net().cuda()
    for _ in range(3):
        loss = net(torch.randn(3, device="cuda"))  # frequency: once
        loss.backward()
        print(loss)  # frequency: once
