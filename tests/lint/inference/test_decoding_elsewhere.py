"""Loops that decode: each pass gives a function that runs a model what that gave in an earlier one."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from synclint.lint.finding import Finding, Level


def _read(found: list[Finding]) -> Level:
    (read,) = [each for each in found if each.name == "item-call"]
    return read.frequency.level


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
    ],
)
def test_a_method_of_a_model_decodes_that_is_given_what_it_gave(
    linted: Callable[..., list[Finding]], step: str, given: str, level: Level
) -> None:
    assert _read(linted(one=STEPPED.format(step=step, given=given))) is level
