"""After a question why indexing in a loop is slow: rows are picked by elements of a tensor."""

import torch
from torch import nn


class Proto(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder

    def forward(self, x, y):
        z = self.encoder(x)
        protos = []
        for c in torch.unique(y):  # waits
            protos.append(z[y == c].mean(0))  # waits
        protos = torch.stack(protos)
        d = torch.cdist(z, protos)
        return d.softmax(1)


def train(encoder, loader):
    model = Proto(encoder).cuda()
    for x, y in loader:
        p = model(x.cuda(non_blocking=True), y.cuda(non_blocking=True))
        p.log().mean().backward()
