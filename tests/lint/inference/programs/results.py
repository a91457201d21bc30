"""What calls return: by the kinds of their arguments, and as an annotation promises where the body does not tell."""

import elsewhere
import torch
import torchvision
from torch import Tensor


def a_dimension_makes_a_pair(x: Tensor):
    x.max(-1)  # reveal: tuple[Tensor[any device], Tensor[any device, int]]
    x.max(-1).values  # reveal: Tensor[any device]
    torch.min(x, 1).indices  # reveal: Tensor[any device, int]
    x.max(x)  # reveal: Tensor[any device]
    torch.aminmax(x).max  # reveal: Tensor[any device, rank 0]


def opaque(x) -> Tensor:
    return elsewhere.kernel(x)


def opaque_pair(x) -> tuple[Tensor, Tensor]:
    return elsewhere.kernel(x), torch.zeros(3)


def host(x) -> int:
    return elsewhere.count(x)


class Base:
    def score(self) -> Tensor:
        raise NotImplementedError


def promised(x):
    opaque(x)  # reveal: Tensor[any device]
    opaque_pair(x)  # reveal: tuple[Tensor[any device], Tensor[cpu, float, rank 1]]
    host(x)  # reveal: Unknown
    if opaque(x) > 0:  # operation: Truth
        return Base().score()  # reveal: Tensor[any device]
    return 0


def deep(x: Tensor) -> Tensor:
    return deeper(x)


def deeper(x: Tensor) -> Tensor:
    return deepest(x)


def deepest(x: Tensor) -> Tensor:
    return x + 1


def from_afar(x):
    deep(deep(x))  # reveal: Tensor[any device, int|uint8|float|complex]


def nested_lists(rows: list[Tensor]):
    norms = [[row.norm() for row in rows] for _ in range(2)]
    torch.tensor(norms)  # operation: Call, Convert
    torch.tensor([[1, 2], [3, 4]])  # operation: Call


def typed_constructors(accelerator, norm: Tensor):
    accelerator.FloatTensor([float(norm)])  # reveal: Tensor[any device, float, rank≥1]
    accelerator.LongTensor([norm])  # operation: Convert


class Stack(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = torch.nn.ModuleList([Base() for _ in range(3)])
        self.layers = torch.nn.ModuleList(elsewhere.layers())

    def forward(self, x):
        total = 0
        for layer in self.layers:
            layer  # reveal: instance of torch.nn.Module
            total += layer(x).sum()
        for block in self.blocks:
            block.score()  # reveal: Tensor[any device]
        total.item()  # operation: Call
        number = 0
        number.bit_length()  # operation: none
        return total


def boxes(found: Tensor):
    torchvision.ops.box_convert(found, "xyxy", "cxcywh").cpu()  # operation: Call
    torchvision.ops.box_iou(found, found)  # reveal: Tensor[any device, float, rank≥1]


def of_sizes(x):
    a = torch.div(x.shape[-1], 2, rounding_mode="floor")  # reveal: Tensor[cpu, float]
    b = torch.div(x.shape[0] - 1, 2)  # reveal: Tensor[cpu, float]


def each_of_several() -> None:
    values = torch.ones(3, device="cuda")
    a, b = torch.broadcast_tensors(values, values > 1)
    c = b  # reveal: Tensor[gpu, bool, rank 1]
    d, e = torch.meshgrid(torch.arange(3), values, indexing="ij")
    f = d  # reveal: Tensor[gpu, int, rank≥1]
    g = e  # reveal: Tensor[gpu, float, rank≥1]


def of_operators() -> None:
    values = torch.ones(3, device="cuda")
    a = torch.ops.aten.index.Tensor(values, [values > 1])  # reveal: Unknown
    b = torch.ops.aten.sum.dim_IntList(values, [0])  # reveal: Tensor[gpu, float]
    c = torch.ops.aten.exp(values)  # reveal: Tensor[gpu, float, rank 1]


def of_limits(values: torch.Tensor) -> None:
    a = torch.finfo(values.dtype).min  # reveal: float
    b = torch.iinfo(torch.int64).max > 3  # reveal: bool


def of_anything(thing):
    a = thing.numpy()  # reveal: ndarray
    return a, thing.rows.numpy(force=True)
