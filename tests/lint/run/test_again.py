"""A run after an edit that tells other files nothing: only what it can reach is linked again."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from synclint.lint.cli import cli
from synclint.lint.fix.verified import Verified
from synclint.lint.inference.linking import link as linking
from synclint.lint.inference.linking.again.same import Same
from synclint.lint.inference.linking.again.suspects import Suspects
from synclint.lint.inference.linking.index.call_sites import CallsOfFile
from synclint.lint.inference.linking.index.reads import Fact
from synclint.lint.inference.notes.summary import CallSite
from synclint.lint.limits import MOST_RUNS, Limit
from synclint.lint.run.known import Analyses
from synclint.lint.store.encoding import StoreError

FILES = {
    "train.py": """
import torch
from helpers import measure, start

model = torch.nn.Linear(3, 3).cuda()
for batch in torch.utils.data.DataLoader(range(9)):
    loss = model(batch.cuda()).sum()
    measure(loss)
    if start() > 3:
        break
""",
    "uses.py": """
import torch
from meters import accuracy

accuracy.cuda()
""",
    "helpers.py": """
import torch

def measure(value):
    print(value)
    return value.item()

def start():
    first = torch.zeros(3)
    return torch.ones(3, device="cuda")
""",
    "meters.py": """
import torch
from torchmetrics import MeanMetric

accuracy = MeanMetric()
for each in range(9):
    accuracy.update(torch.ones(3).sum().item())
""",
    "alone.py": """
import torch

def main():
    for step in range(9):
        print(torch.ones(3, device="cuda").sum().item())
""",
}

FILES_TIED = ["alone.py", "meters.py", "uses.py"]

Lint = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def linked(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The files that were linked, each time that some were."""
    found = []
    answers_in = linking._answers_in

    def noted(index: Any, summaries: Any, *rest: Any) -> Any:
        found.append([each.filename for each in summaries])
        return answers_in(index, summaries, *rest)

    monkeypatch.setattr(linking, "_answers_in", noted)
    return found


@pytest.fixture
def lint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Lint:
    """Lints a project of several files, a first time already."""
    monkeypatch.setattr(Verified, "_confirmed", lambda *_: {})  # what is fixed is linked once more, to see what is left
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").touch()
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)

    def run(*arguments: str) -> list[dict[str, Any]]:
        given = ["check", "--output-format", "json", "--select", "ALL", *(arguments or ["."])]
        cli.main(given, standalone_mode=False)
        found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
        return found

    run()
    return run


def edit(name: str, old: str, new: str) -> None:
    path = Path(name)
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, 1))


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("helpers.py", "import torch", "import torch  # a comment"),
        ("helpers.py", "print(value)", "print(value.mean())"),
        ("helpers.py", "return torch.ones(3", "return torch.zeros(3, 3"),
        ("helpers.py", "def measure(value)", "def measure(value, scale=1)"),
        ("train.py", "measure(loss)", "measure(loss.item())"),
        ("alone.py", "import torch", "import torch\nx = y ="),
    ],
)
def test_files_that_are_named_after_a_run_over_the_whole_project(
    lint: Lint, linked: list[list[str]], name: str, old: str, new: str
) -> None:
    edit(name, old, new)
    for named in (["train.py"], [name], ["train.py", "alone.py"], ["meters.py"]):
        assert lint(*named) == lint("--no-cache", *named)
        linked.clear()
    edit("uses.py", "accuracy.cuda()", "accuracy.cuda()\naccuracy.reset()")
    lint("alone.py")
    assert all("train.py" not in names for names in linked)
    assert lint() == lint("--no-cache")


def test_files_that_are_not_named_are_linked_by_the_next_run_over_all(lint: Lint, linked: list[list[str]]) -> None:
    for name in ("meters.py", "uses.py"):
        Path(name).unlink()
    lint()
    linked.clear()
    edit("helpers.py", "def measure(value)", "def measure(value: float)")
    assert lint("helpers.py") == lint("--no-cache", "helpers.py")
    assert linked[0] == ["helpers.py"]
    edit("alone.py", ".item()", ".max().item()")
    lint("alone.py")
    linked.clear()
    assert lint() == lint("--no-cache")
    assert linked[0] == ["train.py"]


def test_files_that_others_tell_about_are_not_linked_without_them(lint: Lint, linked: list[list[str]]) -> None:
    edit("uses.py", "accuracy.cuda()", "accuracy.cpu()")
    assert lint("meters.py") == lint("--no-cache", "meters.py")
    assert linked[0] == ["meters.py", "uses.py"]


