"""Names that the programs of the trials may use: tensors of the device at hand, and things made of them."""

from __future__ import annotations

from typing import Any, Final

GIVEN: Final = """
import math
import torch
import torch.nn.functional as F
from torch import distributions as d, nn, optim as O
from torch.nn.utils.rnn import pack_padded_sequence as pack, pad_packed_sequence as unpack

torch.manual_seed(0)
s = torch.full((), 0.5, device=D)
one = torch.full((), 1, device=D)
v = torch.linspace(0.0, 1.0, 4, device=D)
i = torch.arange(4, device=D)
m = i > 1
p = torch.full((4,), 0.5, device=D)
n = torch.full_like(p, 3.0)
r = torch.full((4, 4), 0.25, device=D)
e = torch.eye(4, device=D)
u = torch.linspace(0.1, 1.6, 16, device=D).view(4, 4).sin()
q = u @ u.T + e
b = torch.stack([q] * 4)
k = torch.linspace(0.1, 0.9, 64, device=D).view(1, 4, 4, 4)
y = torch.linspace(0.1, 0.9, 128, device=D).view(2, 4, 4, 4)
c = torch.linspace(0.1, 0.9, 128, device=D).view(1, 2, 4, 4, 4)
j = torch.arange(16, device=D).view(4, 4) % 4
h = torch.linspace(0.0, 1.0, 4)
hi = torch.arange(4)
hm = hi > 1
w = torch.hann_window(16, device=D)
z = torch.stft(torch.sin(torch.arange(64, device=D) / 3), 16, window=w, return_complex=True)

def linear():
    return nn.Linear(4, 4).to(D)

def trained(optimizer, **settings):
    model = linear()
    model(q).sum().backward()
    return optimizer(model.parameters(), **settings), list(model.parameters())

def scaled(optimizer, **settings):
    scaler, (made, parameters) = torch.amp.GradScaler("cuda"), trained(optimizer, **settings)
    scaler.scale(sum(each.sum() for each in parameters)).backward()
    return scaler, made

def encoder():
    return nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8, batch_first=False), 1).to(D)

def decoder():
    return nn.TransformerDecoder(nn.TransformerDecoderLayer(4, 2, 8), 1).to(D)

def with_anomalies(model, check):
    with torch.autograd.detect_anomaly(check_nan=check):
        model(q).sum().backward()

def group():
    torch.distributed.init_process_group("nccl", store=torch.distributed.HashStore(), rank=0, world_size=1)

def derive():
    for name, value in list(globals().items()):
        if isinstance(value, torch.Tensor) and (value.is_floating_point() or value.is_complex()):
            globals()[name] = value.detach().requires_grad_() * 1

def backward(*results):
    flat = [each for one in results for each in (one if isinstance(one, (tuple, list)) else (one,))]
    known = [each for each in flat if isinstance(each, torch.Tensor) and each.requires_grad]
    torch.autograd.backward(known, [torch.ones_like(each) for each in known])
"""
"""The device is `D`. `derive()` lets the tensors take part in a backward pass, which `backward` runs without a wait."""

_CODE: Final = compile(GIVEN, "<given>", "exec")


def given(device: str = "cuda") -> dict[str, Any]:
    """The names, on a device; what an earlier program has begun, or switched on, ends."""
    import torch

    torch.autograd.set_detect_anomaly(False)
    torch.set_autocast_enabled("cuda", False)
    if torch.distributed.is_available() and torch.distributed.is_initialized():
        torch.distributed.destroy_process_group()
    names: dict[str, Any] = {"D": device}
    exec(_CODE, names)
    return names
