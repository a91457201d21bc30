"""What the text of a file mentions: code, and not what is written for people."""

from __future__ import annotations

import pytest
from synclint.lint.inference.notes.mentions import mentions


@pytest.mark.parametrize(
    ("docstring", "known"),
    [
        ('"""Makes a models.First."""', {".Second"}),
        ("r'''Makes\n\n    a models.First.\n    '''", {".Second"}),
        ('""""""', {".Second"}),
        ('"""Whose end is missing: models.First', {".First", ".Second"}),
    ],
)
def test_docstrings_mention_nothing(docstring: str, known: set[str]) -> None:
    text = f"def make(models):\n    {docstring}\n    return models.Second()\n"
    assert {each for each in mentions(text, "one.py").names.split() if each.startswith(".")} == known


def test_code_between_docstrings_counts() -> None:
    text = 'def one(a):\n    """One."""\n    a.first()\n\ndef two(a):\n    """Two."""\n    a.second()\n'
    assert {".first", ".second"} <= {*mentions(text, "one.py").names.split()}


def test_what_an_item_has_is_mentioned_where_something_of_that_name_hands_on_to_it() -> None:
    text = "def make(name):\n    return METHODS[name].config.make(name)\n"
    assert {"config", "make"} <= {*mentions(text, "one.py").names.split()}


LOCAL = """
import torch

def accuracy(scores):
    {own} = scores.mean()
    return accuracy

def report(
    scores,
) -> float:
    if len(scores):
        accuracy {binds} scores.max()
    return accuracy

class Meter:
    {held}

    def read(self):
        return {read}
"""


@pytest.mark.parametrize(
    ("parts", "is_mentioned"),
    [
        ({}, False),
        ({"binds": "=="}, True),
        ({"read": "accuracy"}, True),
        ({"held": "accuracy = accuracy(3)"}, True),
        ({"held": "accuracy = 3", "read": "accuracy(3)"}, True),
        ({"binds": "= 3; global accuracy;"}, True),
    ],
)
def test_what_a_function_binds_is_a_variable(parts: dict[str, str], is_mentioned: bool) -> None:
    text = LOCAL.format(**{"own": "accuracy", "binds": "=", "held": "pass", "read": "3", **parts})
    assert (":accuracy" in mentions(text, "one.py").names.split()) is is_mentioned
