"""Models that a setting chooses: what the modules of the project have tells what their results and attributes are."""

import importlib

import hydra
import models
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 4)
        self.steps = 0
        self.temperature = nn.Parameter(torch.ones(()))

    def forward(self, x):
        return self.fc(x)

    def losses(self, x):
        loss = self.fc(x).mean()
        return loss, {"loss": loss, "count": len(x)}


class Other(nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = 1

    def losses(self, x):
        loss = x.mean()
        return loss, {"loss": loss, "count": 3}


def by_setting(cfg, x):
    model = hydra.utils.instantiate(cfg.model)
    model.cuda()
    model.train()
    loss, parts = model.losses(x.cuda())
    loss.backward()
    loss  # reveal: Tensor[gpu, rank 0]
    parts["loss"]  # reveal: Tensor[gpu, rank 0]
    parts["count"]  # reveal: int
    model.steps  # reveal: int
    model.temperature  # reveal: Tensor[any device, float, rank 0]
    model.unheard_of  # reveal: instance of a model that something unknown has made on gpu


def by_attribute(cfg, x):
    model = getattr(models, cfg.name)(cfg).cuda().train()
    model.losses(x.cuda())[1]["count"]  # reveal: int
    model.losses(x.cuda())[0]  # reveal: Tensor[gpu, rank 0]


def by_module(cfg, x):
    model = importlib.import_module(f"models.{cfg.name}").build(cfg)
    model = nn.DataParallel(model.cuda()).train()
    model.module.losses(x.cuda())[1]["count"]  # reveal: int


class Trainer:
    def __init__(self, cfg):
        self.model = models.create(cfg.name)
        self.model.to("cuda")
        self.criterion = hydra.utils.instantiate(cfg.criterion).cuda()

    def step(self, x):
        self.model.train()
        loss, parts = self.model.losses(x.cuda())
        parts["count"]  # reveal: int
        parts["loss"]  # reveal: Tensor[gpu, rank 0]


def moved_alone(x, model: Net, loader):
    net = Net()
    net.to("cuda")
    net  # reveal: instance of opaque_models.Net on gpu
    given = model
    given.cuda()
    given  # reveal: instance of opaque_models.Net on gpu
    given.eval().cpu()
    given  # reveal: instance of opaque_models.Net on cpu
    given.to("cuda").train()
    given  # reveal: instance of opaque_models.Net on gpu
    for batch in loader:
        batch.to("cuda")
        batch  # reveal: Batch[cpu]


def not_a_model(cfg, client):
    made = hydra.utils.instantiate(cfg.logger)
    made.steps  # reveal: Unknown
    client.losses(3)  # reveal: Unknown
