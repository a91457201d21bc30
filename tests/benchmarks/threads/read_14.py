"""After the thread on clipping: the norm is logged in each step, and a step is skipped where it is not finite."""

import logging

import torch
from torch.nn.utils import clip_grad_norm_

logger = logging.getLogger(__name__)


def train(model, loader, optimizer, scheduler):
    model = model.to("cuda")
    for step, (x, y) in enumerate(loader):
        x, y = x.to("cuda", non_blocking=True), y.to("cuda", non_blocking=True)
        loss = torch.nn.functional.cross_entropy(model(x), y)
        loss.backward()
        norm = clip_grad_norm_(model.parameters(), 1.0)
        if not torch.isfinite(norm):  # waits
            optimizer.zero_grad()
            continue
        optimizer.step()
        scheduler.step()
        metrics = {"loss": loss.detach(), "norm": norm, "lr": scheduler.get_last_lr()[0]}
        logger.info("step %d %s", step, metrics)  # waits
        logger.info("lr %s", metrics["lr"])  # clean
