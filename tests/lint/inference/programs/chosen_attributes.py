"""What a constructor binds to an attribute by a condition is what a method finds where it asks the same."""

from torch import nn


def linear(size):
    return nn.Linear(size, 9)


class Head(nn.Module):
    def __init__(self, options, kind, norm=None):
        super().__init__()
        if options.adaptive is False:
            self.proj = linear(3)
        else:
            self.proj = nn.AdaptiveLogSoftmaxWithLoss(3, 9, [4])
        self.adaptive = options.adaptive
        self.kind = kind
        self.drop = None
        if self.kind == "dropped":
            self.drop = nn.Dropout(0.1)
        self.norm = norm
        self.layer = nn.Linear(3, 3)
        if norm is not None:
            self.layer = nn.LayerNorm(3)
            self.other = nn.LayerNorm(3)
        else:
            self.other = nn.Identity()
        self.changed = norm

    def forward(self, x, y):
        if self.adaptive is False:
            self.proj  # reveal: instance of torch.nn.Linear
            return self.proj(x)  # reveal: Tensor[any device]
        self.proj  # reveal: instance of torch.nn.AdaptiveLogSoftmaxWithLoss
        return self.proj(x, y)

    def scores(self, x):
        return None if self.adaptive else self.proj(x)  # reveal: None | Tensor[any device]

    def dropped(self, x):
        if self.kind == "dropped":
            self.drop  # reveal: instance of torch.nn.Dropout
        if self.kind != "dropped":
            self.drop  # reveal: None
        return x

    def normed(self, x):
        if not (self.norm is None):
            self.other  # reveal: instance of torch.nn.LayerNorm
            self.layer  # reveal: instance of torch.nn.LayerNorm
        return self.other(self.layer(x))

    def asks_something_else(self, x):
        if self.kind:
            self.proj  # reveal: instance of torch.nn.AdaptiveLogSoftmaxWithLoss | instance of torch.nn.Linear
        return x


class Changing(nn.Module):
    def __init__(self, adaptive):
        super().__init__()
        self.adaptive = adaptive
        if adaptive:
            self.proj = nn.Linear(3, 9)
        else:
            self.proj = nn.Identity()

    def replace(self):
        self.proj = nn.Dropout()

    def forward(self, x):
        if self.adaptive:
            self.proj  # reveal: instance of torch.nn.Linear | instance of torch.nn.Identity | instance of torch.nn.Dropout
        return x
