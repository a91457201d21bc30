"""After any edits, a run that remembers earlier ones finds what a run from nothing finds."""

from __future__ import annotations

import io
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from synclint.lint.cli import cli
from synclint.lint.finding import Finding
from synclint.lint.inference.linking.again.suspects import Suspects
from synclint.lint.inference.linking.again.touched import BY_CONTENT
from synclint.lint.inference.linking.index.reads import Fact, Subject, fact_of
from synclint.lint.run.engine import run
from synclint.lint.run.file import File
from synclint.lint.server.memory import Memory
from synclint.lint.settings.files import find_settings
from synclint.lint.settings.selection import chosen_rules

FILES: Final = {
    "pkg/__init__.py": "from .model import Net\nfrom .losses import smooth as smooth_loss\n",
    "pkg/base.py": """
import torch
from torch import nn

class Base(nn.Module):
    def __init__(self, scale: float = 1.0):
        super().__init__()
        self.scale = torch.ones(1).cuda()

    def measure(self, x):
        return x.max().item()

    @property
    def level(self):
        return self.scale.sum()
""",
    "pkg/model.py": """
import torch
from .base import Base

class Net(Base):
    def __init__(self, width):
        super().__init__(2.0)
        self.width = width
        self.bias = torch.zeros(3, device="cuda")

    def forward(self, x: torch.Tensor):
        if self.bias.any():
            return x + self.bias
        return self.helper(x)

    def helper(self, x):
        return x[x > 0] * self.level.item()
""",
    "pkg/losses.py": """
import torch

Pair = tuple[torch.Tensor, torch.Tensor]

def smooth(pair: Pair, eps=0.1):
    left, right = pair
    return (left - right).abs().mean() + eps

def report(value, step):
    if step % 100 == 0:
        print(value.item())
    return float(value)
""",
    "pkg/data.py": """
import torch
from torchmetrics import MeanMetric
from torch.utils.data import DataLoader
from .model import Net

torch.distributions.Distribution.set_default_validate_args(False)
metric = MeanMetric()

def loader():
    return DataLoader(range(9))

class Meter:
    def __init__(self):
        self.mean = MeanMetric().to("cuda")

def both(width):
    return Net(width), Meter()
""",
    "pkg/stars.py": "from .losses import *\nfrom .data import *\n",
    "pkg/names.py": "from .losses import report\n\nclass Names:\n    first = 'loss'\n",
    "train.py": """
import torch
import pkg.names
from pkg import Net, smooth_loss, stars
from pkg.data import Meter, both, loader, metric
from pkg.losses import report

model = Net(3).cuda()
meter = Meter()
metric.to("cuda")
net, spare = both(3)
for step, (x, y) in enumerate(loader()):
    x = x.to("cuda")
    loss = smooth_loss((model(x), y.cuda()))
    loss.backward()
    report(loss, step)
    stars.report(stars.smooth((x, loss)), 2)
    meter.mean.update(loss)
    metric.update(loss.item())
    model.measure(x)
    spare.mean.update(net.measure(y))
    torch.distributions.Normal(loss, loss).sample()
""",
}
CHANGES: Final = (
    ('"cuda"', '"cpu"'),
    (".cuda()", ""),
    (".item()", ".sum()"),
    ("Base)", "torch.nn.Module)"),
    (": torch.Tensor", ": float"),
    ("smooth", "smoother"),
    ("False", "True"),
    ("step % 100 == 0", "step"),
    ("self.bias", "self.scale"),
    ("Net(width), Meter()", "Meter(), Net(width)"),
)
"""Replacements that change what other files see: devices, results, bases, annotations, names, frequencies."""

Edit = Callable[[Path, int], object]


def _lines(path: Path, change: Callable[[list[str], int], object], at: int) -> None:
    lines = path.read_text().splitlines()
    if lines:
        change(lines, at % len(lines))
        path.write_text("\n".join(lines) + "\n")


def insert(path: Path, at: int) -> None:
    _lines(path, lambda lines, row: lines.insert(row, "# a remark"), at)


def repeat(path: Path, at: int) -> None:
    _lines(path, lambda lines, row: lines.insert(row, lines[row]), at)


def delete(path: Path, at: int) -> None:
    _lines(path, lambda lines, row: lines.pop(row), at)


def break_syntax(path: Path, at: int) -> None:
    _lines(path, lambda lines, row: lines.insert(row, "def ("), at)


def change(path: Path, at: int) -> None:
    path.write_text(path.read_text().replace(*CHANGES[at % len(CHANGES)]))


def change_back(path: Path, at: int) -> None:
    old, new = CHANGES[at % len(CHANGES)]
    path.write_text(path.read_text().replace(new, old) if new else path.read_text())


def mend(path: Path, at: int) -> None:
    for name, text in FILES.items():
        if Path(name).name == path.name:
            path.write_text(text)


