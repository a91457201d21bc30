"""Values that are on the host by how they are used, where nothing else tells."""

import torch
from torch import Tensor


def lengths(x: Tensor, sizes: Tensor, moved: Tensor, either: Tensor, batch) -> None:
    a = sizes.max()  # reveal: Tensor[cpu, rank 0]
    b = sizes.numpy()
    c = batch["sizes"].max().item() + batch["sizes"].detach().numpy().max()
    d = batch["sizes"].sum(dim=0)  # reveal: Tensor[cpu, int|float|complex]
    e = batch["others"].sum(dim=0)  # reveal: Tensor[any device, int|float|complex]
    f = x.max()  # reveal: Tensor[any device, rank 0]
    g = moved.max()  # reveal: Tensor[any device, rank 0]
    h = moved.cpu().numpy()
    i = either.max()  # reveal: Tensor[any device, rank 0]
    j = either.numpy() if either.ndim else either.cpu().numpy()


def typed(x: Tensor, other) -> None:
    a = torch.ones(3).type(x.type())  # reveal: Tensor[any device, rank 1]
    b = torch.ones(3).type(other.type())  # reveal: Tensor[any device, rank 1]


class Held(torch.nn.Module):
    def forward(self, x):
        a = self.given.max(dim=0).values  # reveal: Tensor[any device]
        return x + a

    def export(self) -> None:
        self.given.numpy()


def sorted_by_length(loader) -> None:
    for batch in loader:
        sizes = batch["sizes"]
        a = sizes.max()  # reveal: Tensor[cpu, rank 0]
        kept, order = torch.sort(sizes, 0)
        b = kept.numpy().tolist()
        c = batch["others"].max()  # reveal: Tensor[any device, rank 0]


class Fused(torch.nn.Module):
    def forward(self, inputs, device):
        longer = inputs["longer"]  # reveal: Tensor[cpu]
        if inputs["longer"].sum() == 0:  # operation: none
            inputs["longer"][0] = True
        wave = inputs["wave"]  # reveal: Tensor[any device]
        if wave.sum() > 0:
            wave.to("cpu", non_blocking=True)
        moved = inputs["longer"].to(device=device, non_blocking=True)
        return longer, moved.sum()  # reveal: tuple[Tensor[cpu], Tensor[any device, int|float|complex, rank 0]]


class Declared(torch.nn.Module):
    def forward(self, inputs: torch.Tensor, device):
        longer = inputs["longer"].sum()  # reveal: Tensor[cpu, int|float|complex, rank 0]
        moved = inputs["longer"].to(device, non_blocking=True)
        return longer, moved


def grid(dtype):
    return torch.ones(3).type(dtype)


def kept_grid(dtype, last):
    if last.shape[0] != 3:
        last = torch.ones(3).type(dtype)
    return last


def calls_with_types(image: torch.Tensor) -> None:
    a = grid(image.type())  # reveal: Tensor[any device, rank 1]
    b = grid(torch.float16)  # reveal: Tensor[cpu, rank 1]
    c = kept_grid(image.type(), torch.zeros(1))  # reveal: Tensor[any device, rank 1]
    return a, b, c
