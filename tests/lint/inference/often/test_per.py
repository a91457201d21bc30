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


CHOSEN = """
class Chosen(torch.nn.Module):
    def __init__(self, whole):
        super().__init__()
        self.whole = whole

    def forward(self, x):
        if not self.whole:
            x = both(x)
        return x
"""


def test_of_modules_that_lead_to_a_line_the_one_is_told_whose_forward_hangs_on_less(
    linted: Callable[..., list[Finding]],
) -> None:
    [_, alone] = linted(train=NET.replace("def forward(self, x):\n        return both(x)", "pass") + CHOSEN)
    assert alone.frequency.words == "every forward of `Chosen` where `not self.whole`"
    [_, found] = linted(train=f"import torch\n{CHOSEN}\n{NET}")
    assert found.frequency.words == "every forward of `Net`"
