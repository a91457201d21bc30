"""The choices that reports name: in their words, and along the calls that lead to a line."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import pytest
from synclint.lint.files.source import Source, parse
from synclint.lint.finding import Level
from synclint.lint.inference.often.conditions import all_of, common, shared
from synclint.lint.inference.reading.interpreter import analyse
from synclint.lint.limits import MOST_CONDITIONS
from synclint.lint.run.engine import check_paths

CALLER = """
from helpers import read

def train(cfg, args, model, loader):
    model.cuda()
    if cfg.train and cfg.gan:
        if cfg.warm:
            model.half()
        for batch in loader:
            loss = model(batch.cuda()).sum()
            loss.backward()
            {call}
"""
HELPERS = """
def read(value, ignore=None):
    if ignore is not None:
        value.tolist()
    return value.item()
"""


def conditions(call: str, **files: str) -> dict[str, tuple[str, ...]]:
    """What the lines of a function that another file calls hang on, by the method that waits."""
    Path("pyproject.toml").touch()
    Path("train.py").write_text(CALLER.format(call=call))
    for name, text in ({"helpers": HELPERS} | files).items():
        Path(f"{name}.py").write_text(text)
    found = check_paths(["."])
    return {each.statement.rpartition(".")[2]: each.frequency.conditions for each in found if "value" in each.statement}


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_those_of_a_call_come_after_those_of_the_line() -> None:
    assert conditions("if args.log_all or cfg.aux: read(loss, 1)") == {
        "tolist()": ("args.log_all or cfg.aux", "cfg.gan"), "item()": ("args.log_all or cfg.aux", "cfg.gan")
    }  # fmt: skip
    assert conditions("if cfg.aux: read(loss, 1)") == {
        "tolist()": ("cfg.aux", "cfg.gan"), "item()": ("cfg.aux", "cfg.gan")
    }  # fmt: skip


def test_what_no_call_passes_is_passed_by_others_if_at_all() -> None:
    text = f"import torch\n{HELPERS.replace('value,', 'value: torch.Tensor,')}"
    conditions("if cfg.aux: read(loss)", helpers=text)
    found = {each.statement: each.frequency.words for each in check_paths(["."]) if each.span.filename == "helpers.py"}
    assert found["value.tolist()"] == "every call of `read` where `ignore is not None` (off by default)"
    assert found["return value.item()"] == "every step where `cfg.aux` and `cfg.gan`"


def test_a_call_without_conditions_takes_away_those_of_others() -> None:
    assert conditions("if cfg.aux: read(loss)\n            read(loss)")["item()"] == ("cfg.gan",)


def test_of_calls_that_ask_different_things_one_is_told_with_others() -> None:
    one = "if cfg.aux: read(loss)\n            "
    assert conditions(f"{one}if args.x: read(loss)")["item()"] == ("`args.x` or others", "cfg.gan")
    assert conditions(f"{one}if x.y == 1 and z: read(loss)")["item()"] == ("`cfg.aux` or others", "cfg.gan")
    assert shared([("a", "x", "z"), ("b", "c", "x", "z", "y")]) == ("`a` or others", "x", "z")
    assert shared([("a", "b", "`B` is chosen"), ("c", "d", "e", "f")]) == ("`a` and `b` or others",)
    assert shared([("`B` is chosen", "x"), ("`C` is chosen", "x")]) == ("x",)
    assert shared([("a is None and b", "x"), ("not (a is None and b)", "x")]) == ("x",)


def test_what_equals_one_text_on_one_way_is_not_what_the_other_rules_out() -> None:
    assert shared([("k == 'b'",), ("k != 'b'", "k != 'a'")]) == ("k != 'a'",)
    assert shared([("k != 'a'",), ("k == 'b'",)]) == ("k != 'a'",)
    assert shared([("k == 'a'",), ("k != 'a'",)]) == ()
    assert shared([("k == n or m",), ("k != 2",)]) == ("`k != 2` or others",)


def test_calls_of_a_module_that_are_not_seen_may_ask_for_something_else() -> None:
    assert common(("k == 'b'", "x"), ("k != 'a'", "x")) == ("x",)
    assert shared([("a", "x"), ("x", "not a")]) == ("x",)


REGISTERED = """
import torch
from torch import nn
import registry
from registry import register_loss

