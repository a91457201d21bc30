"""What stands for a step where none was seen: a module is called, a function whose callers are not known."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from synclint.lint.finding import Finding

NET = """
import torch

class Net(torch.nn.Module):
    def forward(self, x):
        return both(x)

def both(x):
    for _ in range(3):
        x = x + torch.zeros(3).to(x.device)
    return x + torch.ones(3).to(x.device)
"""
SEEN = f"""{NET}
for x in torch.utils.data.DataLoader(range(9)):
    both(x.cuda())
"""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (NET, ["every pass of a loop in a forward of `Net`", "every forward of `Net`"]),
        (SEEN, ["every pass of a loop in a step", "every step"]),
        ("import torch\ndef both(x: torch.Tensor):\n    return x.item()", ["every call of `both`"]),
        (
            "import torch\nclass Loss:\n    def __call__(self, x: torch.Tensor):\n        return x.item()",
            ["every call of a `Loss`"],
        ),
        (
            "import torch\ndef both(x: torch.Tensor):\n    if step % 9 == 0:\n        return x.item()",
            ["every N steps (assumed)"],
        ),
    ],
)
def test_words(text: str, words: list[str], linted: Callable[..., list[Finding]]) -> None:
    in_functions = (each for each in linted(train=text) if each.scope)
    assert [each.frequency.words for each in in_functions] == words
