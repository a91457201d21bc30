"""What the settings change in inference: hot and cold functions, devices by name, contexts where waiting is meant."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from synclint.lint.rule import all_rules
from synclint.lint.run.engine import run
from synclint.lint.run.file import File
from synclint.lint.settings.config import Settings


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The checkout is a package itself, and would be part of the module's name."""
    monkeypatch.chdir(tmp_path)


def reported(code: str, **settings: Any) -> list[tuple[str, str, str]]:
    result = run(
        [File("m.py", True, dedent(code).encode())], Settings(root=Path().absolute(), **settings), all_rules(), jobs=1
    )
    assert not result.failures
    return [(each.code, each.severity.words, each.frequency.level.words) for each in result.findings]


HELPER = """
    import torch

    def read(x: torch.Tensor) -> float:
        return x.item()
    """


def test_a_helper_on_tensors_is_taken_to_run_every_step() -> None:
    assert reported(HELPER) == [("SYNC101", "warning", "every step")]


@pytest.mark.parametrize("name", ["read", "m.read", "re*"])
def test_a_cold_function_is_silent(name: str) -> None:
    assert reported(HELPER, cold_functions=(name,)) == []


def test_a_hot_function_runs_every_step() -> None:
    code = "import torch\ndef setup_all():\n    torch.ones(3, device='cuda').sum().item()\n"
    assert reported(code) == []
    assert reported(code, hot_functions=("setup_all",)) == [("SYNC101", "error", "every step")]


def test_a_device_by_name_is_on_the_gpu() -> None:
    code = """
        import torch

        for batch in loader:
            torch.zeros(3, device=self.dev).sum().item()
        """
    assert reported(code) == [("SYNC101", "warning", "every step")]
    assert reported(code, gpu_names=("self.dev",)) == [("SYNC101", "error", "every step")]


def test_waiting_is_meant_in_an_allowed_context() -> None:
    code = """
        import torch
        from tools import allow_sync

        for batch in loader:
            with allow_sync("logging"):
                torch.zeros(3, device="cuda").sum().item()
        """
    assert reported(code) == [("SYNC101", "error", "every step")]
    assert reported(code, allowed_contexts=("allow_sync",)) == []
    assert reported(code, allowed_contexts=("tools.allow_sync",)) == []
