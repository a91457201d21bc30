"""What the calls of a program pass, from one function to the next: a branch that no call leads to never runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from synclint.lint.finding import Level
from synclint.lint.run.engine import check_paths

PARTS = """
import torch
from torch import nn

def masked(x, mask=None):
    if mask is None:
        print(x.sum().item())
    return x if mask is None else x * mask

class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(3, 3)

    def forward(self, x, mask=None, names=()):
        if names:
            print(x.max().item())
        return self.out(masked(x, mask))
"""
NET = """
import torch
from torch import nn
from parts import Decoder

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        {made}

    def forward(self, x, length):
        mask = torch.arange(3, device=x.device) < length
        mask = mask.to(x.dtype)
        return {called}
"""
MAIN = """
import torch
from net import Net

if __name__ == "__main__":
    net = Net().cuda()
    for batch in torch.utils.data.DataLoader([1]):
        net(batch.cuda(), 2)
"""


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    monkeypatch.chdir(tmp_path)


def found(made: str, called: str, **others: str) -> dict[str, Level]:
    """How often each line that prints a value runs, by what it prints."""
    files = {"parts": PARTS, "net": NET.format(made=made, called=called), "main": MAIN}
    for name, text in {**files, **others}.items():
        file = Path(f"{name}.py")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    lines = PARTS.split("\n")
    told = [each for each in check_paths(["."]) if each.span.filename == "parts.py"]
    return {lines[each.span.row - 1].strip()[6:-8]: each.frequency.level for each in told}


ALONE = "self.decoder = Decoder()"


def test_a_mask_that_each_call_passes_on_is_never_missing() -> None:
    told = found(ALONE, "self.decoder(x, mask)")
    assert told["x.sum()"] is Level.UNCALLED
    assert told["x.max()"] is Level.UNCALLED


@pytest.mark.parametrize(
    ("made", "called"),
    [
        (ALONE, "self.decoder(x)"),
        (ALONE, "self.decoder(x, mask if length else None)"),
        (ALONE, "self.decoder(x, self.masks.get(length))"),
        (ALONE, "self.decoder(x, mask) + self.decoder(x, None)"),
        ("self.decoders = {'a': Decoder()}", "choose(self.decoders)(x, mask)"),
    ],
)
def test_one_that_may_be_missing(made: str, called: str) -> None:
    assert found(made, called)["x.sum()"] is Level.EVERY_STEP


IN_LOOP = """self.run(x, mask)

    def run(self, x, mask):
        {loop}:
            x = {call}(x, mask)
        return x"""


@pytest.mark.parametrize(
    "made",
    [
        "self.parts = nn.ModuleList([Decoder(), Decoder()])",
        "self.parts = nn.ModuleList(Decoder() for _ in range(3))",
        "self.parts = nn.ModuleList()\n        for _ in range(3):\n            self.parts.append(Decoder())",
        "parts = [nn.Linear(3, 3)]\n        parts.append(Decoder())\n        self.parts = nn.ModuleList(parts)",
    ],
)
@pytest.mark.parametrize(
    ("loop", "call"),
    [
        ("for part in self.parts", "part"),
        ("for at, part in enumerate(self.parts)", "part"),
        ("for part in reversed(self.parts)", "part"),
        ("for at in range(2)", "self.parts[at]"),
        ("for part in self.parts[1:]", "part"),
    ],
)
def test_modules_in_a_list_are_called_with_what_each_pass_gives(made: str, loop: str, call: str) -> None:
    assert found(made, IN_LOOP.format(loop=loop, call=call))["x.sum()"] is Level.UNCALLED
    assert (
        found(made, IN_LOOP.format(loop=loop, call=f"{call}(x) if length else {call}"))["x.sum()"] is Level.EVERY_PASS
    )


@pytest.mark.parametrize(
    ("made", "called"),
    [
        ("self.parts = nn.ModuleDict({'a': Decoder()})", "self.parts['a'](x, mask)"),
        ("self.parts = nn.ModuleDict()\n        self.parts['a'] = Decoder()", "self.parts[str(length)](x, mask)"),
        ("self.parts = nn.ModuleDict({'a': Decoder()})", "next(iter(self.parts.values()))(x, mask)"),
        (
            "self.parts = nn.ModuleList([nn.ModuleList([Decoder()])])",
            "[f(x, mask) for each in self.parts for f in each]",
        ),
    ],
)
def test_modules_in_other_containers(made: str, called: str) -> None:
    assert found(made, called)["x.sum()"] is Level.UNCALLED
    assert found(made, called.replace(", mask", ""))["x.sum()"] >= Level.EVERY_STEP


def test_modules_in_a_list_that_a_base_class_makes() -> None:
    base = """
