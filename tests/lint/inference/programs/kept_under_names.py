"""Classes and functions that a dict keeps under names, of which one is made or called in each step."""

import torch
from torch import nn


class Solver:
    def __init__(self, start):
        self.bound = torch.as_tensor(3.0, device=start.device)  # frequency: every step

    def run(self, times):
        return times[0]  # frequency: every step


class Euler(Solver):
    pass


class Heun(Solver):
    pass


class Midpoint(Solver):
    pass


class Adams(Solver):
    pass


class Bosh(Solver):
    pass


def relu(x):
    y = x > 0  # reveal: Tensor[gpu, bool, rank 1]
    return x * y


SOLVERS = {"euler": Euler, "heun": Heun, "midpoint": Midpoint, "adams": Adams, "bosh": Bosh}
FUNCTIONS = {"relu": relu, "exp": torch.exp, "sin": torch.sin, "cos": torch.cos, "tan": torch.tan}


class Activation(nn.Module):
    def __init__(self, name):
        super().__init__()
        self.name = name

    def forward(self, x):
        return x


class Gelu(Activation):
    def __init__(self, name):
        super().__init__(name)
        self.scale = torch.tensor(3.0, device="cuda")  # frequency: every epoch


ACTIVATIONS = {"a": Activation, "b": Activation, "c": Gelu, "d": nn.ReLU, "e": nn.Tanh, "f": nn.SiLU}


def train(data, method, act):
    model = nn.Sequential(nn.Linear(3, 3), ACTIVATIONS[act](act)).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(1000):
        start = torch.randn(3, device="cuda")
        solver = SOLVERS[method](start=start)
        first = solver.run(start)  # reveal: Tensor[gpu, float, rank 0]
        out = FUNCTIONS[act](model(start))
        out.mean().backward()
        optimizer.step()
