"""The JSON Schemas in the package are right about what commands write, and about every key of a configuration."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest
from preloaded import Preloaded
from synclint.lint.finding import Confidence, Kind, Level, Severity
from synclint.lint.offers import Effect
from synclint.lint.settings.config import KEYS
from synclint.runtime_checker.comparison.changes import VERDICTS as CHANGES
from synclint.runtime_checker.script.verdicts import VERDICTS
from synclint.runtime_checker.traces import joining

jsonschema = pytest.importorskip("jsonschema")
if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "lint/schemas"
PROGRAM = """\
import argparse

import torch
from torch.utils.data import DataLoader, TensorDataset


def train(model, loader, optimizer, noisy):
    running = 0.0
    for (images,) in loader:
        loss = model(images.to("cuda")).sum()
        loss.backward()
        optimizer.step()
        if noisy:
            print(loss)
        running += loss.item()
        unseen(loss)
    return running


def unseen(loss):
    if loss is None:
        loss.item()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--noisy", action="store_true")
    args = parser.parse_args()
    net = torch.nn.Linear(8, 3).to("cuda")
    data = DataLoader(TensorDataset(torch.randn(64, 8)), batch_size=2)
    train(net, data, torch.optim.SGD(net.parameters(), 0.1), args.noisy)
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
Run = Callable[..., str]


def schema(name: str) -> Any:
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def check(document: object, name: str) -> None:
    kind = jsonschema.validators.validator_for(schema(name))
    kind.check_schema(schema(name))
    kind(schema(name), format_checker=kind.FORMAT_CHECKER).validate(document)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """What a command prints in a project with a program and a notebook."""
    (tmp_path / "synclint.toml").write_text("")
    (tmp_path / "train.py").write_text(PROGRAM)
    (tmp_path / "train.ipynb").write_text(json.dumps(NOTEBOOK))

    def run(*words: str) -> str:
        command = [sys.executable, "-m", "synclint", *words]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode in (0, 1), done.stderr
        return done.stdout

    return run


def test_check(run: Run) -> None:
    found = json.loads(run("check", ".", "--output-format", "json"))
    check(found, "check")
    check([json.loads(line) for line in run("check", ".", "--output-format", "json-lines").splitlines()], "check")
    assert {each["cell"] for each in found} == {None, 2}
    assert any(each["fix"] for each in found)
    assert any(route["conditions"] for each in found for route in each["routes"])
    with pytest.raises(jsonschema.ValidationError):
        check([found[0] | {"new": 1}], "check")


def test_counts_rules_and_the_baseline(run: Run, tmp_path: Path) -> None:
    check(json.loads(run("check", ".", "--statistics", "--output-format", "json")), "statistics")
    check(json.loads(run("stats", ".", "--output-format", "json")), "stats")
    check(json.loads(run("rule", "--all", "--output-format", "json")), "rule")
    run("check", ".", "--write-baseline")
    check(json.loads((tmp_path / ".synclint-baseline.json").read_text()), "baseline")


@pytest.mark.torch
def test_runs(run: Run, tmp_path: Path, preloaded: Preloaded) -> None:
    reports = [tmp_path / f"{name}.json" for name in ("one", "two", "both")]
    for report in reports[:2]:
        words = ("--device", "simulated", "--steps", "6", "--output", f"json={report}", "train.py")
        code, _, told = preloaded.run(tmp_path, "-m", "synclint", "run", *words)
        assert code in (0, 1), told
        check(json.loads(report.read_text()), "run")
        (tmp_path / "train.py").write_text(PROGRAM.replace("running += loss.item()", "running += 1"))
    run("compare", *map(str, reports[:2]), "--output", f"json={reports[2]}")
    both = json.loads(reports[2].read_text())
    check(both, "compare")
    assert {each["change"] for each in both["changes"]} >= {"gone", "same"}


def test_traces(run: Run, tmp_path: Path) -> None:
    for file in (ROOT / "tests/runtime_checker/traces/h200").iterdir():
        shutil.copy(file, tmp_path)
    check(json.loads(run("trace", "trace.json.gz", "--output-format", "json")), "trace")


def test_the_words_are_those_of_the_program() -> None:
    of = {name: schema(name) for name in ("check", "rule", "run", "compare", "trace")}
    finding, places = of["check"]["$defs"]["finding"]["properties"], of["check"]["$defs"]
    assert finding["severity"]["enum"] == [each.words for each in Severity if each]
    assert finding["confidence"]["enum"] == [each.words for each in Confidence]
    assert set(places["frequency"]["enum"]) == {each.words for each in Level}
    assert places["fix"]["properties"]["effect"]["enum"] == [each.value for each in Effect]
    assert set(of["rule"]["items"]["properties"]["kind"]["enum"]) == {each.value for each in Kind}
    assert of["run"]["properties"]["lines"]["items"]["properties"]["verdict"]["enum"] == list(VERDICTS)
    assert of["compare"]["properties"]["changes"]["items"]["properties"]["change"]["enum"] == list(CHANGES)
    line = of["trace"]["items"]["properties"]["lines"]["items"]["properties"]
    assert line["verdict"]["enum"] == list(joining.VERDICTS)
    assert line["match"]["enum"] == [*get_args(joining.Certainty), None]


@pytest.mark.parametrize("name", KEYS)
def test_each_key(name: str) -> None:
    example = KEYS[name].metadata["example"]
    text = f"[{name}]\n{example}" if " = " in example else f"{name} = {example}"
    check(tomllib.loads(text), "configuration")
    with pytest.raises(jsonschema.ValidationError):
        check({name: 7}, "configuration")


def test_keys_that_are_none() -> None:
    with pytest.raises(jsonschema.ValidationError):
        check({"extend-selct": []}, "configuration")


def test_what_init_and_the_guides_write_is_a_configuration(run: Run, tmp_path: Path) -> None:
    (tmp_path / "synclint.toml").unlink()
    run("init")
    written = [(tmp_path / "synclint.toml").read_text()]
    for guide in (ROOT / "docs").glob("*.md"):
        written += re.findall(r"(?m)^```toml\n(.*?)^```", guide.read_text(encoding="utf-8"), re.S)
    assert len(written) > 20
    for text in written:
        table = tomllib.loads(text)
        if "project" not in table:
            check(table.get("tool", {"synclint": table}).get("synclint", {}), "configuration")


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.json")), ids=lambda file: file.stem)
def test_the_command_prints_each(file: Path) -> None:
    command = [sys.executable, "-m", "synclint", "schema", file.stem]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == file.read_text()
