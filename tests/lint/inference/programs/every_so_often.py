"""What runs every so often, once, or for one process: results that are kept, processes."""

import torch
import torch.distributed as dist
from torch import nn


class Kernel(nn.Module):
    def forward(self, x, length, cache=True, force=False):
        return x * self.nodes(length, cache) * self.table(length, force)

    def nodes(self, length, cache=True):
        if cache and hasattr(self, "kept") and self.kept.size(-1) == length:
            return self.kept
        made = torch.ones(length, device="cuda").max()  # frequency: once
        if cache:
            self.kept = made
        return made

    def table(self, length, force=False):
        if not force and hasattr(self, "found"):
            return self.found
        self.found = torch.ones(length, device="cuda").max()  # frequency: every step
        return self.found


def outputs_of_levels(models, data, path):
    found = {}
    for level in range(len(models)):
        model = models[level]
        found[level] = model(data).max()  # frequency: unknown
    torch.save(found, path)
