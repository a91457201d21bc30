"""Modules of Lightning whose bases another file defines."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from synclint.lint.finding import Finding, Level

BASE = """
from lightning.pytorch import LightningModule

class Validated(LightningModule):
    def forward(self, frames):
        raise NotImplementedError

    def validation_step(self, batch, index):
        return self(batch)
"""
ROLLOUT = """
from base import Validated

class Rollout(Validated):
    def forward(self, frames):
        return self.net(frames.cuda()).mean().item()

    def training_step(self, batch, index):
        return {loss}
"""


@pytest.mark.parametrize(
    ("loss", "level"),
    [("self.net(batch, train=True).mean()", Level.EVALUATION), ("self(batch).mean()", Level.EVERY_STEP)],
)
def test_a_forward_that_training_leaves_out_is_part_of_evaluation(
    linted: Callable[..., list[Finding]], loss: str, level: Level
) -> None:
    (read,) = [each for each in linted(base=BASE, model=ROLLOUT.format(loss=loss)) if each.name == "item-call"]
    assert read.frequency.level is level
