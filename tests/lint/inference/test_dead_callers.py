"""What only code calls that nothing calls: methods of objects of which nothing is known, too."""

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

class Net(nn.Module):
    def forward(self, x):
        return x

    def scores(self, x: torch.Tensor):
        return x.sum().item()
"""
DEAD = "import torch\n\ndef ranked(net, x):\n    return net.scores(x)\n"


@pytest.mark.parametrize(
    ("more", "level"),
    [
        (DEAD, Level.UNCALLED),
        (f"{DEAD}\ndef sorted_by(net, x):\n    return ranked(net, x)\n", Level.UNCALLED),
        (f"{DEAD}\nfor batch in batches:\n    ranked(net, batch)\n", Level.EVERY_STEP),
        (f"{DEAD}\nfor batch in batches:\n    net.scores(batch)\n", Level.EVERY_STEP),
        (f"{DEAD}\nclass Head:\n    def scores(self, x):\n        pass\n\nprint(net.scores)\n", Level.EVERY_STEP),
    ],
)
def test_a_method_that_only_dead_code_calls(
    more: str, level: Level, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {"pyproject.toml": "", "main.py": MAIN, "pkg/__init__.py": "", "pkg/model.py": MODEL}.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text)
    Path("pkg/ranking.py").write_text(more)
    Path("rank.py").write_text("from pkg import ranking\nif __name__ == '__main__':\n    print(ranking)\n")
    assert [each.frequency.level for each in check_paths(["."]) if "model" in each.span.filename] == [level]
