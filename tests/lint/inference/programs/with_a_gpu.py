"""There is a GPU: what a condition asks that holds with one holds, and how many there are is at least one."""

import torch


def moved_back(model: torch.nn.Module, x: torch.Tensor):
    y = model(x.cuda())
    if torch.cuda.is_available():
        y = y.cpu()
    return y  # reveal: Batch[cpu]


def moved_back_by_number(model: torch.nn.Module, x: torch.Tensor):
    y = model(x.cuda())
    if torch.cuda.device_count():
        y = y.cpu()
    return y  # reveal: Batch[cpu]


def moved_there(x: torch.Tensor):
    y = torch.ones(2)
    if torch.cuda.device_count() > 0:
        y = y.cuda()
    return y  # reveal: Tensor[gpu, float, rank 1]


def chosen(x: torch.Tensor):
    y = x.cuda()
    z = y.cpu() if torch.cuda.device_count() else y
    return z  # reveal: Tensor[cpu]


def chosen_without(x: torch.Tensor):
    y = x if not torch.cuda.is_available() else x.cuda()
    return y  # reveal: Tensor[gpu]


def known_number(x: torch.Tensor):
    n_gpu = 0
    y = torch.ones(2)
    if n_gpu > 0:
        y = y.cuda()
    return y  # reveal: Tensor[any device, float, rank 1]


def without(x: torch.Tensor):
    y = x.cuda()
    if torch.cuda.device_count() == 0:
        y = y.cpu()
    return y  # reveal: Tensor[gpu]
