"""A function sets the default device: what others make may be there too."""

import torch


def main(device: torch.device):
    torch.zeros(2)  # reveal: Tensor[any device, float, rank 1]
    torch.set_default_device("cuda")
    torch.zeros(2)  # reveal: Tensor[gpu, float, rank 1]
    torch.set_default_tensor_type(torch.FloatTensor)
    torch.zeros(2)  # reveal: Tensor[cpu, float, rank 1]
    torch.set_default_device(device)
    torch.zeros(2)  # reveal: Tensor[any device, float, rank 1]
    torch.set_default_device(None)
    torch.zeros(2)  # reveal: Tensor[cpu, float, rank 1]


def step():
    torch.zeros(2)  # reveal: Tensor[any device, float, rank 1]
