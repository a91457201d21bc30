"""An iterator of the program's own over a loader, which is also given what other code made of its batches."""

import torch
from torch.utils.data import DataLoader


class Progress:
    def __init__(self, items):
        self.items = items

    def __iter__(self):
        self.rest = iter(self.items)
        return self

    def __next__(self):
        return next(self.rest)


class Nothing:
    def __iter__(self):
        return self

    def __next__(self):
        return unknown()


def evaluate(data, pool, model):
    pending = []
    for batch in Progress(DataLoader(data, batch_size=4)):
        images = [x.to("cuda") for x in batch]
        pending.append(pool.submit(model, images))
    for each in Progress(pending):
        print(each.result())


def train(data, model):
    for batch in Progress(DataLoader(data, batch_size=4)):
        images, labels = [x.to("cuda") for x in batch]  # operation: Call
        first = batch[0]  # reveal: Batch[cpu, pageable] | Unknown
        torch.nn.functional.cross_entropy(model(images), labels + first.cuda()).backward()
    for each in Nothing():
        kept = each  # reveal: Unknown
        print(kept)
