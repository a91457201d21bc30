"""Branches, loops, comprehensions, closures, containers, narrowing."""

from typing import Optional, cast

import numpy as np
import torch
from torch import Tensor

x = torch.ones(3, device="cuda")


def branches(flag: bool) -> None:
    if flag:
        y = x
    else:
        y = x.cpu()
    a = y  # reveal: Tensor[any device, float, rank 1]
    z = None if flag else x
    b = z  # reveal: None | Tensor[gpu, float, rank 1]
    if z is not None:
        c = z  # reveal: Tensor[gpu, float, rank 1]
    if z is None:
        return
    d = z  # reveal: Tensor[gpu, float, rank 1]


def fixpoint(n: int) -> None:
    best = 0.0
    for _ in range(n):
        best = max(best, x.mean())
        if best > 1:  # operation: Truth
            pass
    total = 0
    for row in x:
        total += row
    a = total  # reveal: Tensor[gpu, float, rank 0]


def unequal() -> None:
    a = x.shape != x  # reveal: bool
    b = x == torch.float32  # reveal: bool
    if a or x.shape == x:  # operation: none
        pass


def containers() -> None:
    pair = (x, 1)
    first, second = pair
    a = first  # reveal: Tensor[gpu, float, rank 1]
    b = second  # reveal: int 1
    table = {"loss": x.mean(), "step": 3}
    c = table["loss"]  # reveal: Tensor[gpu, float, rank 0]
    d = table["step"]  # reveal: int 3
    losses = []
    for _ in range(3):
        losses.append(x.mean())
    e = losses  # reveal: list[Tensor[gpu, float, rank 0], …]
    f = sum(losses)  # reveal: Tensor[gpu, float, rank 0]
    g = [v * 2 for v in losses]  # reveal: list[Tensor[gpu, float, rank 0], …]
    h = {k: v for k, v in table.items()}
    i = [loss.item() for loss in losses]  # reveal: list[float, …]
    for k, v in zip(losses, [1, 2]):
        j = k  # reveal: Tensor[gpu, float, rank 0]
    a1, *rest = x, x, 1
    m = rest  # reveal: list[Tensor[gpu, float, rank 1] | int 1, …]


def annotations(
    a: Tensor, b: Optional[Tensor], c: list[Tensor], d: torch.LongTensor, e: np.ndarray, f: "Tensor | None" = None
) -> None:
    ra = a  # reveal: Tensor[any device]
    rb = b  # reveal: Tensor[any device] | None
    rc = c[0]  # reveal: Tensor[any device]
    rd = d  # reveal: Tensor[any device, int]
    re = e  # reveal: ndarray
    if f is not None:
        rf = f  # reveal: Tensor[any device]


def narrowing(value, array):
    if isinstance(value, torch.Tensor):
        a = value  # reveal: Tensor[any device]
    if isinstance(array, np.ndarray):
        b = array  # reveal: ndarray
    if isinstance(value, torch.Tensor) and value.is_cuda and value.any():  # operation: Truth
        c = value  # reveal: Tensor[gpu]
    if not torch.is_tensor(value):
        return
    d = value  # reveal: Tensor[any device]


def window_of(size: int):
    return torch.ones(size)


def beside(image: Tensor, other: Tensor) -> None:
    made, called = torch.ones(3), window_of(3)
    if image.is_cuda:
        made, called = made.cuda(), called.cuda(image.get_device())
        a = image  # reveal: Tensor[gpu]
    b = made  # reveal: Tensor[gpu, float, rank 1]
    c = called  # reveal: Tensor[gpu, float, rank 1]
    d = image  # reveal: Tensor[gpu]
    if other.is_cuda:
        other = other.mean()
    e = other  # reveal: Tensor[any device]


beside(x, x)


def closure() -> None:
    scale = x.mean()

    def inner(t):
        a = scale  # reveal: Tensor[gpu, float, rank 0]
        return t * scale

    b = inner(x)  # reveal: Tensor[gpu, float|complex]


def results(t: Tensor):
    moved = to_gpu(t)  # reveal: Tensor[gpu]
    both = pair_of(x)
    a = both[1]  # reveal: Tensor[gpu, bool, rank 1]


def to_gpu(t):
    return t.cuda()


def pair_of(t):
    return t, t > 0


