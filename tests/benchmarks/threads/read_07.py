"""After a detector's issue on slow matching: losses by masks and counts in each step, built from a registry."""

import torch
from torch import nn

HEADS = {}


def register_head(cls):
    HEADS[cls.__name__] = cls
    return cls


@register_head
class AnchorHead(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.cls = nn.Conv2d(dim, 9, 1)

    def forward(self, feats):
        return self.cls(feats)

    def loss(self, scores, labels):
        pos = labels > 0
        n = max(pos.sum(), 1)  # waits
        picked = scores.flatten()[pos.flatten()]  # waits
        return {"cls": picked.sum() / n, "num": picked.numel()}


def train(cfg, loader):
    head = HEADS[cfg.head](256).cuda()
    optimizer = torch.optim.SGD(head.parameters(), 0.1)
    for feats, labels in loader:
        feats, labels = feats.cuda(non_blocking=True), labels.cuda(non_blocking=True)
        losses = head.loss(head(feats), labels)
        losses["cls"].backward()
        optimizer.step()
        log = {k: float(v) for k, v in losses.items()}  # waits
        print(losses["num"])  # clean
        print(log)  # clean