def test_a_file_that_is_named_is_read_even_if_it_does_not_speak_of_torch(lint: Lint) -> None:
    Path("plain.py").write_text("def read(values):\n    return [each.item() for each in values]\n")
    lint()
    assert lint("plain.py") == lint("--no-cache", "plain.py")
    edit("alone.py", "import torch\n", "")
    edit("alone.py", 'torch.ones(3, device="cuda")', "step")
    assert lint("alone.py") == lint("--no-cache", "alone.py")


def test_a_comment_moves_what_others_are_told_of(lint: Lint, linked: list[list[str]]) -> None:
    edit("helpers.py", "\nimport", "\n# a remark\nimport")
    found = lint()
    assert linked == [["helpers.py"]]
    assert found == lint("--no-cache", ".")
    reasons = [reason for each in found if each["filename"] == "train.py" for reason in each["reasons"]]
    assert {each["location"]["row"] for each in reasons if each["filename"] == "helpers.py"} == {11}


@pytest.mark.parametrize(
    ("name", "old", "new", "reached"),
    [
        ("alone.py", "range(9)", "range(10)", ["alone.py"]),
        ("alone.py", ".item()", ".max().item()", ["alone.py"]),
        ("helpers.py", "first = torch.zeros(3)", "first = torch.zeros(3).cuda()", ["helpers.py"]),
        ("meters.py", ".sum().item()", ".max().item()", ["meters.py", "uses.py"]),
    ],
)
def test_what_a_function_does_reaches_its_file_and_who_shares_an_object(
    lint: Lint, linked: list[list[str]], name: str, old: str, new: str, reached: list[str]
) -> None:
    edit(name, old, new)
    found = lint()
    assert linked == [reached]
    assert found == lint("--no-cache", ".")


@pytest.mark.parametrize(
    ("name", "old", "new", "reached"),
    [
        ("helpers.py", 'device="cuda"', 'device="cpu"', ["helpers.py", "train.py"]),
        ("helpers.py", "def measure(value)", "def measure(value: float)", ["helpers.py", "train.py"]),
        ("helpers.py", "return value.item()", "return value", ["helpers.py", "train.py"]),
        ("helpers.py", "def start", "def begin", ["helpers.py", "train.py"]),
        ("train.py", "measure(loss)", "if OPTIONS.mean: measure(loss)", ["helpers.py", "train.py"]),
        ("train.py", "measure(loss)", "pass", ["helpers.py", "train.py"]),
        ("train.py", "measure(loss)", "measure(3)", ["helpers.py", "train.py"]),
        ("alone.py", "main", "run", ["alone.py"]),
        ("alone.py", "import torch", "import torch\n(", []),
        ("meters.py", "accuracy = MeanMetric()", "accuracy = torch.ones(3)", ["meters.py", "uses.py"]),
        ("alone.py", "import torch", "import torch\nfrom meters import accuracy\naccuracy.cpu()", FILES_TIED),
    ],
)
def test_what_tells_others_something_else_reaches_who_has_read_it(
    lint: Lint, linked: list[list[str]], name: str, old: str, new: str, reached: list[str]
) -> None:
    edit(name, old, new)
    found = lint()
    assert linked[-1] == reached
    assert found == lint("--no-cache", ".")


def test_what_chooses_a_function_reaches_its_file(lint: Lint, linked: list[list[str]]) -> None:
    Path("losses.py").write_text("import torch\n\ndef loss(value: torch.Tensor):\n    return value.item()\n")
    Path("registry.py").write_text("import torch\nfrom losses import loss\n\nLOSSES = {'l1': loss}\n")

    def asked() -> list[list[str]]:
        found = lint()
        assert found == lint("--no-cache", ".")
        return [each["conditions"] for each in found if each["filename"] == "losses.py"]

    assert asked() == [[]]
    edit("registry.py", "'l1': loss", "'l1': loss, 'l0': len_of")
    edit("registry.py", "import loss", "import loss, len_of")
    edit("losses.py", "def loss", "def len_of(value):\n    return len(value)\n\ndef loss")
    assert asked() == [["`LOSSES['l1']` is chosen"]]
    edit("registry.py", "'l1'", "'l2'")
    assert asked() == [["`LOSSES['l2']` is chosen"]]
    assert "losses.py" in linked[-2]
    edit("registry.py", ", 'l0': len_of", "")
    assert asked() == [[]]


