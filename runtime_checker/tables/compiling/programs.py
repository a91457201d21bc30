"""Small functions, each with one kind of wait: by what a rule reports there, as `lint/facts/dynamo.py` names it."""
# synclint: file-ignore  these programs wait on purpose

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import torch
import torch.nn.functional as F

Program: TypeAlias = Callable[[torch.Tensor], Any]
PROGRAMS: Final[dict[str, list[Program]]] = {}
"""Kind of wait -> the programs that show it, of which one may use the result where another does not."""


def shows(kind: str) -> Callable[[Program], Program]:
    """Add a function to the programs."""

    def add(program: Program) -> Program:
        PROGRAMS.setdefault(kind, []).append(program)
        return program

    return add


@shows("SYNC101:item")
def item(x: torch.Tensor) -> Any:
    return x * x.sum().item()


@shows("SYNC101:item")
def item_index(x: torch.Tensor) -> Any:
    return {0: x, 1: x * 2}[x.long().sum().item() % 2]  # type: ignore[index]


@shows("SYNC102:tolist")
def tolist(x: torch.Tensor) -> Any:
    return x * x.sum(0).tolist()[0]


@shows("SYNC102:tolist")
def tolist_integers(x: torch.Tensor) -> Any:
    first, second, *_ = x[0].long().tolist()
    return x * first * second


@shows("SYNC103:cpu")
def cpu(x: torch.Tensor) -> Any:
    return x.cpu() + 1


@shows("SYNC103:to")
def to_cpu(x: torch.Tensor) -> Any:
    return x.to("cpu") + 1


@shows("SYNC104:if")
def if_sum(x: torch.Tensor) -> Any:
    if x.sum() > 0:
        return x + 1
    return x - 1


@shows("SYNC104:if")
def if_any_raises(x: torch.Tensor) -> Any:
    if torch.isnan(x).any():
        raise ValueError("not a number")
    return x + 1


@shows("SYNC104:while")
def while_sum(x: torch.Tensor) -> Any:
    while x.sum() > 10:
        x = x / 2
    return x


@shows("SYNC104:assert")
def assert_all(x: torch.Tensor) -> Any:
    assert (x > -100).all()
    return x + 1


@shows("SYNC104:a conditional expression")
def conditional(x: torch.Tensor) -> Any:
    return x + (1 if x.any() else 2)


@shows("SYNC104:not")
def negated(x: torch.Tensor) -> Any:
    return x + int(not x.any())


@shows("SYNC104:and")
def both(x: torch.Tensor) -> Any:
    return (x.sum() and x.max()) + x


@shows("SYNC104:or")
def either(x: torch.Tensor) -> Any:
    return (x.sum() or x.max()) + x


@shows("SYNC105:float")
def as_float(x: torch.Tensor) -> Any:
    return x * float(x.sum())


@shows("SYNC105:int")
def as_int(x: torch.Tensor) -> Any:
    return x * int(x.sum())


@shows("SYNC105:int")
def int_range(x: torch.Tensor) -> Any:
    for number in range(int(x[0, 0].abs()) % 3):
        x = x + number
    return x


@shows("SYNC105:bool")
def as_bool(x: torch.Tensor) -> Any:
    return x * bool(x.any())


@shows("SYNC105:bool")
def bool_branch(x: torch.Tensor) -> Any:
    return x + 1 if bool(x.any()) else x


@shows("SYNC105:index")
def slice_bound(x: torch.Tensor) -> Any:
    return x[: x[0, 0].abs().long() % 3 + 1]


@shows("SYNC105:index")
def slice_bound_by_name(x: torch.Tensor) -> Any:
    end = x[0, 0].abs().long() % 3 + 1
    return x[:end]


@shows("SYNC106:print()")
def printed(x: torch.Tensor) -> Any:
    print(x)
    return x + 1


@shows("SYNC106:an f-string")
def f_string(x: torch.Tensor) -> Any:
    text = f"{x.sum()}"
    return x + len(text)


@shows("SYNC106:an f-string")
def f_string_format(x: torch.Tensor) -> Any:
    text = f"{x.sum():.3f}"
    return x + len(text)


