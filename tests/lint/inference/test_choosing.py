"""What only a computed name may run, and no file of the project names: settings, scripts of a shell, instructions."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner
from synclint.lint.cli import cli
from synclint.lint.finding import Level
from synclint.lint.run import context
from synclint.lint.run.engine import check_paths

MAIN = """
import importlib
import pkg
import yaml

def made(name):
    module, cls = name.rsplit(".", 1)
    return getattr(importlib.import_module(module), cls)()

if __name__ == "__main__":
    loss = made(yaml.safe_load(open("settings.yaml"))["loss"])
    for batch in batches:
        loss(batch.cuda())
"""
LOSSES = """
import torch
from torch import nn

class FocalLoss(nn.Module):
    def forward(self, x: torch.Tensor):
        return x.sum().item()

class OtherLoss(nn.Module):
    def forward(self, y: torch.Tensor):
        return y.sum().item()

    def scaled(self, y: torch.Tensor):
        return y.mean().item()
"""


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "pyproject.toml").write_text("")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(files: dict[str, str]) -> None:
    for name, text in ({"main.py": MAIN, "pkg/__init__.py": "", "pkg/losses.py": LOSSES} | files).items():
        file = Path(name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


def levels(files: dict[str, str]) -> dict[str, Level]:
    """How often the waiting line of each method runs, by its class and, but for forward, its name."""
    write(files)
    names = {7: "FocalLoss", 11: "OtherLoss", 14: "OtherLoss.scaled"}
    return {names[each.span.row]: each.frequency.level for each in check_paths(["."]) if "losses" in each.span.filename}


def test_what_no_file_names_is_not_called() -> None:
    found = levels({"conf/settings.yaml": "loss: pkg.losses.FocalLoss\n"})
    assert found == {
        "FocalLoss": Level.EVERY_STEP,
        "OtherLoss": Level.UNCALLED,
        "OtherLoss.scaled": Level.UNCALLED,
    }


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"empty.yaml": ""},
        {"settings.json": '{"loss": "pkg.losses.OtherLoss"}'},
        {"train.sh": "python main.py --loss other_loss\n"},
        {"README.md": "Run `python main.py loss=OtherLoss`."},
        {"settings.yaml": "loss: FocalLoss", "more.py": "found = eval('pkg.' + options.module + '.OtherLoss')()\n"},
        {"settings.yaml": "loss: FocalLoss", "more.py": "found = instantiate({'_target_': f'{name}.OtherLoss'})\n"},
        {"settings.yaml": "loss: FocalLoss", "more.py": "found = [each for each in Base.__subclasses__()]\n"},
        {
            "settings.yaml": "loss: FocalLoss",
            "more.py": "import importlib\nfound = importlib.import_module(name)\nprint(dir(found))\n",
        },
    ],
)
def test_what_may_be_named_may_be_called(files: dict[str, str]) -> None:
    assert levels(files)["OtherLoss"] is Level.EVERY_STEP


def test_a_module_that_is_asked_for_names_offers_all_of_them() -> None:
    main = "from pkg import losses\nloss = getattr(losses, options.loss)()\nfor batch in batches:\n    loss(batch)\n"
    assert levels({"main.py": main, "settings.yaml": "loss: FocalLoss"})["OtherLoss"] is Level.EVERY_STEP


def test_large_files_and_many_hold_data(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = {"settings.yaml": "loss: FocalLoss\n", "data.json": '["OtherLoss", "{}"]'.format("x" * 70_000)}
    assert levels(chosen)["OtherLoss"] is Level.UNCALLED
    monkeypatch.setattr(context, "MOST_CHOOSING", 1)
    assert levels(chosen | {"more.yaml": "loss: FocalLoss\n"})["OtherLoss"] is Level.EVERY_STEP


def test_settings_do_not_change_what_imports_mean() -> None:
    main = "from pkg.losses import FocalLoss\nfor batch in batches:\n    FocalLoss()(batch.cuda())\n"
    files = {"main.py": main, "pkg/losses/settings.yaml": "x: 1\n", "main.yaml": "x: 1\n", "pkg.yaml": "x: 1\n"}
    assert levels(files)["FocalLoss"] is Level.EVERY_STEP


def test_an_edit_of_the_settings_is_noticed(tmp_path: Path) -> None:
    def waits() -> int:
        words = ["check", ".", "--cache-dir", str(tmp_path / "cache"), "--output-format", "concise"]
        return CliRunner().invoke(cli, words).output.count("SYNC101")

    write({"settings.yaml": "loss: FocalLoss\n"})
    first = waits()
    Path("settings.yaml").write_text("loss: FocalLoss\nother: pkg.losses.OtherLoss\n")
    os.utime("settings.yaml", (1, 1))
    assert (first, waits()) == (1, 2)
    Path("settings.yaml").unlink()
    assert waits() == 3


def test_underscores_alone_name_nothing() -> None:
    notes = "A line to be filled in: ____, and ___.\n"
    assert levels({"notes.md": notes})["OtherLoss"] is levels({})["OtherLoss"]
    assert levels({"notes.md": notes, "settings.yaml": "loss: FocalLoss"})["OtherLoss"] is Level.UNCALLED


@pytest.mark.parametrize("files", [{"README.md": "It has a FocalLoss."}, {"settings.yaml": "batch_size: 3"}])
def test_settings_that_choose_nothing_are_not_all_there_are(files: dict[str, str]) -> None:
    assert levels(files)["OtherLoss"] is Level.EVERY_STEP
