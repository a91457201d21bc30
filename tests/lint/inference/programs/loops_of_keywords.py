"""Loops through the keywords that a function is given have as many passes as its calls give keywords."""

import torch
from torch.utils.data import DataLoader


class Meters:
    def update(self, **values):
        for name, value in values.items():
            print(name, value.item())  # frequency: every step
            for each in value:
                each.item()  # frequency: every pass of a loop in a step

    def update_all(self, **values):
        for value in values.values():
            value.item()  # frequency: every pass of a loop in a step

    def update_other(self, step, **values):
        for name in values:
            values[name].item()  # frequency: every step

    def update_open(self, **values):
        for value in values.values():
            value.item()  # frequency: every pass of a loop in a step


def train(loader: DataLoader, others):
    model = torch.nn.Linear(2, 2).cuda()
    meters = Meters()
    for x in loader:
        loss = model(x.cuda()).sum()
        loss.backward()
        meters.update(loss=loss)
        meters.update(twice=loss * 2)
        meters.update_all(loss=loss, twice=loss * 2)
        meters.update_other(step=1, loss=loss)
        meters.update_open(**others)
