"""A loop that ends in its first pass is no loop, and what runs after `train(False)` is evaluation."""

import torch
from torch.utils.data import DataLoader


def prepare(model, loader: DataLoader):
    for batch in loader:
        print(batch.cuda().mean())  # frequency: once
        break


def first(loader: DataLoader):
    for batch in loader:
        return batch.cuda()  # frequency: once


def first_good(model: torch.nn.Module, loader: DataLoader):
    for batch in loader:
        loss = model(batch.cuda()).mean()  # frequency: every step
        if loss > 1:  # frequency: every step
            continue
        loss.backward()
        break


if __name__ == "__main__":
    model = torch.nn.Linear(2, 2).cuda()
    loader = DataLoader(torch.rand(8, 2))
    prepare(model, loader)
    first(loader)
    first_good(model, loader)
    play(model, None)
