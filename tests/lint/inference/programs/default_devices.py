"""Tensors that are given no device, where the program sets the default."""

import torch

torch.zeros(2)  # reveal: Tensor[cpu, float, rank 1]

with torch.device("cuda"):
    torch.zeros(2)  # reveal: Tensor[gpu, float, rank 1]
    torch.tensor([1.0])  # reveal: Tensor[gpu, float, rank 1]
    torch.zeros(2, device="cpu")  # reveal: Tensor[cpu, float, rank 1]
    torch.from_numpy(array)  # reveal: Tensor[cpu, rank≥1]
torch.zeros(2)  # reveal: Tensor[cpu, float, rank 1]


def elsewhere():
    torch.zeros(2)  # reveal: Tensor[gpu, float, rank 1]
    torch.tensor([1.0])  # reveal: Tensor[gpu, float, rank 1]


def inside():
    with torch.device("cpu"):
        torch.zeros(2)  # reveal: Tensor[cpu, float, rank 1]
    torch.zeros(2)  # reveal: Tensor[gpu, float, rank 1]


if torch.cuda.is_available():
    torch.set_default_device("cuda")
else:
    torch.set_default_device("cpu")
torch.zeros(2)  # reveal: Tensor[gpu, float, rank 1]
torch.zeros_like(host)  # reveal: Tensor[any device]
torch.as_tensor(2.0, device=None)  # reveal: Tensor[gpu, float, rank 0]
