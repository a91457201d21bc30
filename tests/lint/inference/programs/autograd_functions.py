"""What autograd functions are given by `apply`, return, and keep for `backward`."""

import torch
from torch.autograd import Function


class Clipped(Function):
    @staticmethod
    def forward(ctx, x, low, scale=None):
        mask = x > low  # reveal: Tensor[gpu, bool, rank 1]
        ctx.save_for_backward(x, mask, torch.tensor(low, device="cuda"))
        ctx.low = low
        ctx.kept = mask
        return x * mask  # reveal: Tensor[gpu, float, rank 1]

    @staticmethod
    def backward(ctx, grad):
        grad  # reveal: Tensor[any device]
        x, mask, low = ctx.saved_tensors
        x  # reveal: Tensor[gpu, float, rank 1]
        mask  # reveal: Tensor[gpu, bool, rank 1]
        low  # reveal: Tensor[gpu]
        ctx.low  # reveal: float 0.5
        ctx.kept  # reveal: Tensor[gpu, bool, rank 1]
        return grad * mask, None, None


class Separate(Function):
    @staticmethod
    def forward(x, y):
        return x @ y  # reveal: Tensor[gpu, float]

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, y = inputs
        ctx.save_for_backward(x, y)

    @staticmethod
    def backward(ctx, grad):
        x, y = ctx.saved_tensors
        x  # reveal: Tensor[any device]
        return grad @ y, x @ grad


class Several(Function):
    @staticmethod
    def forward(ctx, *tensors):
        ctx.save_for_backward(*tensors)
        return tensors[0]

    @staticmethod
    def backward(ctx, grad):
        first, *rest = ctx.saved_tensors
        first  # reveal: Tensor[any device]
        return grad


class Again(Function):
    @staticmethod
    def forward(ctx, x, low):
        return x * low  # reveal: Tensor[gpu, float, rank 1]

    @staticmethod
    def backward(ctx, grad):
        Again.forward(ctx, torch.ones(3, device="cuda"), 2.0)
        return grad, None


class Unlike:
    @staticmethod
    def forward(ctx, x):
        return ctx  # reveal: Tensor[gpu, float, rank 1]

    @classmethod
    def apply(cls, x):
        return cls.forward(x, 1)


clip = Clipped.apply


def use():
    x = torch.ones(3, device="cuda")
    y = torch.ones(3, 3, device="cuda")
    Clipped.apply(x, 0.5)  # reveal: Tensor[gpu, float, rank 1]
    clip(x, 0.5)  # reveal: Tensor[gpu, float, rank 1]
    Separate.apply(y, y)  # reveal: Tensor[gpu, float]
    Unlike.apply(x)  # reveal: Tensor[gpu, float, rank 1]
