"""What an ordinary pass meets is not told: warm-up is over, data is not skipped, and some parts of a step are as asked."""

import torch
import torch.distributed as dist
from somewhere import helper
from torch import Tensor

CONFIG = dict(masks=True, points=False, weight=0.5, nested={"depth": 3})
CONFIG_NODE = load_node()  # noqa: F821
CONFIG_NODE.MODEL.DEEP = True
CONFIG_NODE.MODEL.WIDE = False


def skipped(x: Tensor, batches, model):
    for batch in batches:
        length = batch.shape[0]
        if length < 80:
            print(f"skipped {length}")
            continue
        helper(x)  # where: nothing
        if batch.sum() == 0:
            pass
        else:
            helper(x)  # where: nothing
        if batch.sum() == 0:
            model(batch)
            continue
        helper(x)  # where: batch.sum() != 0
    if x.numel() < 8:
        return None
    helper(x)  # where: nothing
    if x.dim() == 3:
        return model(x)
    return helper(x)  # where: x.dim() != 3


def not_of_data(x: Tensor, kind, cache, model):
    if kind == "plain":
        return
    helper(x)  # where: kind != "plain"
    if x in cache:
        return
    helper(x)  # where: x not in cache and kind != "plain"


def past_the_beginning(x: Tensor, model, first):
    seen = 0
    for step in range(100):
        if step >= first:
            helper(x)  # where: nothing
        if seen > 10:
            helper(x)  # where: nothing
        if first > 10:
            helper(x)  # where: first > 10
        seen += 1


def parts(x: Tensor, model, deep):
    for name, value in model.named_parameters():
        if "bias" in name:
            value.sum().item()  # frequency: every step (assumed)
        if "bias" in name and deep:
            value.sum().item()  # where: deep
        value.sum().item()  # frequency: every pass of a loop in a step (assumed)


def finite(x: Tensor):
    if not torch.isnan(x).any():
        helper(x)  # where: nothing
    if dist.get_rank() == 0:
        helper(x)  # where: nothing
    if dist.get_rank() == 1:
        helper(x)  # where: dist.get_rank() == 1


def by_default(x: Tensor, config, model):
    if config.masks:
        helper(x)  # where: nothing
    if config["masks"]:
        helper(x)  # where: nothing
    if config.weight > 0:
        helper(x)  # where: nothing
    if config.weight > 1:
        helper(x)  # where: config.weight > 1
    if config.depth >= 3:
        helper(x)  # where: nothing
    if config.points:
        helper(x)  # where: config.points
    if config.MODEL.DEEP:
        helper(x)  # where: nothing
    if config.MODEL.WIDE:
        helper(x)  # where: config.MODEL.WIDE
    if config.get("known", True):
        helper(x)  # where: nothing
    if config.get("known"):
        helper(x)  # where: config.get("known")
    if getattr(config, "other", None) is None:
        helper(x)  # where: nothing
    without = not config.masks
    if without:
        helper(x)  # where: without
    if not without:
        helper(x)  # where: nothing