def test_a_switch_for_the_whole_program_reaches_all(lint: Lint, linked: list[list[str]]) -> None:
    switch = "torch.distributions.Distribution.set_default_validate_args(False)\n    for step"
    edit("alone.py", "for step", switch)
    found = lint()
    assert linked[-1] == sorted(FILES)
    assert found == lint("--no-cache", ".")


def test_one_edit_after_the_other(lint: Lint, linked: list[list[str]]) -> None:
    for number in range(3):
        edit("alone.py", "import torch", f"# remark {number}\nimport torch")
        assert lint() == lint("--no-cache", ".")
    assert linked[::2] == [["alone.py"]] * 3


def test_an_edit_reaches_all_that_have_read_through_the_same_questions(lint: Lint, linked: list[list[str]]) -> None:
    uses = "import torch\nfrom holder import Holder\nfor _ in range(9):\n    Holder().value.item()\n"
    Path("deep.py").write_text("import torch\n\ndef make():\n    return torch.ones(3)\n")
    holder = "class Holder:\n    def __init__(self):\n        self.value = make()\n"
    Path("holder.py").write_text(f"import torch\nfrom deep import make\n\n{holder}")
    Path("first.py").write_text(uses)
    Path("second.py").write_text(uses)
    lint()
    edit("deep.py", "torch.ones(3)", "torch.ones(3).cuda()")
    found = lint()
    assert linked[-1] == ["deep.py", "first.py", "second.py"]
    assert found == lint("--no-cache", ".")


def test_what_a_use_shows_of_a_value_reaches_who_gets_it(lint: Lint, linked: list[list[str]]) -> None:
    Path("deep.py").write_text(
        "import torch\nfrom missing import load\n\ndef get():\n    found = load()\n    return found\n"
    )
    Path("first.py").write_text("import torch\nfrom deep import get\nfor _ in range(9):\n    get().item()\n")
    lint()
    edit("deep.py", "    return", "    found.item()\n    return")
    found = lint()
    assert linked[-1] == ["deep.py", "first.py"]
    assert found == lint("--no-cache", ".")


def test_what_a_module_has_reaches_who_asks_a_model_that_a_setting_chooses(lint: Lint, linked: list[list[str]]) -> None:
    Path("chosen.py").write_text(
        "import torch\nimport hydra\n\ndef use(cfg):\n    model = hydra.utils.instantiate(cfg)\n    model.cuda()\n"
        "    model.train()\n    for _ in range(9):\n        print(model.losses(3)['count'])\n"
    )
    module = "import torch\n\nclass Net(torch.nn.Module):\n    def losses(self, x):\n        return {'count': COUNT}\n"
    Path("nets.py").write_text(module.replace("losses", "others"))
    before = lint()
    for count in ("x", "torch.ones(3, device='cuda')"):
        Path("nets.py").write_text(module.replace("COUNT", count))
        found = lint()
        assert "chosen.py" in linked[-1]
        assert found == lint("--no-cache", ".")
        assert found != before
        before = found


def test_a_file_that_an_import_means_now_reaches_who_imports(lint: Lint, linked: list[list[str]]) -> None:
    Path("sub").mkdir()
    Path("tools.py").write_text("import torch\n\ndef make():\n    return torch.ones(3)\n")
    Path("sub/first.py").write_text("import torch\nfrom tools import make\nfor _ in range(9):\n    make().item()\n")
    lint()
    Path("sub/tools.py").write_text("import torch\n\ndef make():\n    return torch.ones(3).cuda()\n")
    found = lint()
    assert linked[-1] == ["sub/first.py", "sub/tools.py"]
    assert found == lint("--no-cache", ".")


def test_what_is_read_after_an_edit_counts_as_well(lint: Lint, linked: list[list[str]]) -> None:
    text = Path("alone.py").read_text()
    for device in ("cuda", "cpu"):
        Path("alone.py").write_text(f"{text}    import helpers\n    print(helpers.start().item())\n")
        lint()
        Path("helpers.py").write_text(
            FILES["helpers.py"].replace("cuda", device).replace("start(", f"start(_{device}=0")
        )
        found = lint()
        assert "alone.py" in linked[-1]
        assert found == lint("--no-cache", ".")
        Path("alone.py").write_text(text)
        lint()


