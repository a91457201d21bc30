"""What is left of a value that only linking knows where a test says what it is not."""

import torch
from torch import Tensor


def tensor_or_list(given, flag: bool):
    positions = given if flag else [1, 2]
    if not isinstance(positions, Tensor):
        a = positions  # reveal: list[int 1, int 2]
    if torch.is_tensor(positions):
        return
    b = positions  # reveal: list[int 1, int 2]


def list_or_tensor(given):
    if isinstance(given, (list, tuple)):
        return
    a = given  # reveal: Tensor[gpu, float, rank 1]


def text_or_number(given):
    if isinstance(given, str):
        return
    a = given  # reveal: int 3


x = torch.ones(3, device="cuda")
tensor_or_list(x, True)
list_or_tensor(x)
list_or_tensor([x])
text_or_number(3)
text_or_number("mean")


def of_this_type(given):
    if type(given) == Tensor:
        a = given  # reveal: Tensor[gpu]
    else:
        b = given  # reveal: float 2.25


def of_no_such_type(given):
    if type(given) not in (float, int):
        a = given  # reveal: Tensor[gpu, float, rank 1]


of_no_such_type(x)
of_no_such_type(2.25)
of_this_type(x)
of_this_type(2.25)


def number_or_tensor(given):
    made = given if isinstance(given, Tensor) else torch.tensor(given, device="cuda")
    if not isinstance(given, Tensor):
        a = given  # reveal: class typing.Never
        torch.as_tensor(given, device="cuda")
    return made


number_or_tensor(x)


def told_by_its_default(x: torch.Tensor, bound=1.0, step: int = 2):
    if torch.is_tensor(bound):
        bound[x > 0]  # reveal: Tensor[any device, rank≥1]
    if isinstance(step, torch.Tensor):
        step.item()  # operation: Call


def passed_a_number(x: torch.Tensor, bound=1.0):
    if torch.is_tensor(bound):
        bound[x > 0]  # reveal: Tensor[cpu, rank≥1]


def _all_calls_seen(x: torch.Tensor, bound=1.0):
    if torch.is_tensor(bound):
        bound[x > 0]  # reveal: Tensor[cpu, rank≥1]


def calls(x: torch.Tensor):
    passed_a_number(x, 2.0)
    _all_calls_seen(x)


def sizes(x: torch.Tensor, size: torch.Size, other):
    size  # reveal: Size
    if isinstance(other, torch.Size):
        other  # reveal: Size


def with_attribute(x, y, z, v, w):
    if hasattr(x, "item"):
        x.item()
    else:
        str(x)  # operation: none
    text = y.item() if hasattr(y, "item") else str(y)  # operation: Call
    if not hasattr(z, "tolist"):
        return str(z)  # operation: none
    is_tensor = hasattr(v, "detach")
    str(v) if not is_tensor else v.detach().cpu()  # operation: Call
    kept = w if not callable(getattr(w, "item", None)) else w.item()
    str(kept)  # operation: none
    str(x)  # operation: Convert
    return text, z.tolist()


with_attribute(*(torch.ones(3, device="cuda") for _ in range(5)))
