"""After the thread on one-hot labels and class weights in the loss."""

import torch
from torch import nn
import torch.nn.functional as F


class Focal(nn.Module):
    def __init__(self, alpha=(0.25, 0.75), gamma=2.0):
        super().__init__()
        self.alpha, self.gamma = alpha, gamma

    def forward(self, logits, target):
        onehot = F.one_hot(target)  # waits
        alpha = torch.tensor(self.alpha, device=logits.device)  # waits
        p = logits.softmax(1)
        loss = -alpha[target] * (1 - p) ** self.gamma * onehot * p.log()
        valid = target != -1
        return loss[valid].mean()  # waits


def train(model, loader):
    model, crit = model.cuda(), Focal()
    for x, y in loader:
        loss = crit(model(x.cuda(non_blocking=True)), y.cuda(non_blocking=True))
        loss.backward()
