"""Names that stand for other types, in annotations."""

import re
from collections.abc import Sequence
from typing import Any, Dict, List, Literal, NewType, Optional, Tuple, TypeAlias, TypeVar, Union

import numpy as np

import torch
from elsewhere import Edges
from torch import Tensor

OptTensor = Optional[Tensor]
Pair = Tuple[Tensor, OptTensor]
Named = Dict[str, Tensor]
Several = Sequence[Tensor]
Number: TypeAlias = Union[int, float]
Either = torch.LongTensor | None
Counts = List[int]
FLAGS = re.I | re.M
LIMIT = 1 | 2
Mode = Literal["sum", "mean"]
Arrays = TypeVar("Arrays", bound=Union[np.ndarray, Tensor])
OneKind = TypeVar("OneKind", np.ndarray, Tensor)
Image = NewType("Image", Tensor)
Anything = TypeVar("Anything")
first_of = [torch.ones(3)][0]


def annotated(
    a: OptTensor, b: Pair, c: Named, d: Several, e: Number, f: Either, g: Optional[Counts], h: FLAGS, i: Mode, j: Edges
):
    a  # reveal: Tensor[any device] | None
    b  # reveal: tuple[Tensor[any device], Tensor[any device] | None]
    c  # reveal: dict[Tensor[any device], …]
    d  # reveal: list[Tensor[any device], …]
    e  # reveal: int | float
    f  # reveal: Tensor[any device, int] | None
    g  # reveal: list[int, …] | None
    h  # reveal: Unknown
    j  # reveal: instance of elsewhere.Edges
    LIMIT  # reveal: int
    first_of  # reveal: Tensor[cpu, float, rank 1]
    return float(a.max())  # operation: Convert


def on_its_device(x: OptTensor) -> Tensor:
    made = torch.ones(3, device=x.device)
    return made * x


on_the_gpu = on_its_device(torch.ones(3, device="cuda"))  # reveal: Tensor[gpu, float|complex, rank≥1]


def variables(a: Arrays, b: OneKind, c: Image, d: Anything, e: Any):
    a  # reveal: ndarray | Tensor[any device]
    b  # reveal: ndarray | Tensor[any device]
    c  # reveal: Tensor[any device]
    d  # reveal: Unknown
    if isinstance(a, np.ndarray):
        return np.argwhere(a)
    return torch.argwhere(a)  # operation: Call
