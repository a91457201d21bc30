"""What is named as a mask and selects entries of a tensor is a mask, where nothing else is known of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from synclint.lint.finding import Finding

Lint = Callable[[str], list[Finding]]

HEAD = "import torch\nimport torch.nn.functional as F\n\n"


def rows(findings: list[Finding]) -> list[tuple[str, str]]:
    return [(finding.code, finding.severity.words) for finding in findings]


@pytest.mark.parametrize(
    "function",
    [
        "def loss(prediction: torch.Tensor, target, mask):\n    return (prediction - target)[mask].mean()",
        "def loss(out: torch.Tensor, data):\n    return F.nll_loss(out[data.train_mask], data.y)",
        "def pick(values, mask):\n    return values[mask]",
        "def loss(x: torch.Tensor, a_mask):\n    return x[:, ~a_mask].mean()",
        "def loss(x: torch.Tensor, a_mask, other):\n    return x[a_mask & other].mean()",
        "def loss(x: torch.Tensor, masks: list[torch.Tensor]):\n    return x[torch.cat(masks)].mean()",
        "def loss(x: torch.Tensor, mask):\n    return x[mask.view(-1)].mean()",
        "def loss(x: torch.Tensor, mask: torch.Tensor):\n    return x[mask].mean()",
        "def loss(x: torch.Tensor, masks: torch.Tensor):\n    mask_i = masks[:, 0]\n    return x[mask_i].mean()",
        "def loss(x: torch.Tensor, mask1):\n    return x[mask1].mean()",
    ],
)
def test_a_mask_by_its_name(lint_file: Lint, function: str) -> None:
    (finding,) = lint_file(HEAD + function)
    assert (finding.code, finding.severity.words) == ("SYNC203", "warning")
    assert any("selects entries of a tensor" in reason.message for reason in finding.reasons)


def test_in_a_module_a_mask_by_its_name_selects_entries_of_a_tensor_even_beside_arrays(lint_file: Lint) -> None:
    head = f"import numpy as np\n{HEAD}"
    forward = "def forward(self, data):\n        return data['a'].pos[:, data['a'].mask]\n"
    assert rows(lint_file(f"{head}class Net(torch.nn.Module):\n    {forward}")) == [("SYNC203", "warning")]
    assert rows(lint_file(f"{head}class Table:\n    {forward}")) == []


def test_a_mask_by_its_name_that_is_written_through(lint_file: Lint) -> None:
    function = "def fill(x: torch.Tensor, mask, other: torch.Tensor):\n    x[mask] = other\n    return x.sum()"
    assert rows(lint_file(HEAD + function)) == [("SYNC204", "warning")]


@pytest.mark.parametrize(
    "function",
    [
        "def pick(x: torch.Tensor, keep):\n    return x[keep].mean()",
        "def pick(x: torch.Tensor, mask_id):\n    return x[mask_id]",
        "def pick(masks, mask_name):\n    return masks[mask_name]",
        "def pick(x: torch.Tensor, mask):\n    return x[mask].mean()\n\npick(torch.ones(3), torch.tensor([0, 1]))",
        "def pick(x: torch.Tensor, mask: int):\n    return x[mask].mean()",
        "def pick(x: torch.Tensor, mask):\n    return x[mask.long()].mean()",
    ],
)
def test_what_else_is_known_comes_first(lint_file: Lint, function: str) -> None:
    assert rows(lint_file(HEAD + function)) == []


def test_what_a_comparison_on_the_device_selects_from_is_a_tensor(lint_file: Lint) -> None:
    others = enumerate(("{}", "3", "'a'", "[1]", "z"))
    kinds = "".join(f"    if kind == {at}:\n        y = {each}\n" for at, each in others)
    code = f"def pick(x: torch.Tensor, kind, z):\n{kinds}    return y["
    assert rows(lint_file(f"{HEAD}{code}x > 3]\n")) == [("SYNC203", "warning")]
    assert rows(lint_file(f"{HEAD}{code}torch.ones(3) > 3]\n")) == []
    assert rows(lint_file(f"{HEAD}{code}z > 3]\n")) == []
