"""How often lines run that use a model without training it, and loops of scripts."""

import fnmatch
import unittest

import torch
from torch import nn

model = nn.Linear(3, 3).cuda()
x = torch.ones(3, device="cuda")

for step in range(100):
    loss = model(x)
    print(loss.item())  # frequency: every step

for t in scheduler.timesteps:
    x = unet(x, t)
    print(x.mean().item())  # frequency: every step

while True:
    model(x).cpu()  # frequency: every step

for batch in loader:
    with torch.no_grad():
        model(batch).cpu()  # frequency: every step

for batch in loader:
    with torch.no_grad():
        goal = teacher(batch)
    model(goal).cpu()  # frequency: every step

for batch in enumerate(loader_valid):
    model(batch).cpu()  # frequency: evaluation

for row in range(10):
    print(x[row].item())  # frequency: once


def look_at(model, images):
    model.eval()
    for image in images:
        model(image).cpu()  # frequency: evaluation
    for _ in range(8):
        images = model(images)
        images.sum().item()  # frequency: every step


@torch.no_grad()
def answers(model, users, cache):
    for user in users:
        found = model(user["question"])
        found.cpu()  # frequency: evaluation
    for user, item in enumerate(users):
        item = item.cuda()
        item.rating = 3
        model(item).cpu()  # frequency: evaluation
    for _ in range(8):
        for user in users:
            user = user.cuda()
            given = model(user)
            given.cpu()  # frequency: every step
        users = given.split(3)
    for user in users:
        cache.append(user)
        model(cache).cpu()  # frequency: every step
    for user in users:
        self.state = model(user, self.state)
        self.state.cpu()  # frequency: every step


class Chunked(nn.Module):
    def forward(self, chunks):
        return self.parts(chunks)

    def parts(self, chunks):
        with torch.no_grad():
            for chunk in chunks:
                self.encoder(chunk).cpu()  # frequency: every pass of a loop in a step


def fine_tune(model, vae, loader):
    model.train()
    vae.eval()
    for batch in loader:
        model(vae(batch)).mean().item()  # frequency: every step


def entered(model, test_set):
    torch.no_grad().__enter__()
    for idx in range(len(test_set)):
        mix = test_set[idx].cuda()  # frequency: evaluation
        model(mix).cpu()  # frequency: evaluation


def switched_off(model, dataset):
    torch.set_grad_enabled(False)
    for item in dataset:
        model(item).cpu()  # frequency: evaluation


def switched_on(model, dataset):
    torch.set_grad_enabled(True)
    for item in dataset:
        model(item).cpu()  # frequency: every step


def switched_for_a_while(model, dataset):
    with torch.set_grad_enabled(mode=False):
        for item in dataset:
            model(item).cpu()  # frequency: evaluation


@torch.no_grad()
def answer(model, prompt: torch.Tensor):
    scale = prompt.sum().item()  # frequency: evaluation (assumed)
    for _ in range(9):
        prompt = model(prompt)
        prompt[-1].item()  # frequency: every step
    return clipped(prompt) * scale


def clipped(prompt: torch.Tensor):
    return prompt[prompt > 0]  # frequency: evaluation (assumed)


def distance(student, teacher_model, x: torch.Tensor):
    with torch.no_grad():
        goal = teacher_model(x)
    return (student(x) - goal).sum().item()  # frequency: every step (assumed)


class Matcher(nn.Module):
    @torch.no_grad()
    def forward(self, scores):
        return scores.tolist()  # frequency: every step


class TestIt(unittest.TestCase):
    def check(self, x: torch.Tensor):
        return x.sum().item()  # frequency: never # operation: none


class Field(nn.Module):
    def pictures(self, x: torch.Tensor):
        return x.sum().item()  # frequency: evaluation

    def penalty(self, x: torch.Tensor):
        if check_frequency(3):
            x.sum().item()  # frequency: every N steps (assumed)
        return x.sum().item()  # frequency: every step (assumed)


def evaluate(pipeline, batch):
    return pipeline.field.pictures(batch)


def train(pipeline, loader):
    for batch in loader:
        pipeline.field.penalty(batch).backward()




class Task(nn.Module):

    def forward(self, x):
        for criterion, weight in self.criteria.items():
            if criterion == "nll":
                x[x > 0]  # frequency: every step
                for _ in range(3):
                    x[x > 0]  # frequency: every pass of a loop in a step
            x[x < 0]  # frequency: every pass of a loop in a step
        return x


def filter_names(patterns, names):
    return [fnmatch.filter(names, pattern) for pattern in patterns]


class Masks:
    def filter(self, keep: torch.Tensor):
        keep.sum().item()  # frequency: every step (assumed)


class Layer(nn.Module):
    def forward(self, x):
        return x[x > 0]  # frequency: every pass of a loop in a step


class Head(nn.Module):
    def forward(self, x):
        return x[x > 0]  # frequency: every step


class Stack(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Layer() for _ in range(3)])
        self.head = Head()

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.head(x)


def write_all(args, g_ema):
    g_ema.eval()
    for _ in range(args.count):
        g_ema(torch.randn(3, device="cuda")).cpu()  # frequency: every step
