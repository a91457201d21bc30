"""What a module defines twice: the first is read only if something may use it before the second stands."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from synclint.lint.finding import Finding

ONE = "def size(x: torch.Tensor):\n    return x.norm().item()\n"
TWO = "def size(x: torch.Tensor):\n    return x.abs().sum()\n"
USE = "def loss(x: torch.Tensor):\n    return size(x)\n"


@pytest.mark.parametrize(
    ("before", "between", "reported"),
    [
        ("", "", False),
        ("", USE, False),
        ("", "import math\nN = 3\n", False),
        ("", "print(3)\n", False),
        (USE, "\n", False),
        ("", "old = size\n", True),
        ("", f"{USE}register(loss)\n", True),
        (USE, "register(loss)\n", True),
        ("", "@wrap(size)\ndef other():\n    pass\n", True),
        ("@wrap\n", "", True),
        ("if True:\n    pass\n@torch.no_grad()\n", "", True),
    ],
)  # fmt: skip
def test_functions(linted: Callable[..., list[Finding]], before: str, between: str, reported: bool) -> None:
    found = linted(one=f"import torch\n{before}{ONE}{between}{TWO}")
    assert ([each.code for each in found] == ["SYNC101"]) is reported


@pytest.mark.parametrize("base", ["", "Net"])
def test_classes(linted: Callable[..., list[Finding]], base: str) -> None:
    first = "class Net:\n    def size(self, x: torch.Tensor):\n        return x.norm().item()\n"
    second = f"class Net({base}):\n    def other(self):\n        return 3\n"
    found = linted(one=f"import torch\n{first}{second}")
    assert [each.code for each in found] == ["SYNC101"] * bool(base)
