"""Modules that only code makes that exports models: they are traced, once."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from synclint.lint.finding import Finding

MODEL = """
import torch
from torch import nn

class Select(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x[x > 0]

class Head(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        return Select.apply(x)

class WithHead(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model, self.head = model, Head()

    def forward(self, x):
        return self.head(self.model(x)).sum().item()
"""
EXPORTS = """
import torch
from model import WithHead

def {name}(net, x):
    net = WithHead(net).cuda()
    net(x.cuda())
    torch.onnx.export(net, x.cuda(), "net.onnx")
"""


@pytest.mark.parametrize(
    ("name", "sources", "is_reported"),
    [
        ("export_onnx", {}, False),
        ("run", {}, True),
        ("export_onnx", {"other": EXPORTS.format(name="serve")}, True),
        ("export_onnx", {"other": "from model import Select\ndef serve(x):\n    return Select.apply(x)\n"}, True),
    ],
)
def test_what_only_an_export_makes_is_no_part_of_a_step(
    name: str, sources: dict[str, str], is_reported: bool, linted: Callable[..., list[Finding]]
) -> None:
    found = linted(model=MODEL, main=EXPORTS.format(name=name), **sources)
    assert any(each.span.filename == "model.py" for each in found) is is_reported


def test_what_makes_itself_is_not_exported_by_that(linted: Callable[..., list[Finding]]) -> None:
    text = MODEL.replace("class WithHead", "class Other").replace(
        "    def forward(self, x):\n        return self.head",
        "    @classmethod\n    def export_of(cls, model):\n        return cls.of(model)\n\n"
        "    @classmethod\n    def of(cls, model):\n        return Other(model)\n\n"
        "    def forward(self, x):\n        return self.head",
    )
    assert [each for each in linted(model=text) if each.name == "item-call"]
