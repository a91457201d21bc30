"""Every command in the README and the guides is run, in a small project with a history."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from preloaded import Preloaded

ROOT = Path(__file__).resolve().parent.parent.parent
GUIDES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BASH = shutil.which("bash")
pytestmark = [
    pytest.mark.skipif(BASH is None or sys.platform == "win32", reason="the commands are written for bash"),
    pytest.mark.torch,
]

PROGRAM = """\
import torch
from torch.utils.data import DataLoader, TensorDataset


def train(model, loader, criterion, optimizer):
    running = 0.0
    for images, labels in loader:
        images, labels = images.to("cuda"), labels.to("cuda")
        loss = criterion(model(images), labels)
        loss.backward()
        optimizer.step()
        running += loss.item()
    return running / len(loader)


if __name__ == "__main__":
    data = TensorDataset(torch.randn(64, 8), torch.randint(3, (64,)))
    net = torch.nn.Linear(8, 3).to("cuda")
    train(net, DataLoader(data, batch_size=2), torch.nn.CrossEntropyLoss(), torch.optim.SGD(net.parameters(), 0.1))
"""
CELLS = (
    "import torch",
    "for batch in loader:\n    loss = model(batch.cuda()).sum()\n    loss.backward()\n    loss.item()",
)
NOTEBOOK = {
    "cells": [{"cell_type": "code", "metadata": {}, "outputs": [], "source": source} for source in CELLS],
    "metadata": {},
    "nbformat": 4,
    "nbformat_minor": 5,
}
CONSOLE = re.compile(r"(?m)^\$ (.+?)(?:  +#.*)?$")
IN_YAML = re.compile(r"(?m)^ *- (?:(?:run|script): )?(synclint .+)$")
GENERIC = ("git clone ", "pip ", "pytest ", "pytest\n", "python tests/docs/")
"""Beginnings of commands that are not about synclint."""

ELSEWHERE = ("cumsum-call", "SYNC299")
"""What test_writing_a_rule.py does."""


def commands(file: Path) -> list[str]:
    """The commands of a document, without what installs us."""
    text = file.read_text()
    blocks = "\n".join(re.findall(r"(?m)^```console\n(.*?)^```", text, re.DOTALL))
    found = [*CONSOLE.findall(blocks), *IN_YAML.findall(text)]
    ours = (command.removeprefix("pip install . && ") for command in found)
    ours = (command for command in ours if not f"{command}\n".startswith(GENERIC))
    return [command for command in ours if not any(word in command for word in ELSEWHERE)]


def here_and_now(command: str) -> str:
    """The command as this machine can run it in a few seconds: without a GPU, and with one rule instead of all."""
    command = re.sub(r"synclint verify (?=--)", "synclint verify SYNC101 ", command)
    command = command.replace("--device emulated", "--device simulated").replace(" --keep-going", "")  # only that can
    return re.sub(r"synclint run (--device \w+ )?", "synclint run --device simulated ", command)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, preloaded: Preloaded) -> Path:
    """A project whose branch has parted from origin/main, and the programs that the commands name."""
    place = tmp_path_factory.mktemp("docs")
    for name in ("train.py", "src/train.py", "src/old.py"):
        (place / "project" / name).parent.mkdir(parents=True, exist_ok=True)
        (place / "project" / name).write_text(PROGRAM)
    (place / "project" / "train.ipynb").write_text(json.dumps(NOTEBOOK))
    shutil.copytree(ROOT / "examples" / "item-call", place / "project" / "examples" / "item-call")
    (place / "bin").mkdir()
    preloaded.write_program(place / "bin" / "synclint")
    (place / "bin" / "reviewdog").write_text(f"#!{BASH}\ncat\n")
    (place / "bin" / "reviewdog").chmod(0o755)
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    for words in ("init -q", "add -A", "commit -qm first", "update-ref refs/remotes/origin/main HEAD"):
        subprocess.run([*git, *words.split()], cwd=place / "project", check=True, capture_output=True)
    (place / "project/src/train.py").write_text(PROGRAM.replace("loss.item()", "loss.item() + 1"))
    return place


@pytest.mark.parametrize("file", GUIDES, ids=lambda file: file.name)
def test_commands_do_what_they_are_shown_for(file: Path, project: Path, tmp_path: Path) -> None:
    """No command is wrong usage; those of a document follow one another, as they would for a reader."""
    shutil.copytree(project / "project", tmp_path, dirs_exist_ok=True)
    env = {name: value for name, value in os.environ.items() if not name.startswith(("GITHUB_", "CI_", "BUILD_"))}
    env["PATH"] = f"{project / 'bin'}{os.pathsep}{env['PATH']}"
    for command in commands(file):
        words = [str(BASH), "-o", "pipefail", "-c", here_and_now(command)]
        done = subprocess.run(words, cwd=tmp_path, env=env, text=True, capture_output=True, stdin=subprocess.DEVNULL)
        assert done.returncode in (0, 1), f"{command}\n{done.stdout}{done.stderr}"
        assert "Traceback" not in done.stderr, command
        assert "internal error" not in done.stderr, command


def test_commands_are_found() -> None:
    assert sum(len(commands(file)) for file in GUIDES) > 40
    assert "synclint src/ --output gitlab=gl-code-quality-report.json" in commands(ROOT / "docs" / "ci.md")
