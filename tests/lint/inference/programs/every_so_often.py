"""What runs every so often, once, or for one process: since something was noted, results that are kept, processes."""

import time

import torch
import torch.distributed as dist
from torch import nn


class Trainer:
    def train(self, model, loader, every, is_main):
        last, noted = time.time(), 0
        for step, batch in enumerate(loader):
            loss = model(batch).sum()
            loss.backward()
            if time.time() - last > 10:
                loss.item()  # frequency: every N steps
                last = time.time()
            if is_main and (noted + every < step or self.soon and step == 0):
                loss.item()  # frequency: every N steps
                noted = step
            if not step - self.saved < every:
                self.saved = step
                loss.item()  # frequency: every N steps
            if step - noted < every:
                continue
            loss.item()  # frequency: every N steps
            noted = step

    def search(self, model, loader, low):
        for batch in loader:
            loss = model(batch).sum()
            loss.backward()
            if loss - low > 1:
                low = model.low
                loss.item()  # frequency: every step
            if loss > low:
                low = loss
                loss.item()  # frequency: every step


class Kernel(nn.Module):
    def forward(self, x, length, cache=True, force=False):
        return x * self.nodes(length, cache) * self.table(length, force)

    def nodes(self, length, cache=True):
        if cache and hasattr(self, "kept") and self.kept.size(-1) == length:
            return self.kept
        made = torch.ones(length, device="cuda").max()  # frequency: once
        if cache:
            self.kept = made
        return made

    def table(self, length, force=False):
        if not force and hasattr(self, "found"):
            return self.found
        self.found = torch.ones(length, device="cuda").max()  # frequency: every step
        return self.found


def gather(x: torch.Tensor, items):
    sizes = [x.new_zeros(1) for _ in range(dist.get_world_size())]
    dist.all_gather(sizes, x)
    sizes = [each.item() for each in sizes]  # frequency: every step (assumed)
    for rank, size in enumerate(sizes):
        x.max()  # frequency: every step (assumed)
    for rank in range(dist.get_world_size()):
        for item in items:
            x.max()  # frequency: every pass of a loop in a step (assumed)
    others = [x] * len(items)
    for each in others:
        x.max()  # frequency: every pass of a loop in a step (assumed)


def outputs_of_levels(models, data, path):
    found = {}
    for level in range(len(models)):
        model = models[level]
        found[level] = model(data).max()  # frequency: unknown
    torch.save(found, path)


class Schedule(nn.Module):
    def forward(self, x, length):
        self.count += 1
        while self.length.item() < length:
            self.grow(x.max())  # frequency: every N steps
        while self.kept.max() and self.done.item() <= self.count.item():
            x.max()  # frequency: every N steps
            self.done += 1
        while self.count.item() < length:
            x.max()  # frequency: every N steps
            self.count += 1
        self.left = torch.ones(1, device="cuda")
        while self.left.item() < length:
            x.max()  # frequency: every pass of a loop in a step
            self.left += 1
        while self.step.item() < length:
            loss = self.train_step(x).max()  # frequency: every step
            self.step += 1
        return x

    def grow(self, size):
        self.length = size
