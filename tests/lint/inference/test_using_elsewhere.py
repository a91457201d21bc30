"""Loops of scripts that use a model by calling what other files define."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from synclint.lint.finding import Finding, Level

TRACKER = """
import torch

class Tracker:
    def __init__(self, net):
        self.fnet = net

    @torch.no_grad()
    def features(self, image):
        return self.fnet(image)

    def track(self, image):
        found = self.features(image)
        return found[0]

    def describe(self, image):
        return image[0]

    def improve(self, image):
        loss = self.fnet(image).mean()
        loss.backward()

    def fit(self, images):
        for image in images:
            self.improve(image)
"""
MAIN = """
import sys
import torch
from two import Tracker
from three import load

def main():
    tracker = Tracker(load())
    {before}
    for path in sys.argv:
        image = torch.ones(3, device="cuda")
        tracker.{method}(image)
        torch.save(image.cpu(), path)

main()
"""


def levels(found: list[Finding]) -> list[Level]:
    return [each.frequency.level for each in found if each.span.filename.endswith("one.py") and each.code == "SYNC103"]


def test_a_script_that_trains_nothing_is_there_for_its_loop(linted: Callable[..., list[Finding]]) -> None:
    found = linted(one=MAIN.format(method="track", before=""), two=TRACKER)
    assert levels(found) == [Level.EVERY_STEP]
    (read,) = (each for each in found if each.code == "SYNC103")
    assert "the program trains nothing: it is there for what its model gives" in {
        each.message for each in read.frequency.reasons
    }
    assert "`track()`" in read.frequency.reasons[0].message


def test_what_makes_an_object_hands_functions_on(linted: Callable[..., list[Finding]]) -> None:
    text = MAIN.replace("def main():", "class Made:\n  def __init__(self):").replace("\nmain()", "\nMade()")
    assert not levels(linted(one=text.format(method="track", before=""), two=TRACKER))


@pytest.mark.parametrize(("method", "before"), [("describe", ""), ("track", "tracker.fit([1, 2])")])
def test_other_calls_and_training_beside_the_loop_tell_nothing(
    linted: Callable[..., list[Finding]], method: str, before: str
) -> None:
    assert not levels(linted(one=MAIN.format(method=method, before=before), two=TRACKER))
