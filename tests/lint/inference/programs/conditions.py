"""What lines hang on: options, what callers give, and what the data are."""

import math
import os
import random
from math import inf

import numpy as np
import torch
import torch.distributed as dist
from somewhere import helper
from torch import Tensor

VERBATIM = os.environ.get("VERBATIM")


def train(cfg, args, model, loader, mode, ignore=None, soft=False, depth: int = 0):
    if cfg.finetune:
        model.half()  # where: cfg.finetune
    use_mixup = args.mixup > 0 and args.mixup_prob > 0
    if args.skip:
        return
    for i, batch in enumerate(loader):
        loss = model(batch.cuda()).sum()  # where: not args.skip
        if cfg.swav.use_queue:
            helper(loss)  # where: cfg.swav.use_queue and not args.skip
        else:
            helper(loss)  # where: not cfg.swav.use_queue and not args.skip
    for i, batch in enumerate(loader):
        if mode == "a":
            helper(i)  # where: mode == "a" and not args.skip
        elif mode in ("b", "c"):
            helper(i)  # where: mode in ("b", "c") and mode != "a" and not args.skip
        elif mode == "d":
            helper(i)  # where: mode == "d" and mode not in ("b", "c") and not args.skip
        if use_mixup and not soft:
            helper(i)  # where: use_mixup and not args.skip
        if soft or cfg["hard"]:
            helper(i)  # where: soft or cfg["hard"] and not args.skip
        else:
            helper(i)  # where: not cfg["hard"] and not args.skip
        if depth > 2 and "aux" in cfg.losses:
            helper(i)  # where: depth > 2 and "aux" in cfg.losses and not args.skip


def early(x: Tensor, labels, ignore=None, weights=None):
    if ignore is None:
        return x.sum()  # where: nothing
    if weights is None:
        weights = x.new_ones(3)  # where: ignore is not None
    kept = labels != ignore  # where: ignore is not None
    if kept.any():
        return x.sum()  # where: kept.any() and ignore is not None
    return x[kept] if weights is None else weights[kept]  # where: not kept.any() and ignore is not None


def processes(x, local_rank):
    if dist.get_world_size() == 1:
        return x  # where: dist.get_world_size() == 1
    if local_rank == 0 or os.environ.get("ALL", "0") == "1":
        helper(x)  # where: dist.get_world_size() != 1
    if VERBATIM:
        helper(x)  # where: VERBATIM and dist.get_world_size() != 1


def unsaid(x: Tensor, items):
    if len(items) > 0 and x.numel() >= 1 and isinstance(x, Tensor) and torch.is_tensor(x):
        helper(x)  # where: nothing
    if not len(items) or x.shape[0] == 0 or torch.compiler.is_compiling():
        return x
    if len(items) > 1 and not isinstance(x, Tensor):
        helper(x)  # where: len(items) > 1 and not isinstance(x, Tensor)
    return x[x > 0]  # where: nothing


def of_data(x: Tensor, batch, outputs, items, step, cfg, loader, device="cpu"):
    if x.dim() == 3 and len(items) > 2:
        helper(x)  # where: x.dim() == 3 and len(items) > 2
    if batch.mask is not None or outputs["logits"] is None:
        helper(x)  # where: batch.mask is not None or outputs["logits"] is None
    if isinstance(x, Tensor) or torch.is_tensor(items) or hasattr(x, "data"):
        helper(x)  # where: nothing
    if batch.is_sparse or x.requires_grad:
        helper(x)  # where: batch.is_sparse or x.requires_grad
    if step > 100:
        helper(x)  # where: step > 100
    if device == "cuda" or cfg.device == "cuda":
        helper(x)  # where: nothing
    if cfg.use_cuda:
        helper(x)  # where: nothing
    if cfg.train or cfg.mode == "train" or cfg.eval_only:
        helper(x)  # where: nothing
    for option in cfg.options:
        if option.weight > 0 or option == "x":
            helper(x)  # where: nothing
    found = False
    for batch in loader:
        if found:
            helper(x)  # where: found
        found = batch.found


