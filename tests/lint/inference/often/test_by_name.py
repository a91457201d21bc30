"""Calls of which only the name of a method is known."""

from __future__ import annotations

from pathlib import Path

import pytest
from synclint.lint.finding import Finding
from synclint.lint.run.engine import check_paths

TRAIN = """
import torch

def train(args, model, actor, loader):
    model.cuda()
    for batch in loader:
        loss = model(batch.cuda()).sum()
        loss.backward()
        {calls}
"""
METHOD = """
import torch

class Actor:
    def {name}(self, value: torch.Tensor):
        return value.item()
"""


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def read(calls: str, name: str) -> Finding:
    """The report about the line of the method."""
    Path("pyproject.toml").touch()
    Path("train.py").write_text(TRAIN.format(calls=calls))
    Path("actor.py").write_text(METHOD.format(name=name))
    [found] = [each for each in check_paths(["."]) if each.span.filename == "actor.py"]
    return found


def reasons(found: Finding) -> str:
    return " ".join(each.message for each in found.frequency.reasons)


def test_a_method_is_followed_by_its_name() -> None:
    assert "`train` calls `log_prob`" in reasons(read("actor.log_prob(loss)", "log_prob"))


def test_calling_an_object_says_nothing_about_classes_whose_objects_can_be_called() -> None:
    found = read("for name in args.names: getattr(actor, name)(loss)", "__call__")
    assert "`train` calls" not in reasons(found)


def test_of_several_callers_only_what_all_hang_on_is_left() -> None:
    one, other = "if args.warm: actor.log_prob(loss)", "if args.late: actor.log_prob(loss)"
    assert read(one, "log_prob").frequency.conditions == ("args.warm",)
    assert read(f"{one}\n        {other}", "log_prob").frequency.conditions == ()
