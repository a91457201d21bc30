"""What a use shows in a file that works with arrays, too."""

import numpy as np
import torch


def logged(metrics, names, solve, x) -> None:
    metrics["loss"].item()
    a = metrics["loss"]  # reveal: Tensor[any device]
    names["all"].tolist()
    b = names["all"]  # reveal: Unknown
    keep = torch.relu(x) > 0
    kept = solve(x)
    kept[keep].mean()
    c = kept  # reveal: Tensor[any device]
    rows = np.unique(names)
    table = solve(names)
    table[rows].mean()
    d = table  # reveal: Unknown
    sizes = x.new_full((3,), keep.sum())  # operation: Convert


TABLE = {"a": max, "b": min, "c": sum, "d": len, "e": abs, "f": round, "g": print, "h": np.median, "i": torch.norm}


def measured(key, losses: "dict[str, object]", best=None) -> None:
    a = TABLE[key](losses)  # reveal: Unknown
    TABLE[key](losses).item()  # operation: Call, Call
    loss = sum(losses.values())
    loss.backward()
    b = loss  # reveal: Tensor[any device]


def counted(step, x) -> None:
    count = torch.tensor(0) if x is None else step(x)
    total = one_of(step, x)
    total.item()
    c = total  # reveal: Tensor[any device]


def one_of(step, x):
    if x is None:
        return torch.tensor(0)
    return step(x)


def weighed(mask, chosen, module, values) -> None:
    weight = mask.float() * 2
    a = mask  # reveal: Tensor[any device]
    module.half()
    b = module  # reveal: Unknown
    picked = values[chosen.byte()]
    c = chosen  # reveal: Tensor[any device]


def named(x, read) -> None:
    meta = torch.relu(x) if read is None else read(x)
    a = meta["split"]  # reveal: Unknown
    b = meta[0]  # reveal: Tensor[any device] | Unknown


def moved_first(impl, scaler, x) -> None:
    action = impl(x)
    if scaler is not None:
        action = scaler.back(action)
    host = action.cpu().detach()
    a = action  # reveal: Tensor[any device]
    moved = impl.other(x).cpu()
    b = impl.other(x)  # reveal: Unknown


def others(found, positions) -> None:
    found.argwhere(len)
    a = found  # reveal: Unknown
    positions.argwhere()
    b = positions  # reveal: Tensor[any device]


def moved_and_computed_with(pred, target, weights, others, device):
    a = pred.cpu() - target
    b = a  # reveal: Tensor[cpu, int|uint8|float|complex]
    c = pred  # reveal: Tensor[any device]
    d = 2 * weights.to(device)  # reveal: Tensor[any device, int|uint8|float|complex]
    e = torch.isnan(others.to(device).float())
    f = others  # reveal: Tensor[any device]
    return b, c, d, e, f


def only_moved(model, batch, device):
    model.to(device)
    a = model  # reveal: instance of a model that something unknown has made on any device
    b = batch.to(device)["ids"]
    c = batch  # reveal: Unknown
    return a, b, c


class Sorting(torch.nn.Module):
    def forward(self, solve, x, y, z):
        rows, more, scores = solve(x), solve(y), solve(z)
        rows.sort(key=len)
        a = rows  # reveal: Unknown
        more.sort()
        b = more  # reveal: Unknown
        first = scores.sort(descending=True)
        c = scores  # reveal: Tensor[any device]


def predicted(model: torch.nn.Module, read, x, target):
    pred = read(x) if target is None else model(x)
    return differing(pred, target)  # reveal: Tensor[cpu, int|uint8|float|complex]


def differing(pred, target):
    chosen = pred[:, 4:]
    difference = chosen.cpu() - target
    a = pred  # reveal: Unknown | Batch[any device]
    b = chosen  # reveal: Tensor[any device]
    return difference


def shifted(point, depth, scale: float = 1.0):
    if depth > 5:
        depth = 0
    code = point.code >> depth
    if scale < 0:
        scale = 1.0
    x = scale * point.x
    code  # reveal: Tensor[any device]
    x  # reveal: Tensor[any device]
    return torch.unique(code), x.detach()
