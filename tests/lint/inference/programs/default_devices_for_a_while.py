"""A default device inside of a `with` of one function is none of others."""

import torch


def empty():
    with torch.device("cuda"):
        torch.zeros(2)  # reveal: Tensor[gpu, float, rank 1]
    torch.zeros(2)  # reveal: Tensor[cpu, float, rank 1]


def later():
    torch.zeros(2)  # reveal: Tensor[cpu, float, rank 1]
