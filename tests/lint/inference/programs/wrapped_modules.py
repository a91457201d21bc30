"""What wraps a module calls it, and has it as an attribute."""

import torch
from apex.parallel import DistributedDataParallel as ApexDDP
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


class Net(nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.scale = scale

    def forward(self, x):
        y = x * 2
        return y  # reveal: Tensor[gpu, float, rank 1]

    def sample(self, x):
        return x.max()  # reveal: Tensor[gpu, float, rank 0]


class Critic(nn.Module):
    def forward(self, x):
        y = x * 2
        return y  # reveal: Tensor[gpu, float, rank 1]


class Judge(nn.Module):
    def forward(self, x):
        y = x * 2
        return y  # reveal: Tensor[gpu, float, rank 1]


class Own(nn.Module):
    def __init__(self, module):
        super().__init__()
        self.module = module


def make(cfg):
    return Net(cfg.scale).cuda()


def main(cfg):
    net = nn.DataParallel(make(cfg))
    critic = FSDP(module=Critic())
    judge = ApexDDP(Judge())
    own = Own(3)
    for _step in range(1000):
        x = torch.ones(3, device="cuda")
        net(x)
        net.module.sample(x)
        critic.module(x)
        judge(x).sum().backward()
        own.module  # reveal: int 3
        net.module  # reveal: instance of wrapped_modules.Net on gpu


if __name__ == "__main__":
    main(__import__("config"))
