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
a[torch.tensor([0])]  # reveal: Tensor[cpu, float, rank 4]


def open_sizes(n, shape, x: torch.Tensor):
    torch.zeros(n)  # reveal: Tensor[cpu, float]
    torch.zeros(shape)  # reveal: Tensor[cpu, float]
    x[0]  # reveal: Tensor[any device]
    x[:, 1:]  # reveal: Tensor[any device, rank≥2]

rows = torch.zeros(2, 3, dtype=torch.int64)
a[rows]  # reveal: Tensor[cpu, float, rank 5]
a[:, rows[0], rows[1]]  # reveal: Tensor[cpu, float, rank 3]
a[0, rows]  # reveal: Tensor[cpu, float, rank 4]
a[rows, None]  # reveal: Tensor[cpu, float, rank 6]
places = torch.where(rows > 0)[0]  # reveal: Tensor[cpu, int, rank 1]
place = places[places][0]  # reveal: Tensor[cpu, int, rank 0]
counts = torch.unique(rows, return_inverse=True, return_counts=True)[2]  # reveal: Tensor[cpu, int, rank 1]
sizes = (2, 3)
a.view(-1, *sizes)  # reveal: Tensor[cpu, float, rank≥1]
a.view(6, -1)  # reveal: Tensor[cpu, float, rank 2]
