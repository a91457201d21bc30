"""A project in which everything occurs that could make many machines see something else than one process."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

LOSS = """\
import torch


def loss_of(model, batch):
    loss = model(batch).sum()
    print(loss.item())
    return loss


def unseen(x: torch.Tensor):
    return x.mean().item()
"""
TRAIN = """\
import torch
from torch.utils.data import DataLoader
from pkg.losses import loss_of
from pkg.plain import twice

model = torch.nn.Linear(3, 3).cuda()
for batch in DataLoader(range(3)):
    loss = loss_of(model, batch.cuda())
    twice(loss)
    loss.backward()
"""
SIBLING = """\
import torch
from beside import log, scale

for batch in torch.utils.data.DataLoader([]):
    log(torch.ones(3, device=accelerator).sum() * scale)  # synclint: ignore[SYNC105] - no reason to exist
"""
BESIDE = """\
import torch

scale = torch.ones(1, device="cuda")


def log(value):
    print(value.item())
    if value > 0:  # synclint: ignore - rarely
        print()
"""
CELL = "import torch\nfor batch in torch.utils.data.DataLoader([]):\n    print(batch.cuda().sum().item())\n"
NOTEBOOK = {
    "cells": [{"cell_type": "code", "metadata": {}, "outputs": [], "source": CELL}],
    "metadata": {},
    "nbformat": 4,
    "nbformat_minor": 5,
}
CONFIGURATION = """\
gpu-names = ["accelerator"]
moves-to-device = ["devices.place"]
exclude = ["third_party/"]
[per-file-ignores]
"tests/**" = ["SYNC101"]
"""
FILES = {
    "synclint.toml": CONFIGURATION,
    "requirements.txt": "torch==2.6\n",
    "pkg/__init__.py": "",
    "pkg/losses.py": LOSS,
    "pkg/plain.py": "from . import deep\n\n\ndef twice(x):\n    return deep.once(deep.once(x))\n",
    "pkg/deep.py": "import torch\n\n\ndef once(x: torch.Tensor):\n    print(float(x))\n    return x\n",
    "train.py": TRAIN,
    "apps/tool/main.py": SIBLING,
    "apps/tool/beside.py": BESIDE,
    "apps/strict/synclint.toml": 'select = ["SYNC102"]\n',
    "apps/strict/main.py": "from pkg.losses import loss_of\nimport torch\nloss_of(1, 2).tolist()\n",
    "lib/inner/__init__.py": "from .core import run\n",
    "lib/inner/core.py": "import torch\n\n\ndef run(x: torch.Tensor):\n    return x.cpu()\n",
    "src/outer/core.py": "import torch\nfrom inner import run\n\n\ndef forward(x: torch.Tensor):\n    return run(x)\n",
    "tests/test_it.py": "import torch\n\n\ndef test_it():\n    torch.ones(1, device='cuda').item()\n",
    "third_party/their.py": LOSS,
    "placing.py": "from devices import place\n\n\ndef step(x):\n    return float(place(x))\n",
    "apps/added.py": "import sys\nsys.path.append('lib')\nimport torch\nfrom inner import run\nrun(torch.ones(1))\n",
    "broken.py": "import torch\nif:\n",
    "nothing.py": "print('nothing of ours')\n",
    "exploring.ipynb": json.dumps(NOTEBOOK),
}
"""`apps/tool/main.py` imports what is beside it; `lib/inner` is a package, but `lib` is none."""

LATIN = "# -*- coding: latin-1 -*-\nimport torch\n\n\ndef größe(x: torch.Tensor):\n    return x.tolist()\n".encode(
    "latin-1"
)


def make(place: Path) -> Path:
    """Write the project into a new directory."""
    for name, text in FILES.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text, encoding="utf-8")
    (place / "latin.py").write_bytes(LATIN)
    return place


def names(place: Path) -> list[str]:
    """The Python files and notebooks of a project."""
    found = (file.relative_to(place) for file in place.rglob("*") if file.suffix in (".py", ".ipynb"))
    return sorted(file.as_posix() for file in found)


@pytest.fixture
def project(here: Path) -> Path:
    return make(here)


@pytest.fixture
def synclint(real_command: Callable[..., Any]) -> Callable[..., str]:
    """Run a command; return what it printed, if it has exited as expected."""

    def call(*arguments: str, code: int = 0) -> str:
        done = real_command(*arguments)
        assert done.code == code, done.err
        return done.err if code == 2 else done.out

    return call
