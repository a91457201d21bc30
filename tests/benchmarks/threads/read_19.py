"""After timm's issue on a meter that is updated in each step: a registry of functions makes the model."""

import torch
import torch.nn as nn

_entrypoints = {}


def register_model(fn):
    _entrypoints[fn.__name__] = fn
    return fn


class Net(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.fc = nn.Linear(dim, dim)
        self.num_features = dim
        self.scale = nn.Parameter(torch.ones(()))

    def forward(self, x):
        return self.fc(x) * self.scale


@register_model
def net_small(**kwargs):
    return Net(**kwargs)


def create(name, **kwargs):
    return _entrypoints[name](**kwargs)


def train(args, loader):
    model = create(args.model)
    model.cuda()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for x, y in loader:
        x, y = x.cuda(non_blocking=True), y.cuda(non_blocking=True)
        out = model(x)
        loss = (out - y).square().mean()
        loss.backward()
        optimizer.step()
        print(f"{loss:.3f} {model.scale:.3f}")  # waits
        print(model.num_features)  # clean
        acc = (out.argmax(1) == y.argmax(1)).float().mean()
        if acc > 0.9:  # waits
            break
