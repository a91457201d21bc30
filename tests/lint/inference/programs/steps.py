"""What is one step of training, by names, by gradients, and by what an epoch goes through."""

from functools import lru_cache

import torch
from torch import nn

EACH = 1
LOG_INTERVAL = 1
SOME = 10


class Recipe:
    def run(self, trainer, limit):
        for step in range(limit):
            loss = trainer.train_one_step()
            loss.item()  # frequency: every step
        for step in range(limit):
            loss = self._run_train_optim_step()
            loss.item()  # frequency: every step
        for step in range(limit):
            loss = trainer.get_train_step()
            loss.item()  # frequency: every epoch

    def _run_train_optim_step(self):
        self.loss.mean().item()  # frequency: every step

    def parts_of_epochs(self, scheduler, names):
        for epoch in range(3):
            for name in names:
                self.look(name)  # frequency: every epoch


def update(trainer):
    trainer.optimizer.step()
    return torch.ones(3).sum()  # frequency: every step (assumed)


def schedule(trainer):
    trainer.scheduler.step()
    return torch.ones(3).sum()  # frequency: unknown


@lru_cache
def longest(lengths: torch.Tensor, scale: int = 1):
    return lengths.max().item() * scale  # frequency: every step (assumed)


@lru_cache
def table(count: int, device):
    return torch.ones(count).to(device).max().item()  # frequency: once


def train(generator, discriminator, loader, optimizer):
    for i, batch in enumerate(loader):
        loss = discriminator(batch)
        loss.backward()
        if (i + 1) % EACH == 0:
            loss.item()  # frequency: every step
        if (i + 1) % SOME == 0:
            loss.item()  # frequency: every N steps
        if (i + 1) % LOG_INTERVAL == 0:
            loss.item()  # frequency: every N steps
        if i % loader.every == 0:
            loss.item()  # frequency: every N steps



class Warp(object):
    def forward(self, image):
        return image * 2


def warped(images, count):
    warp = Warp()
    for image in images:
        for _ in range(count):
            mask = warp.forward(torch.ones(3))
            helper_of_warped(mask)  # frequency: unknown
    return mask


class Net(torch.nn.Module):
    def forward(self, image):
        return image * 2


def run(images, count):
    net = Net()
    for image in images:
        for _ in range(count):
            image = net.forward(image)
            helper_of_warped(image)  # frequency: every step