def rename(path: Path, at: int) -> None:
    path.rename(path.with_name(f"other{at % 3}.py"))


def move(path: Path, at: int) -> None:
    place = Path("pkg" if path.parent == Path() else "")
    path.rename(place / path.name)


def remove(path: Path, at: int) -> None:
    path.unlink()


EDITS: Final[tuple[Edit, ...]] = (
    *(insert, insert, repeat, delete, break_syntax, change, change, change_back, mend, mend, rename, move, remove),
)


@contextmanager
def project() -> Iterator[None]:
    """Stand in a new project, with a cache of its own."""
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        try:
            for name, text in FILES.items():
                Path(name).parent.mkdir(exist_ok=True)
                Path(name).write_text(text)
            Path("pyproject.toml").touch()
            yield
        finally:
            os.chdir(here)


def found(*arguments: str, named: Sequence[str] = (".",)) -> str:
    told = io.StringIO()
    with redirect_stdout(told):
        cli.main(["check", "--output-format", "json", "--select", "ALL", *named, *arguments], standalone_mode=False)
    return told.getvalue()


def in_memory(memory: Memory) -> tuple[Finding, ...]:
    own = find_settings(Path())
    rules = chosen_rules([own.layer], own.plugins)
    files = [File(str(path)) for path in sorted(Path().rglob("*.py"))]
    memories = {"analyses": memory.check, "connect": memory.connections, "remembered": memory.remembered}
    return run(files, own, rules, **memories).findings  # type: ignore[arg-type]


several_edits = given(
    st.lists(st.tuples(st.sampled_from(EDITS), st.integers(0, 5), st.integers(0, 30)), min_size=1, max_size=6)
)


@pytest.mark.parametrize("most_later", [0.5, 9])
@settings(deadline=None, max_examples=12, suppress_health_check=list(HealthCheck))
@several_edits
def test_runs_after_edits_find_what_runs_from_nothing_find(
    most_later: float, edits: list[tuple[Edit, int, int]]
) -> None:
    with project(), pytest.MonkeyPatch.context() as patch:
        patch.setattr("synclint.lint.run.known.MOST_LATER", most_later)
        found()
        for edit, number, at in edits:
            files = sorted(Path().rglob("*.py"))
            if files:
                edit(files[number % len(files)], at)
            assert found() == found("--no-cache")
        shutil.rmtree("pkg", ignore_errors=True)
        assert found() == found("--no-cache")


@pytest.mark.parametrize("metric", ["torchmetrics import MeanMetric", "torch.nn import ReLU as MeanMetric"])
@settings(deadline=None, max_examples=12, suppress_health_check=list(HealthCheck))
@several_edits
def test_runs_over_some_files_leave_the_others_to_later_runs(metric: str, edits: list[tuple[Edit, int, int]]) -> None:
    with project():
        data = Path("pkg/data.py")  # who makes metrics is told by others what becomes of them
        data.write_text(data.read_text().replace("torchmetrics import MeanMetric", metric))
        found()
        for edit, number, at in edits:
            files = sorted(Path().rglob("*.py"))
            if files:
                edit(files[number % len(files)], at)
            names = [str(path) for path in sorted(Path().rglob("*.py"))]
            named = [*{names[number % len(names)], names[at % len(names)]}] if names else ["."]
            assert found(named=named) == found("--no-cache", named=named)
        assert found() == found("--no-cache")


@settings(deadline=None, max_examples=12, suppress_health_check=list(HealthCheck))
@several_edits
def test_no_question_is_ruled_out_at_a_glance_that_a_closer_look_suspects(edits: list[tuple[Edit, int, int]]) -> None:
    wrong: list[Fact] = []
    among = Suspects.among

    def checked(self: Suspects, kind: str, subjects: Sequence[Subject]) -> Sequence[int]:
        places = [*among(self, kind, subjects)]
        rest = (fact_of(kind, subjects[at]) for at in {*range(len(subjects))}.difference(places))
        wrong.extend(each for each in rest if kind not in BY_CONTENT and self._may_differ(each))
        return places

    with project(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(Suspects, "among", checked)
        found()
        for edit, number, at in edits:
            files = sorted(Path().rglob("*.py"))
            if files:
                edit(files[number % len(files)], at)
            found()
            assert not wrong


@settings(deadline=None, max_examples=25, suppress_health_check=list(HealthCheck))
@several_edits
def test_runs_that_remember_those_before_in_memory_find_what_first_runs_find(
    edits: list[tuple[Edit, int, int]],
) -> None:
    with project():
        memory = Memory(None)
        in_memory(memory)
        for edit, number, at in edits:
            before = sorted(Path().rglob("*.py"))
            if before:
                edit(before[number % len(before)], at)
            if before != sorted(Path().rglob("*.py")):
                memory, remembered = Memory(None), memory.remembered
                memory.remembered = remembered
            assert in_memory(memory) == in_memory(Memory(None))
