"""Functions that solvers, integrals and derivatives evaluate: often, and with what they are known to be given."""

import torch
from scipy import integrate, optimize
from scipy.sparse.linalg import LinearOperator
from torch.autograd.functional import hvp, jacobian
from torchcde import cdeint
from torchdiffeq import odeint


class Field(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Linear(3, 3)

    def forward(self, t, y):
        if t > 0.5:  # operation: Truth
            return self.net(y)
        return y  # reveal: Tensor[gpu, float, rank 2]


class Vector(torch.nn.Module):
    def forward(self, t, z):
        t  # reveal: Tensor[gpu, float]
        return z + 1  # reveal: Tensor[gpu, float, rank 2]


class Decay(torch.nn.Module):
    def forward(self, t, y):
        return -y  # reveal: Tensor[gpu, float, rank 2]


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.field = Decay()

    def forward(self, x):
        times = torch.linspace(0, 1, 2, device=x.device)
        return odeint(self.field, x, times)


def energy(x):
    return x.sum()  # reveal: Tensor[gpu, float, rank 0]


def pair(x, y):
    y  # reveal: Tensor[gpu, float, rank 1]
    return (x * y).sum()  # reveal: Tensor[gpu, float, rank 0]


def value(params):
    params  # reveal: object
    return params.sum()  # frequency: every pass of a loop in a step


def slope(params):
    return params + 1  # frequency: every pass of a loop in a step


def velocity(t, y):
    t  # reveal: object
    return -y  # frequency: every pass of a loop in a step


def product(v):
    return v * 2  # frequency: every pass of a loop in a step


def train(loader, interpolation):
    device = torch.device("cuda")
    field, vector = Field().to(device), Vector().to(device)
    times = torch.linspace(0, 1, 5, device=device)
    block = Block().to(device)
    v = torch.ones(3, device=device)
    for batch in loader:
        x = torch.ones(5, 3, device=device)
        odeint(field, x, times)
        block(x)
        odeint(lambda t, y: y * t, x, t=times)
        cdeint(interpolation, vector, x, times)
        jacobian(energy, x)
        hvp(pair, (x, v), (x, v))
        optimize.minimize(value, [0.0], jac=slope)
        integrate.solve_ivp(fun=velocity, t_span=(0, 1), y0=[0.0])
        LinearOperator((3, 3), matvec=product)
