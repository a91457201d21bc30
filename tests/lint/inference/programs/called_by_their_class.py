"""Methods that compute on nothing they are given: what their own class, or calls by their name, tell of them."""

import torch
from torch import nn

__all__ = ["Experiment"]


class Experiment:
    def __init__(self, args):
        self._load(args)

    def _load(self, args):
        self.describe(args)

    def describe(self, args):
        return torch.ones(args.size).to("cuda")  # frequency: once

    def report(self, args):
        return torch.ones(args.size).to("cuda")  # frequency: unknown


class Critic(nn.Module):
    def judge(self, faces):
        for each in self.blocks:
            faces = each(faces) * self.sizes.tolist()[0]
        return faces, torch.ones(len(faces)).cuda()  # frequency: every step (assumed)


class Edges:
    def tolist(self):
        return torch.ones(self.size).to("cuda")  # frequency: unknown


class Head(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.places = torch.arange(size).cuda()  # frequency: once


def build(size):
    return Head(size)


def train(critic, loader, optimizer):
    for batch in loader:
        score, wanted = critic.judge(batch)
        (score - wanted).sum().backward()
        optimizer.step()


if __name__ == "__main__":
    Experiment(object())
