"""How often the debug mode warns: `values` with the CPU's values in memory, `stubs` with torch's kernels alone."""

from __future__ import annotations

import sys
import warnings

from synclint.runtime_checker.emulated import build, load, plan

if sys.argv[1] == "values":
    load.load()
else:
    load._load(build.built(plan.installed()))

import torch
import torch.nn.functional as F

ones = torch.ones(8, device="cuda")
mask, square, whole = ones > 2, torch.eye(4, device="cuda"), torch.zeros(8, dtype=torch.long, device="cuda")
leaf = torch.zeros(4, 3, device="cuda", requires_grad=True)
CALLS = {
    "item": lambda: ones.sum().item(),
    "any": lambda: bool(mask.any()),
    "nonzero": lambda: mask.nonzero(),
    "read by mask": lambda: ones[mask],
    "write by mask": lambda: ones.clone().masked_fill_(mask, 0.0),
    "put by mask": lambda: ones.clone().__setitem__(mask, 0.0),
    "to host": lambda: ones.cpu(),
    "to device": lambda: torch.tensor([1.0, 2.0], device="cuda"),
    "list as index": lambda: ones[[1, 2]],
    "arithmetic": lambda: (ones * 2 + ones.mean()).softmax(0),
    "in place": lambda: ones.clone().mul_(2).add_(1),
    "inverse": lambda: torch.linalg.inv(square),
    "cholesky": lambda: torch.linalg.cholesky(square),
    "singular values": lambda: torch.linalg.svd(square),
    "optimizer": lambda: torch.optim.AdamW([torch.nn.Parameter(square.clone())]).step(),
    "backward": lambda: (leaf * 1).sum().backward(),
    "loss": lambda: F.cross_entropy(square, whole[:4], label_smoothing=0.1, weight=ones[:4]),
    "attention": lambda: F.scaled_dot_product_attention(*[square[None, None]] * 3),
    "random": lambda: torch.multinomial(ones, 2),
    "dropout": lambda: F.dropout(ones),
    "bincount": lambda: whole.bincount(),
    "clip": lambda: torch.nn.utils.clip_grad_norm_([leaf], 1.0),
    "searchsorted": lambda: torch.searchsorted(ones, ones),
    "index_add": lambda: ones.clone().index_add_(0, whole, ones),
    "sort": lambda: ones.sort(),
}

torch.cuda.set_sync_debug_mode("warn")
for name, call in CALLS.items():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    print(name, sum("called a synchronizing" in str(each.message) for each in caught))
