"""What programs give constructors, and functions, wherever they make objects and call: nobody else does."""

from __future__ import annotations

from pathlib import Path

import pytest
from synclint.lint.finding import Level
from synclint.lint.run.engine import check_paths

MODEL = """
from torch import nn

class Box(nn.Module):
    def __init__(self, deep=False, bias=None):
        super().__init__()
        self.deep = deep
        self.bias = bias
        self.wide = False

    def forward(self, x):
        if self.deep:
            return self.deepest(x)
        if self.bias is not None:
            return x.max().item()
        if self.wide:
            return x.mean().item()
        return x

    def deepest(self, x):
        return x.sum().item()

class Net(nn.Module):
    def __init__(self, deep=True, **options):
        super().__init__()
        self.box = Box(deep)

    def forward(self, x):
        return self.box(x)
"""
MAIN = """
import torch
from pkg.model import Net

if __name__ == "__main__":
    net = Net({given}).cuda()
    for batch in torch.utils.data.DataLoader([1]):
        net(batch.cuda())
"""
CHOOSING = """
from pkg.model import Box

class Choosing:
    def __init__(self, bias=None):
        self.box = Box(True, bias)

Choosing(**given)
"""
HOST = """
import torch

__all__ = ["chosen", "table"]

def chosen(x: torch.Tensor):
    return x[x > 0]

def table():
    return chosen(torch.arange(3) * 2)
"""


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    monkeypatch.chdir(tmp_path)


def found(**files: str) -> dict[str, Level]:
    """How often each line of the package that waits runs, by the method that it calls last, or its rule."""
    for name, text in {"pkg/__init__": "", **files}.items():
        file = Path(f"{name}.py")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    told = [each for each in check_paths(["."]) if each.span.filename.startswith("pkg")]
    lines = {name: text.split("\n") for name, text in files.items()}
    return {
        lines[each.span.filename.removesuffix(".py")][each.span.row - 1].strip().removeprefix("return "): (
            each.frequency.level
        )
        for each in told
    }


def test_what_no_construction_turns_on_never_runs() -> None:
    told = found(**{"pkg/model": MODEL, "main": MAIN.format(given="deep=False")})
    assert told["x.max().item()"] is Level.UNCALLED
    assert told["x.sum().item()"] is Level.UNCALLED
    assert told["x.mean().item()"] is Level.EVERY_STEP  # set by whoever wants it


@pytest.mark.parametrize("given", ["", "deep=True", "torch.rand(1) > 0", "**torch.load('options')"])
def test_what_a_construction_may_turn_on_runs(given: str) -> None:
    assert found(**{"pkg/model": MODEL, "main": MAIN.format(given=given)})["x.sum().item()"] is Level.EVERY_STEP


@pytest.mark.parametrize(
    "other", ["from pkg.model import Box\nBox(True, 3)\n", "from pkg.model import Box\nBox(**given)\n", CHOOSING]
)
def test_another_construction_counts(other: str) -> None:
    told = found(**{"pkg/model": MODEL, "main": MAIN.format(given="deep=False"), "other": other})
    assert told["x.max().item()"] is Level.EVERY_STEP


def test_a_library_does_not_make_all_of_its_objects() -> None:
    told = found(**{"pkg/model": MODEL, "pkg/other": "from .model import Net\nNet(deep=False)\n"})
    assert told["x.sum().item()"] is Level.EVERY_STEP


def test_nobody_else_calls_the_functions_of_a_program() -> None:
    calls = MAIN.replace("pkg.model import Net", "pkg import table").replace("Net({given}).cuda()", "table.table()")
    assert not found(**{"pkg/table": HOST, "main": calls})
    assert found(**{"pkg/table": HOST, "main": ""})["x[x > 0]"] is Level.EVERY_STEP