@pytest.mark.parametrize(
    ("name", "text", "reached"),
    [
        ("more.py", "import torch\ntorch.ones(3, device='cuda').item()\n", ["more.py"]),
        ("more.py", "import torch\nimport helpers\nhelpers.measure(torch.ones(3))\n", ["helpers.py", "more.py"]),
        ("late.py", "import torch\ndef value():\n    return torch.ones(3).cuda()\n", ["asks.py", "late.py"]),
    ],
)
def test_a_file_that_comes_and_goes_reaches_who_asked_for_it(
    lint: Lint, linked: list[list[str]], name: str, text: str, reached: list[str]
) -> None:
    Path("asks.py").write_text("import torch\nfrom late import value\nfor _ in range(9):\n    value().item()\n")
    lint()
    Path(name).write_text(text)
    found = lint()
    assert linked[-1] == reached
    assert found == lint("--no-cache", ".")
    Path(name).unlink()
    edit("alone.py", "import torch", "# a remark\nimport torch")  # as nothing is linked where nothing is new
    found = lint()
    assert linked[-1] == ["alone.py", *(each for each in reached if each != name)]
    assert found == lint("--no-cache", ".")


def test_only_calls_in_question_are_followed_of_files_that_are_asked(
    lint: Lint, monkeypatch: pytest.MonkeyPatch
) -> None:
    followed = []
    add = CallsOfFile._add

    def noted(self: CallsOfFile, site: CallSite) -> bool:
        followed.append(site.callee)
        return add(self, site)

    monkeypatch.setattr(CallsOfFile, "_add", noted)
    edit("helpers.py", "first = torch.zeros(3)", "first = torch.zeros(3).cuda()")
    lint()
    assert set(followed) == {"helpers.measure", "helpers.start"}


