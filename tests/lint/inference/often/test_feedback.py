"""What the passes of a loop hand to later ones is found out once, however many models it calls."""

from __future__ import annotations

from typing import Any

import pytest
from synclint.lint.files.source import Source, parse
from synclint.lint.inference.often.feedback import Feedback
from synclint.lint.inference.reading.interpreter import analyse
from synclint.lint.inference.reading.state import file_state

PROGRAM = b"""
import torch

def generate(model, encoder, tokens):
    for _ in range(9):
        hidden = encoder(tokens)
        logits = model(hidden)
        tokens = model(logits)
"""


def test_a_loop_is_searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def noted(body: Any) -> Feedback:
        made.append(body)
        return Feedback(body)

    monkeypatch.setattr(file_state, "Feedback", noted)
    source = parse(PROGRAM, "a.py")
    assert isinstance(source, Source)
    analyse(source)
    assert len(made) == 1
