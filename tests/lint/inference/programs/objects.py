"""Objects of torch that keep what they were made with: distributions, optimizers, averaged models."""

import torch
import torch.distributions as td
from torch import nn
from torch.distributions import Bernoulli, Categorical, Independent, Normal
from torch.optim.swa_utils import AveragedModel

x = torch.rand(4, device="cuda")
host = torch.rand(4)

a = Normal(x, 1.0).sample()  # reveal: Tensor[gpu, float]
b = Normal(x, 1.0).mean  # reveal: Tensor[gpu, float]
c = Normal(0.0, 1.0).rsample((3,))  # reveal: Tensor[cpu, float]
d = Normal(host, host).log_prob(host)  # reveal: Tensor[cpu, float]
e = Categorical(logits=x).sample()  # reveal: Tensor[gpu, int]
f = Categorical(logits=x).entropy()  # reveal: Tensor[gpu, float]
g = Independent(Normal(x, x), 1).sample()  # reveal: Tensor[gpu, float]
h = Normal(0.0, 1.0).log_prob(x)  # reveal: Tensor[gpu, float]
i = Normal(unknown, other).sample()  # reveal: Tensor[any device, float]
j = Normal(x, x).expand((2, 4))  # reveal: instance of torch.distributions.Normal
k = td.Uniform(x, x).low  # reveal: Tensor[gpu, float]
ll = Bernoulli(x).base  # reveal: Unknown
m = td.AffineTransform(x, x)  # reveal: instance of torch.distributions.AffineTransform
n = AveragedModel(nn.Linear(4, 4)).to("cuda")  # reveal: instance of torch.optim.swa_utils.AveragedModel on gpu


def policy(mean: torch.Tensor, std):
    made = Normal(mean, std)
    action = made.sample()  # reveal: Tensor[any device, float]
    return made.log_prob(action)  # operation: Call


class Agent:
    def __init__(self):
        self.prior = Normal(x, x)

    def act(self):
        return self.prior.rsample()  # reveal: Tensor[gpu, float]


policy(host.mean(), host)


def run_in_step(model: torch.nn.Module, loader, device):
    for images, _ in loader:
        images = images.to(device)
        loss, _, _ = model(images)
        print(loss.item())  # operation: Call
        kept = loss  # reveal: Tensor[any device]
        print(kept)


class Clipped(torch.optim.Optimizer):
    def step(self):
        device = self.param_groups[0]["params"][0].device  # reveal: device any device
        for group in self.param_groups:
            if group["lr"] > 0:  # operation: none
                pass
            for p in group["params"]:
                if p.grad.norm() > 1:  # operation: Truth
                    pass
        return device


def warm_up(model, step):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for group in optimizer.param_groups:
        if group["lr"] < step:  # operation: none
            pass
        first = group["params"][0]  # reveal: Tensor[any device, rank≥1]
    return first
