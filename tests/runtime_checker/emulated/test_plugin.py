"""A project that keeps its sync budget by torch's CUDA code: the pytest plugin with `--sync-device emulated`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from synclint.runtime_checker.device import DeviceError
from synclint.runtime_checker.emulated.plan import installed

try:
    installed()
except DeviceError as error:
    pytest.skip(str(error), allow_module_level=True)

FILES = {
    "pytest.ini": "[pytest]\naddopts = --sync-device emulated\n",
    "training.py": """
import torch

def step(model, batch, target):
    loss = torch.nn.functional.mse_loss(model(batch), target)
    loss.backward()
    return loss

def careless(model, batch, target):
    loss = step(model, batch, target)
    return loss.item()
""",
    "test_training.py": """
import pytest
import torch
from training import careless, step

@pytest.fixture
def given():
    return torch.nn.Linear(3, 1, device="cuda"), torch.ones(2, 3, device="cuda"), torch.ones(2, 1, device="cuda")

@pytest.mark.sync_free(warmup=1)
def test_step(given):
    step(*given)

@pytest.mark.sync_free(max_syncs=1)
def test_what_is_allowed(given):
    careless(*given)

@pytest.mark.sync_free
def test_careless(given):
    careless(*given)

def test_a_block(forbid_sync, given):
    with forbid_sync():
        step(*given)
""",
}


def test_a_budget_that_holds_and_one_that_breaks(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    plugin = ["-p", "no:cacheprovider", "-p", "synclint.runtime_checker.pytest_plugin"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *plugin, "-rA"],
        cwd=tmp_path,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
    )
    assert "1 failed, 3 passed" in done.stdout, done.stdout + done.stderr
    assert "FAILED test_training.py::test_careless" in done.stdout
    assert "SyncError: 1 wait for the device, but only 0 allowed" in done.stdout
    assert "training.py:11: item (reads value)" in done.stdout
