"""What waits only for a value that one branch gives does so where that branch is taken, wherever the line is."""

import torch


def lengths_or_given(lengths, longest=None, shortest=None):
    lengths = lengths.cuda()
    if longest is None:
        longest = lengths.max()
    a = torch.arange(longest)  # waits: longest is None
    b = range(longest + 1)  # waits: longest is None
    n = lengths.min() if shortest is None else 5
    return a, b, range(n)  # waits: shortest is None


def called(x):
    return lengths_or_given(x), lengths_or_given(x, 7, shortest=x.shape[0])


def without_a_branch(x, plain):
    total = x.cuda().sum()
    if plain:
        total = 0.0
    if total > 3:  # waits: not plain
        print(f"{total:.3f}")  # waits: not plain and total > 3
    total = x.cuda().mean()
    return float(total)  # waits: nothing


def both_branches(x, mode, seed):
    x = x.cuda()
    if mode == "sum":
        value = x.sum()
    elif mode == "mean":
        value = x.mean()
    else:
        value = 0.0
    float(value)  # waits: nothing
    if mode == "sum":
        value = x.sum()
    elif mode == "zero":
        value = 0.0
    else:
        value = 1
    float(value)  # waits: mode == "sum"
    value = x.sum() if seed is None else x.mean()
    float(value)  # waits: nothing


def in_a_branch(x, augment, mixed, early):
    x = x.cuda()
    share = None
    if augment:
        if early:
            return 0
        if mixed:
            share = x.mean()
        else:
            share = 1.0
    return f"{share}"  # waits: mixed and not early and augment


def bound_again(x, augment, mixed):
    x = x.cuda()
    share = 1.0
    if augment:
        share = x.mean()
    if mixed:
        share = x.sum()
    return float(share)  # waits: nothing


def in_loops(x, augment, items):
    x = x.cuda()
    best = 0.0
    for item in items:
        new = 0.0
        if augment:
            new = x.sum() * item
        if float(new) > 2:  # waits: augment
            best = x.max()
        float(best)  # waits: nothing
    return float(best)  # waits: nothing


def unknown_otherwise(x, augment, other):
    size = x.cuda().max()
    if augment:
        size = other(x)
    return range(size)  # waits: nothing


def only_told_apart(x, mask=None):
    value = x.cuda().sum() if x.dim() else None
    if value is not None:
        print(x.shape)
    return f"{value}"  # waits: x.dim()


def of_several(x, augment):
    x = x.cuda()
    extra = x.sum() if augment else 0.0
    print("%s" % extra)  # waits: augment
    print("%s %s" % (x.mean(), extra))  # waits: nothing


def inside(x, augment):
    extra = x.cuda().sum() if augment else 0.0

    def show():
        return float(extra)  # waits: nothing

    return show
