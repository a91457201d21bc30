"""Lints programs of one file or several, in which a function named `step` runs every step."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from synclint.lint.finding import Finding, Kind, Severity
from synclint.lint.rule import all_rules
from synclint.lint.run.engine import run
from synclint.lint.run.file import File
from synclint.lint.settings.config import Settings


@pytest.fixture
def linted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[Finding]]:
    """The findings in files, given by name and source; outside of the checkout, which is a package itself."""
    monkeypatch.chdir(tmp_path)
    rules = [rule for rule in all_rules() if rule.kind is not Kind.META]

    def lint(**sources: str) -> list[Finding]:
        files = [File(f"{name}.py", named=True, data=source.encode()) for name, source in sources.items()]
        result = run(files, Settings(hot_functions=("step",)), rules, jobs=1)
        assert not result.failures, result.failures[0].trace
        return [finding for finding in result.findings if finding.severity > Severity.NONE]

    return lint
