"""Facts about the backward pass, held to what torch's CUDA code was seen to do."""

from __future__ import annotations

import json

from synclint.lint.evidence import FOLDER
from synclint.lint.facts.autograd import WAITS_IN_BACKWARD


def test_what_waits_in_backward_was_recorded() -> None:
    recorded = json.loads((FOLDER / "waits" / "torch.json").read_text(encoding="utf-8"))
    counts = {program: found[-1] for kind, program, found in recorded["programs"] if kind == "backward"}
    assert recorded["torch"][-1].startswith("2.15")
    for text, waits in WAITS_IN_BACKWARD.items():
        assert counts[f"derive(); result = {text}; backward(result)"] == waits, text
