"""Statements that may leave: what follows them hangs on that they did not."""

import torch
from somewhere import helper
from torch import Tensor


def one_after_the_other(x: Tensor, mask, plain):
    if plain:
        return x
    elif mask is None:
        return x.sum()
    helper(x)  # where: mask is not None and not plain


def in_a_pass(x: Tensor, limits):
    for limit in limits:
        if limit.closed:
            continue
        elif limit.upper:
            helper(x)  # where: nothing
            continue
        else:
            helper(x)  # where: nothing
        helper(x)  # where: nothing
    helper(x)  # where: nothing


def both_ways(x: Tensor, mask, plain):
    if mask is not None:
        if plain:
            return x
        else:
            return x.sum()
    helper(x)  # where: mask is None


def one_way(x: Tensor, mask, plain):
    if mask is not None:
        if plain:
            return x
        x = x * mask
    helper(x)  # where: nothing


def without_gradients(x: Tensor, mask):
    with torch.no_grad():
        if not mask.any():
            return x
        helper(x)  # where: mask.any()
    helper(x)  # where: mask.any()


def with_handler_that_leaves(x: Tensor, mask):
    try:
        if not mask.any():
            return x
    except ValueError:
        return x
    helper(x)  # where: mask.any()


def with_handler(x: Tensor, mask):
    try:
        if not mask.any():
            return x
    except ValueError:
        x = x.sum()
    helper(x)  # where: nothing


def in_a_loop(x: Tensor, masks):
    with torch.no_grad():
        for mask in masks:
            if not mask.any():
                continue
            helper(x)  # where: nothing
    helper(x)  # where: nothing


def in_a_function(x: Tensor, mask):
    def inner(y):
        if not mask.any():
            return y
        return y.sum()

    helper(inner(x))  # where: nothing


def after_an_error(x: Tensor, mask, plain):
    if mask is None:
        raise ValueError
    elif plain:
        return x
    helper(x)  # where: not plain


def all_errors(x: Tensor, mask, plain):
    if mask is None:
        if plain:
            raise ValueError
        else:
            raise TypeError
    helper(x)  # where: nothing


def every_step(model, loader, optimizer, every):
    for step, x in enumerate(loader):
        loss = model(x).sum()
        loss.backward()
        optimizer.step()
        if loss.isnan():
            continue
        elif step % every != 0:
            continue
        helper(loss)  # frequency: every N steps
