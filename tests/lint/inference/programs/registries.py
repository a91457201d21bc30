"""Classes that decorators put into registries, of which a setting chooses one."""

import torch
from torch import nn

MODELS = {}
FUNCTIONS = {}
CACHE = {}


def register(name):
    def wrap(cls):
        MODELS[name] = cls
        return cls

    return wrap


def register_function(function):
    FUNCTIONS[function.__name__] = function
    return function


class Registry:
    def __init__(self):
        self.kept = {}

    def register_module(self, name=None):
        def wrap(cls):
            self.kept[name or cls.__name__] = cls
            return cls

        return wrap

    def get(self, name):
        return self.kept[name]

    def build(self, cfg):
        return self.get(cfg["type"])(**cfg)


HEADS = Registry()


@register("small")
@HEADS.register_module()
class Small(nn.Module):
    def forward(self, x):
        loss = x.mean()
        return {"loss": loss, "count": len(x)}


@register("large")
@HEADS.register_module()
class Large(nn.Module):
    def __init__(self):
        super().__init__()
        self.part = nn.Linear(8, 8)

    def forward(self, x):
        loss = self.part(x).mean()
        return {"loss": loss, "count": 3}


@register_function
def made():
    return Large()


def chosen(cfg, x):
    model = MODELS[cfg.name]().cuda()
    model  # reveal: instance of registries.Small on gpu | instance of registries.Large on gpu
    out = model(x.cuda())
    out["count"]  # reveal: int
    out["loss"]  # reveal: Tensor[gpu, rank 0]


def built(cfg, x):
    out = HEADS.build(cfg).cuda()(x.cuda())
    out["count"]  # reveal: int


def by_function(cfg, x):
    model = FUNCTIONS[cfg.name]().cuda()
    model.train()
    model(x.cuda())  # reveal: Batch[gpu]


def kept(name, device):
    if name not in CACHE:
        CACHE[name] = torch.ones(3, device="cuda")
    return CACHE[name]


def use(name):
    kept(name, "cuda")  # reveal: Tensor[gpu, float, rank 1]
