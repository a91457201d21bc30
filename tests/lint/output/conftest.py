"""Findings to print."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from synclint import lint
from synclint.lint.finding import Confidence, Finding, Frequency, Level, Reason, Severity, Span
from synclint.lint.output.outcome import Outcome
from synclint.lint.output.targets import renderer

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


@pytest.fixture
def rendered() -> Callable[..., list[str]]:
    """The lines of findings in a format, notes included; `lines` are those of every file."""

    def render(form: str, *findings: Finding, lines: Sequence[str] = (), **more: Any) -> list[str]:
        outcome = Outcome(findings, lambda _: lines, **{"notes": True, "files": 1, **more})
        found = list(renderer(form)(outcome))
        assert not any("\n" in line or "\r" in line for line in found)
        return found

    return render


@pytest.fixture
def is_valid() -> Callable[[object, str], None]:
    """Check a document against one of the schemas."""

    def check(document: object, name: str) -> None:
        ours, theirs = Path(lint.__file__).parent / "schemas", Path(__file__).parent / "schemas"
        file = ours / "check.json" if name == "check" else theirs / f"{name}.schema.json"
        schema = json.loads(file.read_text(encoding="utf-8"))
        kind = jsonschema.validators.validator_for(schema)
        kind(schema, format_checker=kind.FORMAT_CHECKER).validate(document)

    return check
