"""Programs under `synclint run`, each in a process of its own that need not import PyTorch once more."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from preloaded import Preloaded


@dataclass(frozen=True)
class Done:
    """A program that has ended under `synclint run`."""

    directory: Path
    code: int
    out: str
    err: str

    @property
    def record(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.directory / "out.json").read_text())
        return found

    def verdicts(self) -> list[tuple[int, str]]:
        return sorted((line["line"], line["verdict"]) for line in self.record["lines"])


Run = Callable[..., Done]
WORDS = ("run", "--device", "simulated", "--output=json=out.json")


@pytest.fixture
def run(preloaded: Preloaded, tmp_path: Path) -> Run:
    """Run words of the command line in a copy of a process that has PyTorch already."""

    def run(*words: str) -> Done:
        return Done(tmp_path, *preloaded.run(tmp_path, "-m", "synclint", *WORDS, *words))

    return run


@pytest.fixture
def start(tmp_path: Path) -> Run:
    """Run words of the command line in a process that starts from nothing, as a user's does."""

    def start(*words: str, **environment: str) -> Done:
        command = [sys.executable, "-m", "synclint", *WORDS, *words]
        every = {**os.environ, **environment}
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600, env=every)
        return Done(tmp_path, done.returncode, done.stdout, done.stderr)

    return start
