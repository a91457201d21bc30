"""After a thread on an exponential moving average that is kept on the host."""

import copy

import torch


class EMA:
    def __init__(self, model, decay=0.999):
        self.shadow = {k: v.detach().cpu() for k, v in model.state_dict().items()}
        self.decay = decay

    def update(self, model):
        for k, v in model.state_dict().items():
            self.shadow[k] = self.shadow[k] * self.decay + v.detach().cpu() * (1 - self.decay)  # waits


def train(model, loader, optimizer):
    model = model.cuda()
    ema = EMA(model)
    for x in loader:
        model(x.cuda(non_blocking=True)).mean().backward()
        optimizer.step()
        ema.update(model)
