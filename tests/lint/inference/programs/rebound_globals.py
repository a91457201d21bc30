"""Names of the module that functions bind anew."""

import torch

table = torch.tensor([1, 2])
fixed = torch.tensor([1, 2])
on_gpu = torch.zeros(2, device="cuda")
place = "cpu"
cache = None


def use(x: torch.Tensor):
    global table, on_gpu, place, cache
    table  # reveal: Tensor[any device, int, rank 1]
    fixed  # reveal: Tensor[cpu, int, rank 1]
    on_gpu  # reveal: Tensor[gpu, float, rank 1]
    place  # reveal: str
    cache  # reveal: Unknown
    table = table.to(x.device)
    place = "cuda"


device = None
weights = None


def choose(use_gpu):
    global device, weights, made_here
    device = torch.device("cuda" if use_gpu else "cpu")
    weights = torch.ones(3, device="cuda")
    made_here = torch.zeros(3).to(device)
    if cache is None:
        return None
    return device


def used(x: torch.Tensor):
    device  # reveal: device gpu
    made_here  # reveal: Tensor[gpu, float, rank 1]
    torch.ones(3).to(device)  # reveal: Tensor[gpu, rank 1]
    return weights  # reveal: Tensor[gpu, float, rank 1]


def never_bound():
    global nothing_here
    return nothing_here  # reveal: Unknown