@shows("SYNC107:max")
def largest(x: torch.Tensor) -> Any:
    return x * max(x[0].sum(), x[1].sum())


@shows("SYNC107:min")
def smallest(x: torch.Tensor) -> Any:
    return x * min(x[0].sum(), x[1].sum())


@shows("SYNC107:sorted")
def in_order(x: torch.Tensor) -> Any:
    return sorted([x[0].sum(), x[1].sum()])[0] + x


@shows("SYNC108:equal")
def equal(x: torch.Tensor) -> Any:
    return x + (1 if torch.equal(x, x * 2) else 2)


@shows("SYNC108:allclose")
def allclose(x: torch.Tensor) -> Any:
    return x + (1 if torch.allclose(x, x * 2) else 2)


@shows("SYNC109:arange")
def arange(x: torch.Tensor) -> Any:
    return torch.arange(x[0, 0].abs().long())  # type: ignore[call-overload]


@shows("SYNC201:nonzero")
def nonzero(x: torch.Tensor) -> Any:
    return x.nonzero()


@shows("SYNC201:nonzero")
def nonzero_count(x: torch.Tensor) -> Any:
    return x * (x > 0).nonzero().shape[0]


@shows("SYNC201:argwhere")
def argwhere(x: torch.Tensor) -> Any:
    return torch.argwhere(x)


@shows("SYNC201:where")
def where(x: torch.Tensor) -> Any:
    return torch.where(x > 0)[0]


@shows("SYNC202:unique")
def unique(x: torch.Tensor) -> Any:
    return torch.unique(x)


@shows("SYNC202:unique_consecutive")
def unique_consecutive(x: torch.Tensor) -> Any:
    return torch.unique_consecutive(x)


@shows("SYNC203:index")
def mask_read(x: torch.Tensor) -> Any:
    return x[x > 0]


@shows("SYNC203:index")
def mask_read_sum(x: torch.Tensor) -> Any:
    return x[x > 0].sum()


@shows("SYNC203:index")
def mask_length(x: torch.Tensor) -> Any:
    return x * len(x[x > 0])


@shows("SYNC203:masked_select")
def masked_select(x: torch.Tensor) -> Any:
    return torch.masked_select(x, x > 0)


@shows("SYNC204:index")
def mask_write(x: torch.Tensor) -> Any:
    y = x.clone()
    y[y > 0] = torch.zeros_like(y)[y > 0]
    return y


@shows("SYNC205:repeat_interleave")
def repeat_interleave(x: torch.Tensor) -> Any:
    return torch.repeat_interleave(x[:, 0], x[:, 0].abs().long())


@shows("SYNC206:bincount")
def bincount(x: torch.Tensor) -> Any:
    return torch.bincount(x.long().abs().flatten())


@shows("SYNC206:bincount")
def bincount_with_minimum(x: torch.Tensor) -> Any:
    return torch.bincount(x.long().abs().flatten(), minlength=10)


@shows("SYNC206:histc")
def histc(x: torch.Tensor) -> Any:
    return torch.histc(x, 10)


@shows("SYNC207:one_hot")
def one_hot(x: torch.Tensor) -> Any:
    return F.one_hot(x.long().abs() % 5)


@shows("SYNC209:index")
def list_index(x: torch.Tensor) -> Any:
    return x[[0, 2]]


@shows("SYNC302:tensor")
def from_list(x: torch.Tensor) -> Any:
    return x + torch.tensor([1.0, 2.0, 3.0, 4.0], device=x.device)


@shows("SYNC501")
def log_prob(x: torch.Tensor) -> Any:
    return torch.distributions.Normal(x, x.abs() + 0.1).log_prob(x)  # type: ignore[no-untyped-call]


@shows("SYNC503:inv")
def inverse(x: torch.Tensor) -> Any:
    return torch.linalg.inv(x[:4] + 10 * torch.eye(4, device=x.device))


@shows("SYNC604:iterate")
def rows(x: torch.Tensor) -> Any:
    total = x.new_zeros(())
    for row in x[0]:
        if row > 0:
            total = total + row
    return total
