"""Programs in which nothing trains: to use a model is their step."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from synclint.lint.finding import Finding, Level

MODEL = """
import torch

class Net(torch.nn.Module):
    def forward(self, tokens):
        return tokens * 2

class Reader:
    def __init__(self):
        self.net = Net().cuda().eval()

    @torch.no_grad()
    def predict(self, image):
        return self.net(image.cuda()).cpu()
"""
SCRIPT = """
import sys
import torch
from model import Reader

def main():
    reader = Reader()
    for path in sys.argv:
        torch.save(reader.predict(torch.load(path)), path)

main()
"""
TRAINING = """
from model import Net

def improve(loss):
    loss.backward()
"""
TEST = """
from model import Net

def test_gradients():
    Net()(torch.ones(2, requires_grad=True)).sum().backward()
"""


def reads(found: list[Finding]) -> list[Finding]:
    return [each for each in found if each.code == "SYNC103"]


@pytest.mark.parametrize("script", [SCRIPT, ""], ids=["called by a script", "called by others"])
def test_to_use_a_model_is_their_step(linted: Callable[..., list[Finding]], script: str) -> None:
    (read,) = reads(linted(model=MODEL, script=script))
    assert read.frequency.level is Level.EVERY_STEP
    assert read.frequency.reasons[-1].message == "nothing in this program trains: to use a model is its step"
    assert read.frequency.per == ("call of `predict`")


def test_what_trains_anywhere_in_a_program_says_that_this_is_evaluation(linted: Callable[..., list[Finding]]) -> None:
    (read,) = reads(linted(model=MODEL, script=SCRIPT, train=TRAINING))
    assert read.frequency.level is Level.EVALUATION
    (read,) = reads(linted(model=MODEL, script=SCRIPT, train=TRAINING.replace("model", "another")))
    assert read.frequency.level is Level.EVERY_STEP


def test_what_only_tests_train_is_not_trained(linted: Callable[..., list[Finding]]) -> None:
    (read,) = reads(linted(model=MODEL, script=SCRIPT, test_model=TEST))
    assert read.frequency.level is Level.EVERY_STEP


LOOPS = """
import torch
from model import Net

def {name}(loader, images):
    net = Net().cuda()
    net.eval()
    for batch in {data}:
        net(batch.cuda()).cpu()

{name}([], [])
"""


@pytest.mark.parametrize(
    ("name", "data", "level"),
    [
        ("run", "loader", Level.EVERY_STEP),
        ("run", "val_loader", Level.EVALUATION),
        ("validate", "loader", Level.EVALUATION),
    ],
)
def test_what_evaluates_by_its_name_still_does(
    linted: Callable[..., list[Finding]], name: str, data: str, level: Level
) -> None:
    text = LOOPS.format(name=name, data=data).replace("(loader,", f"({data},")
    (read, *_) = [each for each in reads(linted(model=MODEL, script=text)) if "net(batch" in each.message]
    assert read.frequency.level is level
