"""What one pass of a loop runs is repeated by none, nor is one function of a list; one GPU makes one pass."""

import os

import torch

NUM_GPUS = int(os.environ["NUM_GPUS"])


def refined(x: torch.Tensor, elite: torch.Tensor | None):
    for i in range(5):
        x.unique()  # frequency: every pass of a loop in a step
        if elite is not None:
            if i == 0:
                x.unique()  # frequency: every step
            for _ in range(3):
                if i == 0:
                    x.unique()  # frequency: every pass of a loop in a step
    return x


def bright(x: torch.Tensor):
    x.unique()  # frequency: every step
    return x


def cut(x: torch.Tensor):
    x.unique()  # frequency: every pass of a loop in a step
    return x


def shift(x: torch.Tensor):
    x.unique()  # frequency: every pass of a loop in a step
    return x


STAGES = {"color": [bright], "cutout": [cut], "erase": [cut], "twice": [shift, shift]}


def augmented(x: torch.Tensor, policy: str):
    for part in policy.split(","):
        for stage in STAGES[part]:
            x = stage(x)
    return x


def train(model, batches, optimizer):
    for batch in batches:
        loss = model(refined(augmented(batch.cuda(), model.policy), model.elite)).sum()
        loss.backward()
        optimizer.step()
        means([loss])
