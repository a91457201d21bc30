"""After the thread on attention masks: lengths decide in Python how far to compute."""

import torch
from torch import nn


class Pooler(nn.Module):
    def forward(self, hidden, mask):
        lengths = mask.sum(1)
        longest = lengths.max().item()  # waits
        hidden = hidden[:, :longest]
        if mask.all():  # waits
            return hidden.mean(1)
        picked = [h[:n].mean(0) for h, n in zip(hidden, lengths)]  # waits
        return torch.stack(picked)
