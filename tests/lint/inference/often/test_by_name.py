"""Calls of which only the name of a method is known."""

from __future__ import annotations

from pathlib import Path

import pytest
from synclint.lint.finding import Finding, Level
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


def test_of_several_callers_what_one_hangs_on_is_told_with_others() -> None:
    calls = [f"if args.{name}: actor.log_prob(loss)" for name in ("warm", "late", "new")]
    assert read(calls[0], "log_prob").frequency.conditions == ("args.warm",)
    assert read("\n        ".join(calls[:2]), "log_prob").frequency.conditions == ("args.late or args.warm",)
    assert read("\n        ".join(calls), "log_prob").frequency.conditions == ("`args.new` or others",)


def test_where_objects_of_several_classes_have_the_method_one_must_be_chosen() -> None:
    Path("other.py").write_text("import torch\nclass Base:\n    def log_prob(self, value): ...\n")
    assert read("actor.log_prob(loss)", "log_prob").frequency.conditions == ()  # not related: nothing is known
    related = METHOD.replace("class Actor", "from other import Base\n\nclass Actor(Base)")
    Path("train.py").write_text(TRAIN.format(calls="actor.log_prob(loss)"))
    Path("actor.py").write_text(related.format(name="log_prob"))
    for more, told in (("", ()), ("\nclass Critic(Base):\n    def log_prob(self, value): ...", ("`Actor` is chosen",))):
        Path("critic.py").write_text(f"import torch\nfrom other import Base{more}")
        [found] = [each for each in check_paths(["."]) if each.span.filename == "actor.py"]
        assert found.frequency.conditions == told


TASK = """
import torch

class Task:
    def evaluation(self, model, loader):
        return model.{name}(loader)
{more}
"""
MODEL = """
import torch

class Model(torch.nn.Module):
    def compare_all(self, loader):
        return compare(self, loader)

    def compare_one(self, value: torch.Tensor):
        return value.item()

def compare(model, loader):
    for batch in loader:
        model(batch.cuda()).sum().item()
"""


def of_model(name: str, more: str = "") -> list[Level]:
    """How often what waits in a model runs, whose methods are called on objects of which nothing is known."""
    Path("pyproject.toml").touch()
    Path("task.py").write_text(TASK.format(name=name, more=more))
    Path("model.py").write_text(MODEL)
    return [each.frequency.level for each in check_paths(["."]) if each.code == "SYNC101"]


def test_what_only_evaluation_calls_evaluates_whatever_it_does() -> None:
    assert of_model("compare_all") == [Level.EVERY_STEP, Level.EVALUATION]
    more = "    def other(self, model, loader):\n        model.compare_all(loader)"
    assert of_model("compare_all", more) == [Level.EVERY_STEP, Level.EVERY_STEP]


def test_callers_of_which_nothing_is_known_tell_less_than_those_that_evaluate() -> None:
    more = "def shown(model, value):\n    return model.compare_one(value)"
    assert of_model("compare_one", more)[0] is Level.EVALUATION
    assert of_model("other", more)[0] is Level.EVERY_STEP
    stepping = f"{more}\n\ndef train(model, loader):\n    for batch in loader:\n"
    stepping += "        model.compare_one(batch)\n        model(batch).backward()"
    assert of_model("compare_one", stepping)[0] is Level.EVERY_STEP


def test_what_only_data_sets_are_seen_to_call_runs_nobody_knows_how_often() -> None:
    data = "import torch\nclass Data(torch.utils.data.Dataset):\n    def __getitem__(data, index):\n"
    assert of_model("other", f"{data}        return data.items[index].compare_one(index)")[0] is Level.UNKNOWN
    test = "import unittest\nclass TestIt(unittest.TestCase):\n    def test_it(case):\n"
    assert of_model("other", f"{test}        case.model.compare_one(1)")[0] is Level.EVERY_STEP
