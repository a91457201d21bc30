"""What the choice of one of several related classes says of a line, where their methods call each other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from synclint.lint.cli import cli
from synclint.lint.run.engine import check_paths

BASE = """
import torch
from stages import run_stage

class Solver:
    def __init__(self, cfg, model):
        self.cfg, self.model = cfg, model.cuda()

    def run(self):
        run_stage("train", self.train)

    def train(self):
        self.loop()

    def loop(self):
        for batch in torch.utils.data.DataLoader(self.cfg.data):
            self.step(batch.cuda())

    def step(self, batch):
        raise NotImplementedError
"""
DERIVED = """
from base import Solver

class Music(Solver):
    def train(self):
        print("music")
        super().train()

    def step(self, batch):
        loss = self.model(batch).sum()
        loss.backward()
        loss.item()

class Speech(Solver):
    def step(self, batch):
        loss = self.model(batch).sum()
        loss.backward()
        loss.tolist()

class Short(Speech):
    def step(self, batch):
        super().step(batch)
        loss = self.model(batch).sum()
        loss.cpu()
"""
MAIN = """
from derived import Music, Short, Speech

def build(cfg, model):
    klass = {"music": Music, "speech": Speech, "short": Short}[cfg.kind]
    return klass(cfg, model)

build(cfg, model).run()
"""

STAGES = """
def run_stage(name, stage):
    print(name)
    return apply(stage)
"""


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {"base": BASE, "derived": DERIVED, "main": MAIN, "stages": STAGES}.items():
        Path(f"{name}.py").write_text(text)


def test_an_object_is_of_one_class() -> None:
    found = {each.statement: each.frequency.conditions for each in check_paths(["."])}
    assert {name: found.get(f"loss.{name}()") for name in ("item", "tolist", "cpu")} == {
        "item": ("`klass` is `Music`",),
        "tolist": ("`Speech` is chosen",),
        "cpu": ("`klass` is `Short`",),
    }
    (uploaded,) = (each for name, each in found.items() if "batch.cuda()" in name)
    assert uploaded == ("`Solver` is chosen",)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("class Music(Solver)", "class Music(Speech)"),
        ("class Music(Solver)", "class Music"),
        ("class Short(Speech)", "class Short(Music)"),
    ],
)
def test_other_bases_reach_who_calls_itself(old: str, new: str, capsys: pytest.CaptureFixture[str]) -> None:
    def lint(*arguments: str) -> list[object]:
        cli.main(["check", "--output-format", "json", *arguments, "."], standalone_mode=False)
        found: list[object] = json.loads(capsys.readouterr().out)
        return found

    lint()
    text = Path("derived.py").read_text()
    assert old in text
    Path("derived.py").write_text(text.replace(old, new))
    assert lint() == lint("--no-cache")