from torch import nn
from parts import Decoder

class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleList([Decoder()])
"""
    net = NET.replace("nn.Module)", "Base)").replace("parts import Decoder", "base import Base")
    for call, level in (("part(x, mask)", Level.UNCALLED), ("part(x)", Level.EVERY_PASS)):
        own = net.format(made="", called=f"[{call} for part in self.parts]")
        assert found("", "", base=base, net=own)["x.sum()"] is level


def test_another_module_may_call_it_otherwise() -> None:
    other = "from parts import Decoder\n\nclass Two:\n    def __init__(self, run):\n        run(Decoder())\n"
    assert found(ALONE, "self.decoder(x, mask)", other=other)["x.sum()"] is Level.EVERY_STEP


TRAINERS = """
class Trainer:
    def __init__(self, model):
        self.model = model

    def train(self, batches):
        for batch in batches:
            loss = self.step(batch)
            loss.backward()

    def step(self, batch):
        loss = self.model(batch.cuda())
        print(loss.item())
        return loss

class One(Trainer):
    def step(self, batch):
        {body}

class Two(One):
    pass
"""


@pytest.mark.parametrize(
    ("body", "made", "level"),
    [
        ("return self.model(batch).sum()", "Two", Level.UNCALLED),
        ("return super().step(batch)", "Two", Level.EVERY_STEP),
        ("return self.model(batch).sum()", "Trainer", Level.EVERY_STEP),
    ],
)
def test_a_method_that_all_objects_replace_never_runs(body: str, made: str, level: Level) -> None:
    trainers = TRAINERS.format(body=body)
    main = f"import torch\nfrom parts import {made}\n\nif __name__ == '__main__':\n    {made}(make()).train(load())\n"
    for name, text in {"parts": trainers, "main": main, "other": ""}.items():
        file = Path(f"{name}.py")
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    [told] = [each for each in check_paths(["."]) if each.code == "SYNC101"]
    assert told.frequency.level is level


RANGES = """
import torch

def positions(lengths, longest=None):
    if longest is None:
        longest = lengths.max()
    return torch.arange(longest, device=lengths.device)
"""
READING = """
import torch
from torch import nn
from ranges import positions

class Net(nn.Module):
    def forward(self, x, lengths):
        return x + positions({given})

if __name__ == "__main__":
    net = Net().cuda()
    for x, lengths in torch.utils.data.DataLoader([1]):
        net(x.cuda(), lengths.cuda())
"""


@pytest.mark.parametrize(
    ("given", "level"),
    [
        ("lengths, x.shape[1]", Level.UNCALLED),
        ("lengths, longest=7", Level.UNCALLED),
        ("lengths", Level.EVERY_STEP),
        ("lengths, lengths.max()", Level.EVERY_STEP),
    ],
)
def test_what_one_branch_gives_is_waited_for_if_a_call_leads_there(given: str, level: Level) -> None:
    Path("ranges.py").write_text(RANGES)
    Path("main.py").write_text(READING.format(given=given))
    [read] = [each for each in check_paths(["."]) if each.code == "SYNC109"]
    assert read.frequency.level is level
    assert read.frequency.conditions == ()


LENGTHS = """
import torch
from torch import nn

class Lengths(nn.Module):
    def _predict(self, x, final=False):
        if final:
            print(x.sum().item())
        return x

    def forward(self, x):
        return self._predict(x)

    def final(self, x):
        return self._predict(x, True)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lengths = Lengths()

    def forward(self, x, known=None):
        return self.lengths(x) if known is not None else self.lengths.final(x)
"""


def test_only_calls_that_pass_what_is_needed_tell_their_conditions() -> None:
    Path("net.py").write_text(LENGTHS)
    Path("main.py").write_text(MAIN.replace("net(batch.cuda(), 2)", "net(batch.cuda())"))
    (told,) = [each for each in check_paths(["."]) if each.code == "SYNC101"]
    assert (told.frequency.words, told.frequency.conditions) == ("every step", ())
