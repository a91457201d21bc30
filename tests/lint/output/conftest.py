"""Findings to print."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from synclint.lint.finding import Confidence, Finding, Frequency, Level, Reason, Severity, Span

WHERE = Span("train.py", 2, 5, 2, 16)
LOADER = Reason("the loop iterates a DataLoader", Span("train.py", 1, 1, 1, 21))


@pytest.fixture
def finding() -> Callable[..., Finding]:
    """A finding that differs from the usual one in what is given."""

    def make(**changes: Any) -> Finding:
        usual = {
            "code": "SYNC101",
            "name": "item-call",
            "span": WHERE,
            "message": "`loss.item()` waits for the device",
            "severity": Severity.ERROR,
            "frequency": Frequency(Level.EVERY_STEP, (LOADER,)),
            "confidence": Confidence.CERTAIN,
            "reasons": (
                Reason("`model` moved to the GPU", Span("model.py", 7, 3, 7, 9)),
                Reason("a tensor by its use"),
            ),
            "instead": "Keep the tensor.",
        }
        return Finding(**(usual | changes))

    return make