def test_only_calls_in_question_are_followed_where_too_many_others_run_something_else(
    lint: Lint, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("index.call_sites", "index.stored_index", "again.updated", "index.followed"):
        monkeypatch.setattr(f"synclint.lint.inference.linking.{module}.MOST_FOLLOWED", Limit(2, ""))
    Path("inner.py").write_text("""
import torch

class Inner:
    def run(self, x):
        return x.sum().item()

class Other:
    def measure(self, x):
        return x.sum()
""")
    Path("base.py").write_text("""
import torch
import inner

class Base(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.part, self.other = inner.Inner(), inner.Other()
""")
    Path("outer.py").write_text("""
import torch
from base import Base

class Outer(Base):
    def forward(self, x):
        print(self.other.measure(x), self.other.measure(x), self.other.measure(x))
        return self.part.run(x)
""")
    lint()
    followed = []
    add = CallsOfFile._add_held

    def noted(self: CallsOfFile, site: CallSite) -> None:
        followed.append(site.callee)
        add(self, site)

    monkeypatch.setattr(CallsOfFile, "_add_held", noted)
    edit("inner.py", "x.sum().item", "x.max().item")
    found = lint()
    assert set(followed) == {"outer.Outer.part.run"}
    assert found == lint("--no-cache", ".")


def test_only_calls_that_bind_attributes_are_followed_for_these(lint: Lint, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("given.py").write_text("""
import torch

class Given:
    def __init__(self, **parts):
        for name, part in parts.items():
            setattr(self, name, part)

    def read(self):
        return self.scale.item()
""")
    Path("gives.py").write_text("""
import torch
import helpers
from given import Given

def main():
    helpers.measure(torch.ones(3))
    print(Given(scale=torch.ones(3).cuda()).read())
""")
    lint()
    followed = []
    add = CallsOfFile._add

    def noted(self: CallsOfFile, site: CallSite) -> bool:
        followed.append(site.callee)
        return add(self, site)

    monkeypatch.setattr(CallsOfFile, "_add", noted)
    edit("given.py", "return self", "return -self")
    found = lint()
    assert "helpers.measure" not in followed
    assert "given.Given" in followed
    assert found == lint("--no-cache", ".")


def test_names_that_an_edit_defines_as_before_are_ruled_out_together(
    lint: Lint, monkeypatch: pytest.MonkeyPatch
) -> None:
    suspected = set()
    may_differ = Suspects._may_differ

    def noted(self: Suspects, fact: Fact) -> bool:
        suspected.add(tuple(fact[:2]))
        return may_differ(self, fact)

    monkeypatch.setattr(Suspects, "_may_differ", noted)
    edit("helpers.py", "def start(", "def start(_=None")
    lint()
    assert not any(kind in ("called", "constructed", "canonical") for kind, _ in suspected)
    edit("helpers.py", "def start", "def begin")
    assert lint() == lint("--no-cache", ".")
    called = {name for kind, name in suspected if kind == "called"}
    assert "helpers.start" in called
    assert not any(name.startswith("torch.") or name == "helpers.measure" for name in called)


def test_what_names_stand_for_is_asked_again_only_where_others_are_on_the_way(
    lint: Lint, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    told_alike = Same.holds

    def noted(self: Same, fact: Fact) -> bool:
        asked.append(fact[1])
        return told_alike(self, fact)

    monkeypatch.setattr(Same, "holds", noted)
    Path("more.py").write_text("import torch\n\nclass Net(torch.nn.Module):\n    def run(self):\n        pass\n")
    lint()
    assert asked == []
    edit("helpers.py", "def start", "def begin")
    lint()
    assert set(asked) == {"helpers.measure", "helpers.start", "train:"}


def test_files_that_are_moved(lint: Lint, linked: list[list[str]]) -> None:
    Path("pkg").mkdir()
    Path("helpers.py").rename("pkg/helpers.py")
    found = lint()
    assert linked[-1] == ["pkg/helpers.py", "train.py"]
    assert found == lint("--no-cache", ".")
    Path("pkg/helpers.py").rename("helpers.py")
    edit("alone.py", "import torch", "# a remark\nimport torch")
    assert lint() == lint("--no-cache", ".")


def test_what_was_kept_is_damaged(lint: Lint, linked: list[list[str]]) -> None:
    (folder,) = (each for each in Path(os.environ["XDG_CACHE_HOME"], "synclint").iterdir() if each.is_dir())
    for entry in folder.glob("*/files/*.json"):
        entry.write_text(entry.read_text()[:-9])
    edit("helpers.py", "\nimport", "\n# a remark\nimport")
    assert lint() == lint("--no-cache", ".")
    for entry in folder.glob("*/runs/*.json"):
        entry.write_text(entry.read_text()[:-9])
    edit("helpers.py", "\nimport", "\n# a remark\nimport")
    assert lint() == lint("--no-cache", ".")


LAST = """
import torch
from helpers import measure

for batch in torch.utils.data.DataLoader(range(9)):
    measure(torch.nn.Linear(3, 3).cuda()(batch.cuda()).sum())
"""


@pytest.mark.parametrize("most_later", [0, 9])
def test_what_is_told_differently_reaches_nobody_where_the_answers_are_the_same(
    lint: Lint, linked: list[list[str]], monkeypatch: pytest.MonkeyPatch, most_later: int
) -> None:
    def is_as_from_nothing() -> bool:
        return lint() == lint("--no-cache", ".")

    monkeypatch.setattr("synclint.lint.run.known.MOST_LATER", most_later)
    Path("zoo.py").write_text(LAST)
    shutil.rmtree(os.environ["XDG_CACHE_HOME"])
    lint()
    Path("zoo.py").unlink()
    linked.clear()
    lint()
    assert linked == [[]]  # what calls pass to `measure`, and how often, is what it was
    assert is_as_from_nothing()
    Path("zoo.py").write_text(LAST.replace(".cuda()", ""))
    assert is_as_from_nothing()
    edit("train.py", "model(batch.cuda())", "model(batch.cuda()).cpu()")
    linked.clear()
    lint()
    assert "helpers.py" in linked[0]
    assert is_as_from_nothing()


CHAIN = {
    "first.py": "import torch\nfrom second import run\n\n"
    "for batch in torch.utils.data.DataLoader(range(9)):\n    run(batch.cuda())\n",
    "second.py": "from third import measure\nimport torch\n\ndef run(x):\n    return measure(x)\n",
    "third.py": "import torch\n\ndef measure(x):\n    return x.item()\n",
}


def test_what_others_have_answered_is_not_asked_again(lint: Lint, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in CHAIN.items():
        Path(name).write_text(text)
    lint("--no-cache", ".")
    shutil.rmtree(os.environ["XDG_CACHE_HOME"])
    lint()
    read: list[str] = []
    summary = Analyses.summary
    monkeypatch.setattr(Analyses, "summary", lambda self, name: (read.append(name), summary(self, name))[1])
    edit("third.py", "measure(x)", "measure(x, more=None)")
    assert lint() == lint("--no-cache", ".")
    assert sorted({*read}) == ["second.py", "third.py"]


@pytest.mark.parametrize("number", range(4))
def test_one_of_the_entries_that_were_kept_is_gone(lint: Lint, number: int) -> None:
    runs = Path(os.environ["XDG_CACHE_HOME"], "synclint").glob("*/*/runs/*.json")
    sorted(runs)[number].unlink()
    edit("helpers.py", "first = torch.zeros(3)", "return None")
    assert lint() == lint("--no-cache", ".")


def test_what_was_read_before_is_not_kept(lint: Lint) -> None:
    def kept() -> int:
        return len([*Path(os.environ["XDG_CACHE_HOME"], "synclint").glob("*/*/runs/*.json")])

    before = kept()
    edit("helpers.py", "return value.item()", "return value")
    lint()
    assert kept() == before + 1  # the result of the run


def test_what_most_files_tell_is_stored_once(lint: Lint, monkeypatch: pytest.MonkeyPatch) -> None:
    def kept() -> set[bytes]:
        return {each.read_bytes() for each in Path(os.environ["XDG_CACHE_HOME"], "synclint").glob("*/*/runs/*.json")}

    before = kept()
    monkeypatch.setattr("synclint.lint.run.known.MOST_LATER", 9)
    for number in range(3):
        edit("helpers.py", "def measure(value", f"def measure(value, _{number}=None")
        lint()
    assert len(before & kept()) == 3  # the rows of the index, what was asked and read, and the result of the first run
    monkeypatch.setattr("synclint.lint.run.known.MOST_LATER", 0)
    edit("helpers.py", "def start", "def begin")
    assert lint() == lint("--no-cache", ".")
    assert len(before & kept()) == 1


def test_what_was_kept_is_not_too_old_after_many_edits(lint: Lint, linked: list[list[str]]) -> None:
    for _ in range(MOST_RUNS + 1):
        edit("helpers.py", "\nimport", "\n# a remark\nimport")
        lint()
    edit("helpers.py", "return value.item()", "return value")
    assert lint() == lint("--no-cache", ".")
    assert linked[-2] == ["helpers.py", "train.py"]


def test_an_error_of_ours_makes_a_run_from_nothing(lint: Lint, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise StoreError("is not what was stored")

    edit("helpers.py", "\nimport", "\n# a remark\nimport")
    monkeypatch.setattr("synclint.lint.run.again.Again.found", broken)
    assert lint() == lint("--no-cache", ".")


def test_a_mention_reaches_what_is_mentioned(lint: Lint, linked: list[list[str]]) -> None:
    """In another file, even one that does not speak of tensors."""
    program = "import helpers\n\nif __name__ == '__main__':\n    helpers.start()\n"
    Path("main.py").write_text(program)
    Path("pkg").mkdir()
    Path("pkg/old.py").write_text(
        "import torch\n\ndef kept(x: torch.Tensor):\n    return x.sum().item()\n\nclass Old: ...\n"
    )
    Path("pkg/__init__.py").write_text("from . import old\n")
    Path("plain.py").write_text("import pkg\n")
    lint()
    linked.clear()
    frequencies = {}
    for text in ("import pkg\nnames = ['kept']\n", "import pkg\nnames = ['Old']\n"):
        Path("plain.py").write_text(text)
        found = lint()
        assert found == lint("--no-cache", ".")
        frequencies[text] = {each["frequency"] for each in found if each["filename"].startswith("pkg")}
    assert list(frequencies.values()) == [{"every step"}, {"uncalled"}]
    assert linked[0] == ["pkg/old.py", "plain.py"]


@pytest.mark.parametrize("mention", ["later.kept", "'kept'"])
def test_what_was_mentioned_before_it_is_defined(lint: Lint, linked: list[list[str]], mention: str) -> None:
    start = "import torch\n\ndef start(x: torch.Tensor):\n    return x.sum().item()\n"
    Path("later.py").write_text(start)
    Path("main.py").write_text("import torch\nimport later\n\nif __name__ == '__main__':\n    later.start(3)\n")
    lint()
    edit("main.py", "later.start(3)\n", f"later.start(3)\n    {mention}\n")
    lint()
    linked.clear()
    Path("later.py").write_text(f"{start}\n{start.replace('import torch', '').replace('start', 'kept')}")
    found = lint()
    assert linked == [["later.py"]]
    assert found == lint("--no-cache", ".")


def test_an_analysis_that_another_run_has_replaced(lint: Lint) -> None:
    edit("helpers.py", "def measure", "def other")
    lint("helpers.py")
    found = lint()
    assert found == lint("--no-cache", ".")