def elsewhere(x: Tensor, mode, cfg):
    if mode == "a":
        helper(x)  # where: mode == "a"
    elif mode == "b":
        helper(x)  # where: mode == "b"
    else:
        raise ValueError(mode)
    if cfg.size is None:
        raise ValueError(mode)
    else:
        helper(x)  # where: nothing
    if cfg.very_long_name_of_an_option_of_models or cfg.another_name_of_an_option:
        helper(x)  # where: cfg.very_long_name_of_an_option_of_models or …


class Model(torch.nn.Module):
    def forward(self, x, keys=None):
        if self.training:
            helper(x)  # where: self.training
        if self.centers is None:
            self.centers = x.mean()
            return helper(x)  # where: nothing
        helper(x)  # where: nothing
        if self.kind == "swav" and x.shape[0] > 1:
            helper(x)  # where: self.kind == "swav" and x.shape[0] > 1
        if step % 100 == 0 and self.log_it and self.deep:
            helper(x)  # where: self.log_it and self.deep
        should_drop = self.training and self.drops
        if should_drop and x.shape[0] > 1:
            helper(x)  # where: self.training and self.drops and x.shape[0] > 1
        if not should_drop:
            helper(x)  # where: not should_drop
        rarely = step % 100 == 0 and self.deep
        if rarely:
            helper(x)  # where: self.deep
        if self.instructions["second"]:
            helper(x)  # where: self.instructions["second"]
        adapter = getattr(self, "adapter", None)
        if adapter is not None:
            helper(x)  # where: adapter is not None
        return helper(x) if self.weights else self.other(x)  # where: nothing


def once_in_loop(cfg, x, loader):
    for batch in loader:
        for i in range(3):
            if cfg.a:
                continue
            if i == 0:
                helper(x)  # frequency: every step


def kept_options(args, model, loader, extra):
    subset = [] if not args.subset else args.subset.split(",")
    semi = len(subset) > 0 and not args.plain
    warm = args.warm
    known = warm.something(extra)
    counted = len(loader) > 3
    twice = args.twice
    twice = model(twice)
    for batch in loader:
        if semi:
            helper(batch)  # where: semi
        if not warm:
            helper(batch)  # where: not warm
        if len(args.parts) > 1:
            helper(batch)  # where: len(args.parts) > 1
        if known:
            helper(batch)  # where: known
        if counted:
            helper(batch)  # where: counted
        if twice:
            helper(batch)  # where: twice


def there(x: Tensor, cfg, source_rank, global_rank, cond=None):
    if exists(cond):  # noqa: F821
        helper(x)  # where: exists(cond)
    if not exists(cond):  # noqa: F821
        return
    if global_rank != source_rank:
        helper(x)  # where: global_rank != source_rank and exists(cond)
    if exists(x.grad):  # noqa: F821
        helper(x)  # where: exists(x.grad) and exists(cond)
    if exists(cfg.checkpoint_path):  # noqa: F821
        helper(x)  # where: exists(cfg.checkpoint_path) and exists(cond)


def by_chance(x: Tensor, cfg, rng, items, soft=False):
    if random.random() < 0.5:
        helper(x)  # where: random.random() < 0.5
    if soft and torch.rand(1).item() > cfg.rate:
        helper(x)  # where: soft and torch.rand(1).item() > cfg.rate
    drawn = np.random.uniform(0, 1, 3)
    if drawn[0] >= items:
        helper(x)  # where: drawn[0] >= items
    else:
        helper(x)  # where: drawn[0] < items
    if rng.getrandbits(1):
        helper(x)  # where: rng.getrandbits(1)
    rate = x.random
    if rate < 0.5 or x.uniform > 3:
        helper(x)  # where: rate < 0.5 or x.uniform > 3


def may_be_none(x: Tensor, cfg, batch, model):
    found = model(x)
    if None in found:
        return x
    helper(x)  # where: None not in found
    scale = cfg.get("scale")
    other = getattr(cfg, "other", None)
    mask = batch.get("mask")
    kept = model(x) if cfg.keeps else None
    bound = getattr(cfg, "bound", None)
    bound = model(bound)
    if scale is not None:
        helper(x)  # where: scale is not None and None not in found
    if other is None:
        helper(x)  # where: None not in found
    if kept is not None:
        helper(x)  # where: kept is not None and None not in found
    itself = model(x) if itself is not None else None
    if itself is not None:
        helper(x)  # where: itself is not None and None not in found
    if mask is not None or bound is not None:
        helper(x)  # where: mask is not None or bound is not None and None not in found


