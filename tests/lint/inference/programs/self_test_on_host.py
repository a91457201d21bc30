"""A file that tries what is in it, with steps of an optimizer on the host."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return x.sum()  # frequency: every step


if __name__ == "__main__":
    if torch.cuda.is_available():
        torch.cuda.manual_seed(3)
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=1)
    for _ in range(3):
        loss = net(torch.rand(3))  # frequency: once
        loss.backward()
        optimizer.step()
        print(loss)  # frequency: once

    class Head(nn.Module):
        def forward(self, x):
            return x.sum()  # frequency: once

    def guide(x, y):
        scores = torch.log_softmax(x, dim=-1)  # frequency: once
        return scores[y.view(-1)]

    net.sample(Head(), cond=guide)
