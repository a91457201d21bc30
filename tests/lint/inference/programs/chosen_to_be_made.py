"""Objects of one of several classes, or in a dict, that functions make: what calls them, and their methods."""

import torch
from easydict import EasyDict
from torch import nn


class Small(nn.Module):
    def forward(self, x):
        return x.sum().item()  # frequency: every step # where: name == "small"

    def penalty(self, x):
        return x.max().item()  # frequency: every step


class Large(nn.Module):
    def forward(self, x):
        y = x.sum()
        return y  # reveal: Tensor[gpu, float, rank 0]

    def penalty(self, x):
        return x  # reveal: Tensor[gpu, float, rank 2]


class Loss(nn.Module):
    def forward(self, y):
        return y.mean()  # reveal: Tensor[gpu, float, rank 0]


class Critic(nn.Module):
    def forward(self, y):
        return y.mean()  # reveal: Tensor[gpu, float, rank 0]


class Encoder(nn.Module):
    def forward(self, x):
        return x.mean()  # reveal: Tensor[gpu, float, rank 0]


class Decoder(nn.Module):
    def forward(self, x):
        return x.mean()  # reveal: Tensor[gpu, float, rank 0]


def make(name):
    if name == "small":
        model = Small()
    elif name == "large":
        model = Large()
    else:
        model = nn.Linear(3, 3)
    return model


def losses(cfg):
    return {"loss": Loss(), "critics": [Critic()]}


def parts(cfg):
    encoder = Encoder()
    return EasyDict(encoder=encoder, decoder=Decoder())


def of(cfg):
    return losses(cfg)


def train_one(model, x):
    return model(x)


class Trainer:
    def __init__(self, cfg):
        self.losses = of(cfg)
        self.parts = parts(cfg)

    def step(self, x):
        loss = self.losses["loss"](x) + self.parts.decoder(x)
        loss.backward()


def main(cfg):
    model = make(cfg.name).cuda()
    made = of(cfg)
    nets = parts(cfg)
    trainer = Trainer(cfg)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for _step in range(1000):
        x = torch.ones(3, 3, device="cuda")
        y = train_one(model, x) + model.penalty(x)
        loss = made["loss"](x) + nets.encoder(x) + sum(critic(x) for critic in made["critics"])
        (loss + y).backward()
        trainer.step(x)
        optimizer.step()


if __name__ == "__main__":
    main(__import__("config"))