def more_than_a_name(cfg, args, x: Tensor, step, items, hook=None):
    if args.kind in helper.KINDS or 0 < step < 3 or callable(x):
        helper(x)  # where: args.kind in helper.KINDS or 0 < step < 3 or callable(x)
    if 0 < args.depth <= 3:
        helper(x)  # where: 0 < args.depth <= 3
    if callable(hook):
        helper(x)  # where: callable(hook)
    if (scale := cfg.scale) is not None:
        helper(x)  # where: cfg.scale is not None
    if cfg["weight"] * 2 > 0:
        helper(x)  # where: cfg["weight"] * 2 > 0
    if args.depth + 1 > 2:
        helper(x)  # where: args.depth + 1 > 2
    if step * args.depth > 3 or len(items) + 1 > args.depth or args.depth % step == 1:
        helper(x)  # where: step * args.depth > 3 or …
    flag = getattr(args, "flag", False)
    if flag:
        helper(x)  # where: flag
    if cfg.losses.get("kl") is not None:
        helper(x)  # where: cfg.losses.get("kl") is not None
    return scale


def cases(cfg, x: Tensor, step, mode, hook=None):
    match cfg.kind:
        case "a":
            helper(x)  # where: cfg.kind == "a"
        case "b" if cfg.deep:
            helper(x)  # where: cfg.kind == "b" and cfg.deep
        case "c" | "d":
            helper(x)  # where: nothing
        case _:
            raise ValueError(x)  # frequency: failure (assumed)
    match hook:
        case None:
            helper(x)  # where: nothing
        case _ if step % 100 == 0:
            helper(x)  # frequency: every N steps (assumed)
    match x.dim():
        case 3:
            helper(x)  # where: x.dim() == 3
    match x.device.type:
        case "cpu":
            helper(x)  # frequency: once (assumed)


def in_one_of_two_ways(cfg, x):
    if cfg.first:
        twice(x)
        thrice(x)
        always(x)
    if cfg.second:
        twice(x)
        thrice(x)
        hardly(x)
    if cfg.third:
        thrice(x)
    if not cfg.first:
        always(x)


def in_two_of_three(cfg, x):
    if cfg.shape == "round":
        pass
    elif cfg.shape == "square":
        not_round(x)
    else:
        not_round(x)


def not_round(x):
    helper(x)  # where: cfg.shape != "round"


def in_one_of_two_others(cfg, x, other=None):
    if other is not None:
        hardly(x)
    if cfg.kind == "a":
        of_kind(x)
    if cfg.kind == "b":
        of_kind(x)


def sized(cfg, x):
    if cfg.size <= 1:
        each_size(x)
    else:
        each_size(x)


def twice(x):
    helper(x)  # where: cfg.first or cfg.second


def hardly(x):
    helper(x)  # where: `cfg.second` or others


def of_kind(x):
    helper(x)  # where: cfg.kind == "a" or cfg.kind == "b"


def thrice(x):
    helper(x)  # where: `cfg.first` or others


def always(x):
    helper(x)  # where: nothing


def each_size(x):
    helper(x)  # where: nothing


def one_of_several(cfg, args, x, power=2.0, others=()):
    power = float(power)
    if power == math.inf:
        helper(x)  # where: power == math.inf
    if power == inf:
        helper(x)  # where: power == inf
    measure = {"a": measured_a, "b": measured_b}[args.measure]
    measure(x)
    if cfg.fast:
        count = counted_fast
    else:
        count = counted
    count(x)
    for each in (summed, averaged):
        each(x)
    for name in others:
        reduce = {"a": reduced_a, "b": reduced_b}[name]
        reduce(x)


def measured_a(x):
    helper(x)  # where: args.measure == 'a'


def measured_b(x):
    helper(x)  # where: args.measure == 'b'


def counted_fast(x):
    helper(x)  # where: cfg.fast


def counted(x):
    helper(x)  # where: not cfg.fast


def summed(x):
    helper(x)  # where: nothing


def averaged(x):
    helper(x)  # where: nothing


def reduced_a(x):
    helper(x)  # where: nothing


def reduced_b(x):
    helper(x)  # where: nothing


