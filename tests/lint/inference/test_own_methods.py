"""What a class asks its own objects for is no method of a class that has nothing to do with it."""

from __future__ import annotations

from pathlib import Path

import pytest
from synclint.lint.finding import Level
from synclint.lint.run.engine import check_paths

MAIN = """
from pkg.model import Net

if __name__ == "__main__":
    net = Net().cuda()
    for batch in batches:
        net(batch.cuda())
"""
MODEL = """
import torch
from torch import nn
from .asking import *

class Net(nn.Module):
    def forward(self, x):
        return x

    def scores(self, x: torch.Tensor):
        return x.sum().item()
"""
HEAD = """
class Head:
    def forward(self, x):
        return self.scores(x)

    def scores(self, x):
        return x

print(Head().forward(1))
"""


@pytest.mark.parametrize(
    ("asking", "model", "is_uncalled"),
    [
        (HEAD, MODEL, True),
        (f"{HEAD}\nprint(thing.scores)\n", MODEL, False),
        (HEAD, MODEL.replace("(nn.Module)", "(Head)"), False),
        (HEAD, f"{MODEL}\nclass Both(Head, Net):\n    pass\n", False),
        (HEAD, MODEL.replace("return x\n", "return self.scores(x)\n"), False),
        (HEAD, MODEL.replace("(nn.Module)", "(elsewhere.Head)"), False),
        (HEAD.replace("class Head:", "class Head(made_of(Base)):"), MODEL, False),
        (HEAD.replace("print(", "    def __getattr__(self, name):\n        return 1\n\nprint("), MODEL, False),
        (HEAD.replace("return self", "self = self.net\n        return self"), MODEL, False),
        (
            HEAD.replace("def forward(self, x):", "class Inner:\n        def forward(self, x):\n    "),
            MODEL,
            False,
        ),
    ],
)
def test_what_a_class_asks_its_own_objects_for(
    asking: str, model: str, is_uncalled: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    files = {"pyproject.toml": "", "main.py": MAIN, "pkg/__init__.py": "", "pkg/model.py": model}
    for name, text in (files | {"pkg/asking.py": f"import torch\n{asking}"}).items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text)
    found = [each.frequency.level for each in check_paths(["."]) if "model" in each.span.filename]
    assert (found == [Level.UNCALLED]) is is_uncalled
