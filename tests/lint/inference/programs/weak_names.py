"""Names of set-up, which say little about functions of tensors and batches, and constructors of what holds tensors."""

import torch
from elsewhere import Operator, to_gpu


class State:
    def __init__(self):
        self.last = None

    def init_some_state(self, input_ids: torch.Tensor):
        self.last = torch.full((3,), 1).to(input_ids.device)  # frequency: every step (assumed)

    def init_layers(self, width):
        self.weight = torch.zeros(width)  # frequency: once


class Net(torch.nn.Module):
    def __init__(self, weight: torch.Tensor):
        self.largest = weight.max().item()  # frequency: once

    def _init_weights(self, weight: torch.Tensor):
        weight.copy_(torch.zeros(3))  # frequency: once

    def parse_options(self, options):
        lengths = to_gpu(options).long()
        return torch.max(lengths.data).item()  # frequency: once


class Graph:
    def sample(self, nodes):
        return torch.cat([self._convert_nodes(nodes), nodes.unique()])

    def _convert_nodes(self, nodes):
        return nodes.unsqueeze(0) + self.offset.item()  # frequency: every step (assumed)


class Cholesky(Operator):
    def __init__(self, chol):
        if isinstance(chol, Operator):
            chol = chol.evaluate()
        if torch.max(chol.triu(1)).item() > 1e-3:  # frequency: every step (assumed)
            raise ValueError
        super().__init__(chol)


class Search:
    def __init__(self, problem):
        self.center = problem.centers()
        self.best = min(self.center.unsqueeze(0).max(), 1)  # frequency: once


class Rows:
    def __init__(self, dim):
        self.sizes = torch.zeros(dim)  # frequency: once