def fit_length(x: Tensor, steps):
    _, length, _ = x.shape
    if length % 8 == 0:
        return x
    if steps % 8 == 0:
        return x.sum()  # where: length % 8 != 0
    return x.mean()  # where: length % 8 != 0


def looked_for(x: Tensor, pairs):
    wrong = torch.nonzero(torch.isinf(x))
    if len(wrong) > 0:
        helper(x)  # where: len(wrong) > 0
    rows, columns = torch.where(x > 0)
    positive = torch.where(x > 0, x, 0)
    if positive.numel() > 0 and pairs.shape[0] > 0:
        helper(x)  # where: nothing
    if rows.shape[0] == 0:
        return
    helper(x)  # where: rows.shape[0] != 0


def exported(x):
    if is_in_onnx_export_without_custom_ops():
        x.sum()  # frequency: once


class Halves:
    def __init__(self, use_half=False, scale=1.0):
        self.use_half = use_half
        self.scale = scale

    def training_step(self, loss: Tensor):
        if self.use_half:
            self.step_scaled(loss)
        else:
            self.step_plainly(loss)

    def step_scaled(self, loss: Tensor):
        self._norm(loss * self.scale)

    def step_plainly(self, loss: Tensor):
        loss.sum().item()  # where: nothing
        self._norm(loss)

    def _norm(self, loss: Tensor):
        return loss.sum().item()  # where: nothing


def one_is_enough(cfg, x: Tensor, step, items):
    if not cfg.training or cfg.predicts:
        helper(x)  # where: not cfg.training or cfg.predicts
    if cfg.deep or items.should_log:
        helper(x)  # where: cfg.deep
    if step % 100 == 0 or cfg.each_step:
        helper(x)  # where: cfg.each_step
    if cfg.use_cuda or cfg.deep or not (step % 100 == 0 and cfg.wide):
        helper(x)  # where: nothing
    if not (len(items) == 0 and cfg.training):
        helper(x)  # where: nothing
    if not torch.jit.is_scripting() and _is_compiling():  # noqa: F821
        return x
    if cfg.skips and not cfg.training:
        return x.sum()
    helper(x)  # where: not (cfg.skips and not cfg.training)


def looked_up(cfg, x, kind, others):
    losses = {"a": looked_up_a, "b": looked_up_b, "c": looked_up_a, "d": looked_up_d}
    losses[kind](x)
    {"e": looked_up_e, "f": print}[cfg.kinds[0]](x)
    for name in others:
        {"g": looked_up_g, "h": print}[name](x)
    for name in ("i", "j"):
        {"i": looked_up_i, "j": print}[name](x)
    every = {"k": looked_up_k, "l": print}
    for name in every:
        every[name](x)
    {"m": looked_up_m, "n": print}["m"](x)


def looked_up_a(x):
    helper(x)  # where: kind in ('a', 'c')


def looked_up_b(x):
    helper(x)  # where: kind == 'b'


def looked_up_d(x):
    helper(x)  # where: kind == 'd'


def looked_up_e(x):
    helper(x)  # where: cfg.kinds[0] == 'e'


def looked_up_g(x):
    helper(x)  # where: name == 'g'


def looked_up_i(x):
    helper(x)  # where: nothing


def looked_up_k(x):
    helper(x)  # where: nothing


def looked_up_m(x):
    helper(x)  # where: nothing


class Criterion(torch.nn.Module):
    def __init__(self, losses):
        super().__init__()
        self.losses = losses

    def loss_masks(self, x):
        helper(x)  # where: nothing

    def loss_boxes(self, x):
        helper(x)  # where: nothing

    def get_loss(self, loss, x):
        table = {"masks": self.loss_masks, "boxes": self.loss_boxes}
        return table[loss](x)

    def forward(self, x):
        for loss in self.losses:
            self.get_loss(loss, x)


def logged(loader, model, use_wandb, logger, should_log, phase):
    for i, batch in enumerate(loader):
        loss = model(batch.cuda()).sum()
        if use_wandb:
            helper(loss)  # where: use_wandb
        if logger == "tensorboard" and not should_log:
            helper(loss)  # where: logger == "tensorboard"
        if phase == "train" or logger != "wandb":
            helper(loss)  # where: phase == "train" or logger != "wandb"
