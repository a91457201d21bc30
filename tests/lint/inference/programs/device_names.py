"""Devices that are named by a text, and parameters that may be given one."""

import torch


def sample(count: int, device: torch.device | str | None = None) -> torch.Tensor:
    return torch.arange(count, device=device)


def drawn(count: int, device: str = "cpu") -> torch.Tensor:
    made = torch.arange(count, device=device)
    made  # reveal: Tensor[any device, int|float|complex, rank 1]
    return made


def _hidden(count: int, device: str = "cpu") -> torch.Tensor:
    made = torch.arange(count, device=device)
    made  # reveal: Tensor[cpu, int|float|complex, rank 1]
    return made


def use(x: torch.Tensor, unknown) -> None:
    a = sample(3, "cpu")  # reveal: Tensor[cpu, int|float|complex, rank 1]
    b = sample(3, device="cuda")  # reveal: Tensor[gpu, int|float|complex, rank 1]
    c = sample(3, x.device)  # reveal: Tensor[any device, int|float|complex, rank 1]
    d = drawn(3), _hidden(3)
    e, f = map(lambda t: t * x, (x, x))
    e  # reveal: Tensor[any device]
    g = torch.ones(3).to(e.device)  # reveal: Tensor[any device, float, rank 1]
    for each in unknown or {}:
        h = torch.ones(3).to(each.device)  # reveal: Tensor[any device, float, rank 1]
    i = torch.tensor(unknown.edits() + 1)  # reveal: Tensor[cpu]
    j = torch.tensor(unknown.edits() if x.dim() else None)  # reveal: Tensor[cpu]


def serialized(group) -> torch.Tensor:
    backend = torch.distributed.get_backend(group)
    device = torch.device("cpu" if backend == "gloo" else "cuda")
    return torch.ones(3).to(device)  # reveal: Tensor[any device, float, rank 1]


def numbered(rank: int, count) -> None:
    torch.device("cuda:" + str(rank))  # reveal: device gpu
    torch.device("cuda" + ":" + str(rank))  # reveal: device gpu
    torch.device("cuda:%d" % rank)  # reveal: device gpu
    torch.device("cuda:{}".format(rank) if torch.cuda.is_available() else "cpu")  # reveal: device gpu
    torch.device("cuda:" + str(rank)) if torch.cuda.is_available() else torch.device("cpu")  # reveal: device gpu
    torch.device(count + str(rank))  # reveal: device any device