{0}
"""
LOSS = "def loss(value: torch.Tensor):\n    return value.item()\n"
NET = "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n\n    def forward(self, value):\n"
NET += "        return value.item()\n"


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        (f"@register_loss('l1')\n{LOSS}", "`register_loss('l1')` is chosen"),
        (f"@registry.LOSSES.register('l1')\n{LOSS}", "`registry.LOSSES.register('l1')` is chosen"),
        (f"{LOSS}register_loss('l1', loss)", "`register_loss('l1')` is chosen"),
        (f"{LOSS}LOSSES = {{'l1': loss}}", "`LOSSES['l1']` is chosen"),
        (f"@register_loss('net')\n{NET}", "`register_loss('net')` is chosen"),
        (f"@register_loss('net')\n{NET}\nNet()", ""),
        (f"@register_loss('l1')\n{LOSS}\ndef other(x):\n    return loss(x)", ""),
        (f"{LOSS}LOSSES = {{'l1': loss}}\nfor name, each in LOSSES.items(): each()", ""),
        (f"@registry.cached('l1')\n{LOSS}", ""),
        (f"@registry.NETS.register_module()\n{NET}", '`registry.NETS.register_module("Net")` is chosen'),
        (f"@registry.NETS.register(force=True)\n{NET}", '`registry.NETS.register("Net")` is chosen'),
        (f"@registry.NETS.register_module()\n{NET}\nNet()", ""),
        (f"@registry.register(registry.Base)\n{NET}", ""),
        (f"@registry.cached()\n{NET}", ""),
    ],
)
def test_what_only_a_configuration_chooses_says_so(text: str, chosen: str) -> None:
    found = conditions("pass", losses=REGISTERED.format(text), more=REGISTERED.format(text))
    assert found["item()"] == ((chosen,) if chosen else ())


def test_the_only_one_in_a_registry_is_no_choice() -> None:
    assert conditions("pass", losses=REGISTERED.format(f"@register_loss('l1')\n{LOSS}"))["item()"] == ()


HEAD = """
import torch

