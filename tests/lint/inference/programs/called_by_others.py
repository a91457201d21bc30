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
    return x.sum().item()  # frequency: evaluation


@pytest.fixture
def given(x: torch.Tensor):
    return x.sum().item()  # frequency: never


def test2(x: torch.Tensor):
    assert x.all()  # frequency: once


def repvgg_convert(kernel: torch.Tensor):
    return kernel.cpu()  # frequency: once


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
