"""What is shown of one of `*args` is not shown of the others."""

import torch


class Normalize(torch.autograd.Function):
    @staticmethod
    def forward(ctx, *args):
        x, mean, ctx.passes, training = args
        x = x.transpose(0, 1).contiguous()
        if training:  # operation: none
            x = x - x.mean(0)
        for _ in range(ctx.passes):  # operation: none
            x = x / x.norm()
        if x.size(1) > 3 and x.sum() > 3:  # operation: Truth
            return x
        return x


def first(*args):
    x = args[0]
    flag = args[1]
    if flag:  # operation: none
        return x.size(0)
    return x.sum().item()  # operation: Call
