"""Devices that only the program's user knows: from its arguments, a configuration, a dict."""

import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cuda")
args = parser.parse_args()


def train(cfg, state, **options) -> None:
    x = torch.ones(3)
    a = x.to(args.device)  # reveal: Tensor[any device, float, rank 1]
    b = x.to(cfg.device)  # reveal: Tensor[any device, float, rank 1]
    c = x.to(options["device"])  # reveal: Tensor[any device, float, rank 1]
    d = x.to(options.get("device", "cpu"))  # reveal: Tensor[any device, float, rank 1]
    e = x.to(args.where)  # reveal: Tensor[any device, float, rank 1]
    f = torch.tensor([1.0], device=args.where)  # reveal: Tensor[any device, float, rank 1]
    g = torch.tensor([1.0], device=None)  # reveal: Tensor[cpu, float, rank 1]
    h = nn.Linear(3, 4).cpu().to(args.where)(x)  # reveal: Tensor[cpu, float, rank 1]
    i = nn.Linear(3, 4).to(args.device)(x.cuda())  # reveal: Tensor[gpu, float, rank 1]


def cast(cfg, weight_dtype, **options) -> None:
    x = torch.ones(3)
    a = x.to(args.dtype)  # reveal: Tensor[cpu, rank 1]
    b = x.to(cfg.weight_dtype)  # reveal: Tensor[cpu, rank 1]
    c = x.to(options["dtype"])  # reveal: Tensor[cpu, rank 1]
    d = x.to(weight_dtype)  # reveal: Tensor[cpu, rank 1]


def dtype_named(name, default="float32"):
    known = {"float32": torch.float32, "uint8": torch.uint8}
    if default in known:
        default = known[default]
    return known.get(name, default)


def named(name) -> None:
    x = torch.ones(3).cuda()
    a = x.to(dtype_named(name))  # reveal: Tensor[any device, rank 1]