def used_as_tensor(logits, names):
    _, best = logits.softmax(-1).max(dim=1)
    a = best  # reveal: Tensor[any device, int]
    if logits.mean() > 0:  # operation: Truth
        pass
    if names > 0:  # operation: none
        pass


def tries() -> None:
    try:
        y = x.cpu()
    except RuntimeError:
        y = x
    a = y  # reveal: Tensor[any device, float, rank 1]


def dead() -> None:
    return
    x.item()  # operation: none


def on_host(x: Tensor):
    host = _product(x.cpu(), x.cpu())  # reveal: Tensor[cpu]
    kept = _constant_or_mean(x.cpu())  # reveal: Tensor[cpu, rank 0]


def _product(a: Tensor, b: Tensor):
    return a * b


def _constant_or_mean(values: Tensor):
    if len(values) == 0:
        return torch.tensor(-1.0)
    return torch.mean(values)


def named_conditions(value, x: Tensor):
    is_tensor = isinstance(value, Tensor)
    on_host = x.device.type == "cpu"
    if is_tensor:
        a = value  # reveal: Tensor[any device]
    if on_host:
        b = x  # reveal: Tensor[cpu]
    value = 3
    if is_tensor:
        c = value  # reveal: int 3


def dict_of_pairs(names: list[str]):
    table = dict(zip(names, [x, x]))
    a = table["a"]  # reveal: Tensor[gpu, float, rank 1]
    for name in table:
        b = name  # reveal: str


def conditions_of_themselves(flag, other):
    flag = not flag
    other = other is None and flag
    flag = flag or other
    if flag and not other:
        a = x  # reveal: Tensor[gpu, float, rank 1]


def guarded(points: Tensor):
    rows = torch.arange(4, device=points.device)
    compact = points.device.type == "cpu"
    if compact:
        a = rows  # reveal: Tensor[cpu, int, rank 1]
    b = rows  # reveal: Tensor[any device, int, rank 1]


def guarded_by_name(points: Tensor):
    device = points.device
    if device.type != "cuda":
        return points  # reveal: Tensor[cpu]
    return points  # reveal: Tensor[gpu]


def guarded_beside_a_gpu(points: Tensor, other: Tensor, third: Tensor):
    if torch.cuda.is_available() and points.is_cuda:
        a = points  # reveal: Tensor[gpu]
    else:
        b = points  # reveal: Tensor[cpu]
    if other.is_cpu:
        c = other  # reveal: Tensor[cpu]
    if third.device == torch.device("cpu"):
        d = third  # reveal: Tensor[cpu]


def guarded_by_several_types(points: Tensor):
    scores = points @ points.T
    if points.device.type in ["cuda", "npu"]:
        a = scores  # reveal: Tensor[any device]
    else:
        b = scores  # reveal: Tensor[cpu]
    if points.device.type not in ("cpu", "mps"):
        c = points  # reveal: Tensor[any device]
    else:
        d = points  # reveal: Tensor[cpu]


def casts(given, numbers, known: torch.Tensor):
    a = cast(Tensor, given)  # reveal: Tensor[any device]
    b = cast("list[Tensor]", numbers)[0]  # reveal: Tensor[any device]
    c = cast("int", known)  # reveal: Tensor[any device]
    return a, b, c


def used_as_tensors(a, b, c, d, e, frame, known_elsewhere):
    if a.any(dim=-1).all():  # operation: Truth
        pass
    rows = b.size(0)
    if b.max() > rows:  # operation: Truth
        pass
    wide = c.expand(-1, 3)
    if c.max() > 0:  # operation: Truth
        pass
    mean = d.mean(keepdim=True)
    if d.max() > 0:  # operation: Truth
        pass
    last = frame.wide.expand(x.shape[0])
    if frame.wide.max() > 0:  # operation: Truth
        pass
    shape = known_elsewhere.shape[0]
    more = frame.tall.expand(shape)
    if frame.tall.max() > 0:  # operation: Truth
        pass
    if e.mean(dim="time") > 0 or e.size() > 0:  # operation: none
        pass
    if frame.size > 3:  # operation: none
        pass
    return wide, mean, last, more


def shapes_of_what_may_be_a_tensor(x: torch.Tensor, thing):
    made = x + 1 if thing.ready else thing.measured(x)
    made.shape  # reveal: Size
    made.shape[0]  # reveal: int
    made.name  # reveal: str | Unknown
