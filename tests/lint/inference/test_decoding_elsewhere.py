"""Loops that decode: each pass gives a function that runs a model what that gave in an earlier one."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from synclint.lint.finding import Finding, Level

WRAPPER = """
import torch

class Net(torch.nn.Module):
    def forward(self, tokens):
        return tokens * 2

class Wrapped:
    def __init__(self):
        self.net = Net()

    def logits(self, tokens):
        return self.prepared(tokens)

    def prepared(self, tokens):
        return self.net(tokens[:, -1:])

def improve(loss):
    loss.backward()
"""
TASK = """
import torch
from wrapper import Wrapped

class Task:
    def __init__(self):
        self.wrapped = Wrapped()

    @torch.no_grad()
    def decode(self, tokens):
        tokens = tokens.cuda()
        for _ in range(10):
            logits = self.wrapped.logits({given})
            print(logits.sum().item())
            tokens = torch.cat((tokens, {left}), -1)
        return tokens
"""


def _read(found: list[Finding]) -> Level:
    (read,) = [each for each in found if each.name == "item-call"]
    return read.frequency.level


def test_what_calls_a_model_by_way_of_others_on_what_that_gave_decodes(linted: Callable[..., list[Finding]]) -> None:
    found = linted(task=TASK.format(given="tokens", left="logits.argmax(-1)"), wrapper=WRAPPER)
    assert _read(found) is Level.EVERY_STEP


def test_loops_decode_until_something_is_found(linted: Callable[..., list[Finding]]) -> None:
    task = TASK.format(given="tokens", left="logits.argmax(-1)").replace("for _ in range(10)", "while len(tokens) < 10")
    assert _read(linted(task=task, wrapper=WRAPPER)) is Level.EVERY_STEP


@pytest.mark.parametrize(
    ("given", "left"),
    [("tokens", "tokens[:, :1]"), ("tokens * 0", "tokens"), ("torch.zeros(3, 3, device='cuda')", "logits.argmax(-1)")],
    ids=["gives nothing back", "is given its own", "is given nothing of it"],
)
def test_what_goes_through_items_does_not(linted: Callable[..., list[Finding]], given: str, left: str) -> None:
    assert _read(linted(task=TASK.format(given=given, left=left), wrapper=WRAPPER)) is Level.EVALUATION


def test_what_runs_no_model_does_not(linted: Callable[..., list[Finding]]) -> None:
    other = WRAPPER.replace("self.net(tokens[:, -1:])", "tokens[:, -1:] * 2")
    assert _read(linted(task=TASK.format(given="tokens", left="logits.argmax(-1)"), wrapper=other)) is Level.EVALUATION


STEPPED = """
import torch

@torch.inference_mode()
def generate(model, batch):
    x = batch[0].cuda()[:, 0]
    for _ in range(10):
        y = model.{step}({given})
        print(y.cuda().sum().item())
        x = y.argmax(-1)
"""


@pytest.mark.parametrize(
    ("step", "given", "level"),
    [
        ("step", "x", Level.EVERY_STEP),
        ("step", "batch", Level.EVALUATION),
        ("generate", "x", Level.EVALUATION),
    ],
)
def test_a_method_of_a_model_decodes_that_is_given_what_it_gave(
    linted: Callable[..., list[Finding]], step: str, given: str, level: Level
) -> None:
    assert _read(linted(one=STEPPED.format(step=step, given=given))) is level
