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
    cache  # reveal: NoneType None
    table = table.to(x.device)
    place = "cuda"
