"""Loops in which only a teacher is seen to run, without gradients."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from synclint.lint.finding import Finding, Level

TEXT = """
import torch

class Taught:
    def run(self, loader, teacher, weigh):
        self.model.{mode}()
        for x in loader:
            x = x.cuda()
            with torch.no_grad():
                labels = self.teacher_model(x)
            weigh(labels)
"""


@pytest.mark.parametrize(("mode", "level"), [("train", Level.EVERY_STEP), ("eval", Level.EVALUATION)])
def test_a_loop_after_a_model_is_set_to_training_trains(
    linted: Callable[..., list[Finding]], mode: str, level: Level
) -> None:
    (found,) = [each for each in linted(one=TEXT.format(mode=mode)) if each.name == "blocking-copy-to-device"]
    assert found.frequency.level is level


def test_a_loop_after_it_is_set_back_to_evaluation_does_not(linted: Callable[..., list[Finding]]) -> None:
    text = TEXT.format(mode="train").replace("        for x", "        self.model.eval()\n        for x")
    (found,) = [each for each in linted(one=text) if each.name == "blocking-copy-to-device"]
    assert found.frequency.level is Level.EVALUATION
