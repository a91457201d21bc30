"""Programs under `synclint run`, each in a process of its own that need not import PyTorch once more."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

SERVER = """
import json, os, sys, torch
import synclint.runtime_checker.script.command, synclint.runtime_checker.simulated.watcher, torch._dynamo
from synclint.lint.cli import main
from synclint.lint.rule import all_rules

all_rules()
for request in sys.stdin:
    directory, words = json.loads(request)
    child = os.fork()
    if not child:
        os.chdir(directory)
        for number, name in enumerate((os.devnull, "stdout", "stderr")):
            os.dup2(os.open(name, os.O_RDWR | os.O_CREAT | os.O_TRUNC), number)
        sys.argv = ["synclint", *words]
        main()
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
"""Forks for each request. The child ends as the command does, so that what Python does at its end is done as well."""


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


@pytest.fixture(scope="session")
def server() -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", SERVER]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


@pytest.fixture
def run(server: subprocess.Popen[str], tmp_path: Path) -> Run:
    """Run words of the command line in a copy of a process that has PyTorch already."""

    def run(*words: str) -> Done:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(json.dumps([str(tmp_path), [*WORDS, *words]]) + "\n")
        server.stdin.flush()
        code = int(server.stdout.readline())
        return Done(tmp_path, code, (tmp_path / "stdout").read_text(), (tmp_path / "stderr").read_text())

    return run


@pytest.fixture
def start(tmp_path: Path) -> Run:
    """Run words of the command line in a process that starts from nothing, as a user's does."""

    def start(*words: str, **environment: str) -> Done:
        command = [sys.executable, "-m", "synclint", *WORDS, *words]
        every = {**os.environ, **environment}
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, env=every)
        return Done(tmp_path, done.returncode, done.stdout, done.stderr)

    return start
