"""A variable that a condition binds to one function or another: a call of it runs each where it was chosen."""

import torch


def quick(x: torch.Tensor):
    x.sum().item()  # where: nothing
    return x


def slow(x: torch.Tensor):
    x.sum().item()  # where: options.get("slow")
    return x


def smooth(x: torch.Tensor):
    x.sum().item()  # where: x.dim() > 2
    return x


def plain(x: torch.Tensor):
    x.sum().item()  # where: x.dim() <= 2
    return x


def shown(x: torch.Tensor):
    x.sum().item()  # frequency: evaluation
    return x


def learned(x: torch.Tensor):
    x.sum().item()  # frequency: every step
    return x


def bright(x: torch.Tensor):
    x.sum().item()  # where: part == 'color'
    return x


def cut(x: torch.Tensor):
    x.sum().item()  # where: part in ('cutout', 'erase')
    return x


def shift(x: torch.Tensor):
    x.sum().item()  # where: nothing
    return x


STAGES = {"color": [bright], "cutout": [cut], "erase": [cut]}
ALWAYS = {"all": [shift, shift]}


def augmented(x: torch.Tensor, policy: str):
    for part in policy.split(","):
        for stage in STAGES[part]:
            x = stage(x)
    for stage in ALWAYS["all"]:
        x = stage(x)
    return x


def render(x: torch.Tensor, options, **others):
    if options.get("slow"):
        way = slow
    else:
        way = quick
    how = smooth if x.dim() > 2 else plain
    if others.get("test_time", False):
        last = shown
    else:
        last = learned
    return augmented(last(how(way(x))), options.policy)


def train(model, batches, optimizer):
    for batch in batches:
        loss = render(model(batch), model.options).sum()
        loss.backward()
        optimizer.step()
