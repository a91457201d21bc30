"""Which class an option chooses: by default that of its default, and another only where somebody asks for it."""

from __future__ import annotations

from pathlib import Path

import pytest
from synclint.lint.finding import Severity
from synclint.lint.run.engine import check_paths

PROGRAM = """
import argparse

import torch


class Plain(torch.nn.Module):
    def forward(self, x):
        return x[x > 0].sum()


class Fancy(torch.nn.Module):
    def forward(self, x):
        return x[x > 1].sum()


{helper}

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default={default!r})
    args = parser.parse_args()
    {made}
    model = model.cuda()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for step in range(1000):
        model(torch.ones(4, device="cuda")).backward()
        optimizer.step()


main()
"""
TABLE = 'MODELS = {"plain": Plain, "fancy": Fancy}'
BY_NAME = """
def by_name(name):
    if name == "plain":
        return Plain()
    return Fancy()
"""
BY_OPTIONS = """
def by_options(options):
    if options.model == "plain":
        return Plain()
    if options.model == "fancy":
        return Fancy()
    raise ValueError(options.model)
"""
CHOOSING = [
    ("", 'model = {"plain": Plain, "fancy": Fancy}[args.model]()'),
    (TABLE, "model = MODELS[args.model]()"),
    (TABLE, "model = MODELS.get(args.model)()"),
    (TABLE, "cls = MODELS[args.model]\n    model = cls()"),
    (BY_NAME, "model = by_name(args.model)"),
    (BY_OPTIONS, "model = by_options(args)"),
    ("", 'model = Fancy() if args.model == "fancy" else Plain()'),
]


@pytest.mark.parametrize(("helper", "made"), CHOOSING)
@pytest.mark.parametrize(("default", "on", "off"), [("plain", "x > 0", "x > 1"), ("fancy", "x > 1", "x > 0")])
def test_what_an_option_does_not_choose_by_default_is_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, helper: str, made: str, default: str, on: str, off: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("main.py").write_text(PROGRAM.format(helper=helper, made=made, default=default))
    found = {each.message.split("`")[1]: each for each in check_paths(["main.py"]) if each.code == "SYNC203"}
    assert found[f"x[{on}]"].frequency.conditions == ()
    assert found[f"x[{off}]"].frequency.off_by_default
    assert found[f"x[{off}]"].severity is Severity.NOTE


EITHER = """
import argparse


def looked_at(x, kind, flag):
    if kind == "a" or kind == "b":
        x.sum().item()
    if kind == "a" or kind == "c":
        x.max().item()
    if not (flag and kind == "c"):
        x.min().item()
    if flag or x.shape[0] > 3:
        x.mean().item()


def main(model, loader, optimizer):
    parser = argparse.ArgumentParser()
    parser.add_argument("--kind", default="c")
    parser.add_argument("--flag", action="store_true")
    args = parser.parse_args()
    for x in loader:
        loss = model(x.cuda())
        loss.backward()
        optimizer.step()
        looked_at(loss, args.kind, args.flag)
        if args.kind == "a" or args.kind == "b":
            loss.prod().item()
"""


def test_of_several_options_one_is_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("main.py").write_text(EITHER)
    found = {each.message.split("`")[1]: each.frequency for each in check_paths(["main.py"]) if each.code == "SYNC101"}
    asked = {quoted.split(".")[1]: (told.conditions, bool(told.off_by_default)) for quoted, told in found.items()}
    assert asked == {
        "sum()": (('kind == "a" or kind == "b"',), True),
        "max()": ((), False),
        "min()": ((), False),
        "mean()": (("flag or x.shape[0] > 3",), False),
        "prod()": (('args.kind == "a" or args.kind == "b"',), True),
    }
