"""Functions that nothing here calls: what their decorators, names and bodies say about who does."""

import click
import pytest
import torch
from flask import Flask

app = Flask(__name__)


@click.command()
def command(x: torch.Tensor):
    x.sum().item()  # frequency: once


@app.route("/")
def answer(x: torch.Tensor):
    return x.sum().item()  # frequency: every step


@pytest.fixture
def given(x: torch.Tensor):
    return x.sum().item()  # frequency: never


def results(x: torch.Tensor):
    with open("results.txt", "w") as file:
        file.write(str(x.sum().item()))  # frequency: unknown


def pictures(x: torch.Tensor, torchvision):
    torchvision.utils.save_image(x, "x.png")
    return x.sum().item()  # frequency: unknown


def read(x: torch.Tensor):
    with open("results.txt") as file:
        return x[x > float(file.read())]  # frequency: every step (assumed)


class Observer:
    def get_extra_state(self, x: torch.Tensor):
        return x.cpu()  # frequency: once


class Sampler:
    def register_buffer(self, name, attr):
        setattr(self, name, attr.to("cuda"))

    def make_schedule(self, alphas: torch.Tensor):
        self.register_buffer("alphas", alphas.cpu())  # frequency: once

    def make_longer(self, alphas: torch.Tensor):
        if alphas.max() > self.most:
            self.register_buffer("alphas", alphas.cpu())  # frequency: every step (assumed)


class Spectrum:
    def of_file(self, wave: torch.Tensor):
        return wave.max().item()  # frequency: unknown

    def ready(self):
        return torch.ones(3, device="cuda").tolist()  # frequency: once


def prepare(files, spectrum):
    return [spectrum.of_file(each) for each in files]


def main():
    spectrum = app.config["spectrum"]
    prepare(["a.wav"], spectrum)
    spectrum.ready()


main()
