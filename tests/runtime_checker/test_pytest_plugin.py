"""The marker and the fixture, in a pytest of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from preloaded import Preloaded

pytest.importorskip("torch")

ENVIRONMENT = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "NO_COLOR": "1"}
Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(preloaded: Preloaded) -> Run:
    """Run pytest in a copy of a process that has PyTorch already."""

    def run(directory: Path, source: str, *options: str) -> tuple[int, str]:
        (directory / "test_it.py").write_text("import pytest, torch, warnings\n" + source, encoding="utf-8")
        words = ("-q", "-p", "no:cacheprovider", "-p", "synclint.runtime_checker.pytest_plugin", "--strict-markers")
        code, out, errors = preloaded.run(directory, "-m", "pytest", *words, *options, **ENVIRONMENT)
        return code, out + errors

    return run


def test_a_test_that_does_not_wait(run: Run, tmp_path: Path) -> None:
    source = """
@pytest.mark.sync_free
def test_it():
    x = torch.ones(3, device="cuda")
    assert (x + x).device.type == "cuda"
"""
    code, output = run(tmp_path, source)
    assert code == 0, output


def test_a_failed_budget_names_line_operator_and_stack(run: Run, tmp_path: Path) -> None:
    source = """
def read(x):
    return x.item()

@pytest.mark.sync_free
def test_it():
    read(torch.ones((), device="cuda"))
"""
    code, output = run(tmp_path, source)
    assert code == 1
    assert "SyncError: 1 wait for the device, but only 0 allowed" in output
    assert "test_it.py:4: item (reads value)" in output
    assert "test_it.py:8 in test_it" in output
    assert "test_it.py:4 in read" in output


def test_the_warm_up_does_not_count_and_fixtures_have_the_device(run: Run, tmp_path: Path) -> None:
    source = """
@pytest.fixture
def state():
    state = {"x": torch.ones(3, device="cuda"), "calls": 0}
    yield state
    assert state["calls"] == 3

@pytest.mark.sync_free(max_syncs=1, warmup=2)
def test_it(state):
    assert torch.cuda.is_available()
    state["calls"] += 1
    for _ in range(1 if state["calls"] == 3 else 5):
        state["x"].sum().item()
"""
    code, output = run(tmp_path, source)
    assert code == 0, output


def test_allowed_kinds_and_parameters(run: Run, tmp_path: Path) -> None:
    source = """
@pytest.mark.parametrize("size", [1, 2])
@pytest.mark.sync_free(allow=["reads value"], device="simulated")
def test_it(size):
    torch.ones(size, device="cuda").sum().item()

class TestClass:
    @pytest.mark.sync_free(warmup=0)
    def test_method(self):
        torch.ones(2, device="cuda").nonzero()
"""
    code, output = run(tmp_path, source)
    assert code == 1
    assert "2 passed" in output
    assert "nonzero" in output


def test_everything_is_as_before_afterwards(run: Run, tmp_path: Path) -> None:
    source = """
to, available = torch.Tensor.to, torch.cuda.is_available()

@pytest.mark.sync_free
def test_one():
    torch.ones((), device="cuda").item()

@pytest.mark.sync_free
def test_raising():
    raise KeyError

def test_after():
    assert torch.Tensor.to is to
    assert torch.cuda.is_available() == available
"""
    code, output = run(tmp_path, source)
    assert code == 1
    assert "2 failed, 1 passed" in output


def test_the_fixture(run: Run, tmp_path: Path) -> None:
    source = """
def test_it(forbid_sync):
    with forbid_sync(max_syncs=1) as budget:
        torch.ones((), device="cuda").item()
    assert len(budget.waits) == 1
"""
    code, output = run(tmp_path, source)
    assert code == 0, output


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (
            "@pytest.mark.sync_free(max_waits=1)\ndef test_it(): pass\n",
            "unexpected keyword argument 'max_waits'",
        ),
        ("@pytest.mark.sync_free(warmup=-1)\ndef test_it(): pass\n", "takes numbers from 0 on"),
        (
            "import unittest\nclass T(unittest.TestCase):\n    @pytest.mark.sync_free\n    def test_it(self): pass\n",
            "use `synclint.forbid_sync` here",
        ),
        ("@pytest.mark.sync_free(device='tpu')\ndef test_it(): pass\n", "asks for `tpu`, but there is no such device"),
    ],
)
def test_wrong_use(run: Run, tmp_path: Path, source: str, message: str) -> None:
    code, output = run(tmp_path, source)
    assert code != 0
    assert message in output


def test_it_does_not_import_torch_unless_used(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text("import sys\ndef test_it(): assert 'torch' not in sys.modules\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "synclint.runtime_checker.pytest_plugin"]
    subprocess.run(command, cwd=tmp_path, env={**os.environ, **ENVIRONMENT}, check=True, capture_output=True)
