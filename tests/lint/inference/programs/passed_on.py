"""What goes through others' hands: a loader's batches among what is not known."""

import torch
from torch.utils.data import DataLoader


class Progress:
    def __init__(self, items):
        self.items = items

    def __iter__(self):
        self.iterator = iter(self.items)
        return self

    def __next__(self):
        return next(self.iterator)


def train(loader, model, device):
    for data in Progress(loader):
        images, labels = [each.to(device) for each in data]
        loss = (model(images) - labels).sum()
        loss.backward()
        labels = data["labels"]
        torch.sum(labels)
        kept = labels  # reveal: Batch[cpu, pageable] | Unknown
    return kept


def collect(executor):
    pending = []
    for at in range(3):
        pending.append(executor.submit(at))
    for each in Progress(pending):
        each.result()


train(DataLoader([]), torch.nn.Linear(3, 3).cuda(), torch.device("cuda"))
collect(None)