class Head(torch.nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = size

    def forward(self, x):
        value = x.sum()
        return value.item()
"""
OTHER = """
class Other(Head):
    def __init__(self):
        super().__init__(2)
"""


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("head = Head(3)", ()),
        ("if cfg.head: head = Head(3)", ("cfg.head",)),
        ("head = Head(3) if cfg.head else None", ("cfg.head",)),
        ("if cfg.head and cfg.big: head = Head(4)\n    elif cfg.head: head = Head(3)", ("cfg.head",)),
        ("if cfg.head: head = Head(3)\n    other = Other()", ()),
        ("if cfg.head: head = Head(3)\n    if cfg.other: other = Other()", ("`Head` is chosen",)),
        ("if cfg.head: head = Head(3)\n    if not cfg.head: head = Head(4)", ()),
        ("if cfg.head == 'a': head = Head(3)\n    if cfg.head != 'a': head = Head(4)", ()),
        ("if cfg.head: head = Head(3)\n    others = [Other]", ()),
        ("heads = {'a': Head(3), 'b': torch.nn.ReLU()}\n    head = heads[cfg.name]", ("`heads['a']` is chosen",)),
        ("heads = {'a': Head(3), 'b': torch.nn.ReLU()}\n    head = heads['a']", ()),
        (
            "heads = {'a': Head(3), 'b': torch.nn.ReLU()}\n    for name in heads: print(heads[name])",
            (),
        ),
    ],
)
def test_objects_that_are_made_where_that_is_chosen(text: str, where: tuple[str, ...]) -> None:
    main = f"from helpers import Head, Other\n\ndef build(cfg):\n    {text}\n    return head\n"
    helpers = f"{HEAD}{OTHER if 'Other' in text else ''}"
    assert conditions("pass", helpers=helpers, main=main)["item()"] == where


SCRIPT = """
import torch

def kept(value, ignore=None, deep=False):
    if ignore is not None:
        value.tolist()
    if ignore is None:
        value.cpu()
    if deep:
        value.item()
{}
if __name__ == "__main__":
    kept(torch.ones(3).cuda())
    model = torch.nn.Linear(3, 3).cuda()
    for batch in torch.utils.data.DataLoader([1]):
        loss = model(batch.cuda()).sum()
        loss.backward()
        {}
"""
UNCALLED, STEP = Level.UNCALLED, Level.EVERY_STEP


@pytest.mark.parametrize(
    ("more", "call", "levels"),
    [
        ("", "kept(loss)", {"tolist()": UNCALLED, "cpu()": STEP, "item()": UNCALLED}),
        ("", "kept(loss, loss)", {"tolist()": STEP, "item()": UNCALLED}),
        ("", "kept(loss, unknown, True)", {"tolist()": STEP, "cpu()": STEP, "item()": STEP}),
        ("", "kept(loss); kept(loss, deep=True)", {"tolist()": UNCALLED, "cpu()": STEP, "item()": STEP}),
        ("TABLE = {'a': kept}", "kept(loss)", {"tolist()": STEP, "cpu()": STEP, "item()": STEP}),
        ("run(kept)", "kept(loss)", {"tolist()": STEP, "cpu()": STEP, "item()": STEP}),
        ("globals()[name]()", "kept(loss)", {"tolist()": STEP, "cpu()": STEP, "item()": STEP}),
    ],
)
def test_conditions_that_no_call_meets(more: str, call: str, levels: dict[str, Level]) -> None:
    Path("other.py").touch()
    Path("main.py").write_text(SCRIPT.format(more, call))
    found = check_paths(["."])
    told = {each.statement.rpartition(".")[2]: each.frequency.level for each in found if "value" in each.statement}
    assert told == levels


REDUCING = """
import torch

def top(value, reduction="mean"):
    if reduction == "mean":
        return value.item()
    if reduction == "none":
        return value.tolist()
    return value.cpu()

if __name__ == "__main__":
    model = torch.nn.Linear(3, 3).cuda()
    for batch in torch.utils.data.DataLoader([1]):
        loss = model(batch.cuda()).sum()
        loss.backward()
        {}
"""


@pytest.mark.parametrize(
    ("call", "levels"),
    [
        ("top(loss)", (STEP, UNCALLED, UNCALLED)),
        ('top(loss, "none")', (UNCALLED, STEP, UNCALLED)),
        ("top(loss, None)", (UNCALLED, UNCALLED, STEP)),
        ("top(loss); top(loss, reduction='sum')", (STEP, UNCALLED, STEP)),
        ("top(loss, sys.argv[1])", (STEP, STEP, STEP)),
    ],
)
def test_texts_that_no_call_passes(call: str, levels: tuple[Level, ...]) -> None:
    Path("other.py").touch()
    Path("main.py").write_text(REDUCING.format(call))
    found = [each for each in check_paths(["."]) if "value" in each.statement]
    assert tuple(each.frequency.level for each in sorted(found, key=lambda each: each.span.row)) == levels


LOOKED_UP = """
import torch

def mean(value):
    return value.item()

def every(value):
    return value.tolist()

def total(value):
    return value.cpu()

def top(value, reduction="mean"):
    table = {{"mean": mean, "none": every, "sum": total}}
    return table[reduction](value)

if __name__ == "__main__":
    model = torch.nn.Linear(3, 3).cuda()
    for batch in torch.utils.data.DataLoader([1]):
        loss = model(batch.cuda()).sum()
        loss.backward()
        {}
"""


@pytest.mark.parametrize(
    ("call", "levels"),
    [
        ("top(loss)", (STEP, UNCALLED, UNCALLED)),
        ('top(loss, "none")', (UNCALLED, STEP, UNCALLED)),
        ("top(loss); top(loss, reduction='sum')", (STEP, UNCALLED, STEP)),
        ("top(loss, sys.argv[1])", (STEP, STEP, STEP)),
    ],
)
def test_keys_that_no_call_passes(call: str, levels: tuple[Level, ...]) -> None:
    Path("other.py").touch()
    Path("main.py").write_text(LOOKED_UP.format(call))
    found = [each for each in check_paths(["."]) if "value" in each.statement]
    assert tuple(each.frequency.level for each in sorted(found, key=lambda each: each.span.row)) == levels


NET = """
class Net(torch.nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg, self.head = cfg, Head(3)

    def forward(self, x):
        {}
"""


@pytest.mark.parametrize(
    ("text", "level", "where"),
    [
        ("return self.head(x)", Level.EVERY_STEP, ()),
        ("return self.head(x) if self.cfg.head else x", Level.EVERY_STEP, ("self.cfg.head",)),
        ("if not self.training: return self.head(x)", Level.EVALUATION, ()),
        ("return self.head(x) if self.training else self.head(x + 1)", Level.EVERY_STEP, ()),
        ("return self.head(x) + run(self.head)", Level.EVERY_STEP, ()),
    ],
)
def test_a_module_that_another_one_calls(text: str, level: Level, where: tuple[str, ...]) -> None:
    Path("net.py").write_text(HEAD + NET.format(text))
    (found,) = check_paths(["net.py"])
    assert (found.frequency.level, found.frequency.conditions) == (level, where)


def test_a_call_that_runs_less_often_takes_nothing_away() -> None:
    less = "import torch\nfrom helpers import read\nread(torch.ones(3).cuda())\n"
    assert conditions("if cfg.aux: read(loss)", more=less)["item()"] == ("cfg.aux", "cfg.gan")


@pytest.mark.parametrize(
    ("inner", "outer", "both"),
    [
        (("a",), (), ("a",)),
        (("a",), ("b", "a"), ("a", "b")),
        (("x == 1",), ("x != 2", "xy != 3"), ("x == 1", "xy != 3")),
        (("a", "b"), ("c", "d", "e", "f"), ("a", "b", "c", "d", "e")),
    ],
)
def test_conditions_that_must_hold_together(
    inner: tuple[str, ...], outer: tuple[str, ...], both: tuple[str, ...]
) -> None:
    assert all_of(inner, outer) == both
    assert len(both) <= MOST_CONDITIONS


def test_what_was_read_is_free_at_once() -> None:
    source = parse(b"def f(x, cfg):\n    return x.item() if cfg.late else x.cpu() if cfg.soon else 0\n", "m.py")
    assert isinstance(source, Source)
    tree = weakref.ref(source.tree)
    gc.disable()
    try:
        assert analyse(source).operations
        del source
        assert tree() is None
    finally:
        gc.enable()


MAKER = """
from helpers import Head

def build(x):
    head = Head(3)
    return head(x)
"""


@pytest.mark.parametrize(
    ("other", "where"),
    [
        ("", ("cfg.prompts",)),
        ("def again(x):\n    return build(x)\n", ()),
        (
            "def more(x, cfg):\n    if cfg.prompts:\n        again(x)\ndef again(x):\n    return build(x)\n",
            ("cfg.prompts",),
        ),
    ],
)
def test_objects_are_made_wherever_their_maker_is_called(other: str, where: tuple[str, ...]) -> None:
    main = f"""
from maker import build

def train(cfg, model, loader):
    for step, batch in enumerate(loader):
        model(batch).sum().backward()
        if cfg.prompts and step % 100 == 0:
            build(batch)

{other}
"""
    assert conditions("pass", helpers=HEAD, maker=MAKER, main=main)["item()"] == where


MODULE = """
import torch

class Net(torch.nn.Module):
    def forward(self, x):
        if self.training and not self.is_eval:
            value = x.sum()
            value.item()
        return x
"""
STEPS = """
import torch

def run(loader, args, model):
    for x in loader:
        if args.train:
            value = model(x.cuda()).sum()
            value.backward()
            value.item()
"""


def test_a_flag_of_training_is_told_where_no_step_was_seen() -> None:
    assert conditions("pass", net=MODULE)["item()"] == ("self.training", "not self.is_eval")
    assert conditions("pass", run=STEPS)["item()"] == ()


@pytest.mark.parametrize(
    ("asked", "where"),
    [
        ("not args.training or args.predicts", ("not args.training or args.predicts",)),
        ("args.training or args.predicts", ()),
        ("not (args.skips and not args.training)", ()),
        ("not (args.training and args.skips)", ("not (args.training and args.skips)",)),
    ],
)
def test_in_a_step_of_training_that_alone_is_enough(asked: str, where: tuple[str, ...]) -> None:
    steps = STEPS.replace("        if args.train:", f"        if {asked}:")
    assert conditions("pass", run=steps)["item()"] == where


def test_that_a_script_makes_a_module_only_to_train_goes_without_saying() -> None:
    made = "from net import Net\nif args.train:\n    net = Net(2)\n    net(x)\n"
    net = MODULE.replace("self.training and not self.is_eval", "self.deep")
    net = net.replace("    def forward", "    def __init__(self, n):\n        super().__init__()\n\n    def forward")
    assert conditions("pass", net=net, made=made)["item()"] == ("self.deep",)
