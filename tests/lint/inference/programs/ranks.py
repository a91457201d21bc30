"""How many dimensions tensors have."""

import torch

a = torch.zeros(1, 1, 2, 3)
a  # reveal: Tensor[cpu, float, rank 4]
a[0]  # reveal: Tensor[cpu, float, rank 3]
a[0, 0, 0, 2]  # reveal: Tensor[cpu, float, rank 0]
a[:, None, 0]  # reveal: Tensor[cpu, float, rank 4]
a[..., 0]  # reveal: Tensor[cpu, float, rank 3]
a + torch.ones(3)  # reveal: Tensor[cpu, float, rank 4]
a.sum()  # reveal: Tensor[cpu, float, rank 0]
a.sum(dim=1)  # reveal: Tensor[cpu, float, rank 3]
a.sum(dim=(1, 2))  # reveal: Tensor[cpu, float]
a.mean(1, keepdim=True)  # reveal: Tensor[cpu, float, rank 4]
a.reshape(3, 2)  # reveal: Tensor[cpu, float, rank 2]
torch.zeros((2, 3))  # reveal: Tensor[cpu, float, rank 2]
torch.zeros(())  # reveal: Tensor[cpu, float, rank 0]
torch.tensor([[1.0, 2.0], [3.0, 4.0]])  # reveal: Tensor[cpu, float, rank 2]
torch.arange(3)  # reveal: Tensor[cpu, int, rank 1]
torch.zeros_like(a)  # reveal: Tensor[cpu, float, rank 4]
a[torch.tensor([0])]  # reveal: Tensor[cpu, float, rank≥1]


def open_sizes(n, shape, x: torch.Tensor):
    torch.zeros(n)  # reveal: Tensor[cpu, float]
    torch.zeros(shape)  # reveal: Tensor[cpu, float]
    x[0]  # reveal: Tensor[any device]
    x[:, 1:]  # reveal: Tensor[any device, rank≥2]
