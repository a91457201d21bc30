"""How many dimensions tensors have."""

import torch
from scipy.optimize import linear_sum_assignment

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
torch.zeros(*a.shape)  # reveal: Tensor[cpu, float]
a.new_zeros(*a.shape, 1)  # reveal: Tensor[cpu, float, rank≥1]
a.view(3, -1)  # reveal: Tensor[cpu, float, rank 2]
a.view(torch.int32)  # reveal: Tensor[cpu, int, rank 4]
torch.atleast_1d(a.sum())  # reveal: Tensor[cpu, float, rank 1]
torch.atleast_2d(a.sum(), a)  # reveal: tuple[Tensor[cpu, float, rank 2], Tensor[cpu, float, rank 4]]


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


def declared_sizes(n: int, k: int | None, *rest: int, shape):
    torch.zeros(n)  # reveal: Tensor[cpu, float, rank 1]
    torch.zeros(2 * n - 1)  # reveal: Tensor[cpu, float, rank 1]
    torch.zeros(k)  # reveal: Tensor[cpu, float, rank 1]
    torch.zeros(shape, shape)  # reveal: Tensor[cpu, float, rank 2]
    torch.zeros(*rest)  # reveal: Tensor[cpu, float]
    torch.zeros(*rest, n)  # reveal: Tensor[cpu, float, rank≥1]
    torch.full(shape, n)  # reveal: Tensor[cpu]


def unpacked(x: torch.Tensor, y: torch.Tensor, z: torch.Tensor, q):
    b, c = x.shape
    x[b - 1]  # reveal: Tensor[any device, rank 1]
    [h, w, d] = y.size()
    y != 0  # reveal: Tensor[any device, bool, rank 3]
    b, *rest = z.shape
    z  # reveal: Tensor[any device]
    b, c = q.shape
    q  # reveal: Unknown


def positions(x: torch.Tensor, n: int) -> None:
    found = x.nonzero()  # reveal: Tensor[any device, int, rank 2]
    rows, columns = found.unbind(1)
    rows[n]  # reveal: Tensor[any device, int, rank 0]
    torch.argwhere(x)[:, 0]  # reveal: Tensor[any device, int, rank 1]
    x.nonzero(as_tuple=True)[0][n]  # reveal: Tensor[any device, int, rank 0]
    for row, column in found:
        row  # reveal: Tensor[any device, int, rank 0]


def distinct(x: torch.Tensor, n: int) -> None:
    for value in x.unique():
        value  # reveal: Tensor[any device, rank 0]
    values, counts = torch.unique(x, return_counts=True)
    values[n]  # reveal: Tensor[any device, rank 0]
    for value in torch.unique_consecutive(x):
        x[value]  # operation: Index
    torch.unique(x, dim=0)  # reveal: Tensor[any device, rank≥1]


def matched(x: torch.Tensor, costs) -> None:
    a, b = linear_sum_assignment(costs)
    a  # reveal: ndarray
    torch.as_tensor(b)  # reveal: Tensor[cpu, rank≥1]
    for i, j in [linear_sum_assignment(each) for each in costs]:
        i  # reveal: ndarray
