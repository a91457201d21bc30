"""Programs that a fix has broken once: each stands for a kind."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]

LOADER = """\
import torch
from torch.utils.data import DataLoader, TensorDataset


def train(net, x, y):
    for a, b in DataLoader(TensorDataset(x, y), batch_size=4):
        (net(a.to("cuda")) - b.to("cuda")).sum().backward()


{calls}
"""
HOST, DEVICE, OPEN = (
    "train(net, torch.ones(8, 3), torch.ones(8, 1))",
    'train(net, torch.ones(8, 3, device="cuda"), torch.ones(8, 1))',
    "train(net, *given())",
)
PINNED = "batch_size=4, pin_memory=torch.cuda.is_available()"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _fixed(program: str, run: Run, *options: str) -> str:
    Path("a.py").write_text(program, encoding="utf-8")
    run("--fix", "--quiet", "--show-notes", *options, "a.py")
    return Path("a.py").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("calls", "safe", "unsafe"),
    [
        ([HOST], False, True),
        ([HOST, OPEN], False, True),
        ([OPEN], False, True),
        ([HOST, DEVICE], False, True),
        ([DEVICE], False, False),
    ],
)
def test_only_data_seen_on_the_host_is_pinned(calls: list[str], safe: bool, unsafe: bool, run: Run) -> None:
    program = LOADER.format(calls="\n".join(calls))
    assert (PINNED in " ".join(_fixed(program, run).split())) == safe
    assert (PINNED in " ".join(_fixed(program, run, "--unsafe-fixes").split())) == unsafe


def test_what_is_made_beside_the_loader_is_seen_on_the_host(run: Run) -> None:
    made = "    x = torch.ones(8, 3)\n    y = torch.ones(8, 1)\n"
    program = LOADER.format(calls="").replace("(net, x, y):\n", f"(net):\n{made}")
    assert PINNED in " ".join(_fixed(program, run).split())
    elsewhere = program.replace("import torch\n", 'import torch\n\ntorch.set_default_device("cuda")\n', 1)
    assert "pin_memory" not in _fixed(elsewhere, run)


def test_a_data_set_of_ones_own_may_return_what_is_on_the_device(run: Run) -> None:
    program = LOADER.format(calls=HOST).replace("TensorDataset(x, y)", "Own(x, y)")
    assert PINNED not in _fixed(program, run)
    assert PINNED in _fixed(program, run, "--unsafe-fixes")


@pytest.mark.parametrize("maker", ["as_tensor", "asarray"])
@pytest.mark.parametrize("annotation", ["torch.Tensor | np.ndarray", "float | torch.Tensor"])
def test_what_may_be_a_tensor_is_not_just_created_on_the_host(maker: str, annotation: str, run: Run) -> None:
    program = f"""\
import numpy as np
import torch


def up(data: {annotation}):
    return torch.{maker}(data).cuda()


def train(loader, model):
    for batch in loader:
        model(up(batch.pin_memory())).sum().backward()
"""
    assert _fixed(program, run) == program
    assert "error" not in run("a.py")[1]
    with_array = program.replace(annotation, "np.ndarray").replace("up(batch.pin_memory())", "up(batch.numpy())")
    assert "non_blocking=True" in _fixed(with_array, run, "--unsafe-fixes")


TARGETS = {
    "device: torch.device": 'device.type == "cuda"',
    "device": 'torch.device(device).type == "cuda"',
    "device: str": 'torch.device(device).type == "cuda"',
    "device='cuda'": 'torch.device(device).type == "cuda"',
}


@pytest.mark.parametrize(("parameter", "test"), TARGETS.items())
def test_the_target_is_asked_whether_it_is_cuda(parameter: str, test: str, run: Run) -> None:
    program = f"import torch\n\n\ndef train(loader, {parameter}):\n    for x in loader:\n        x = x.to(device)\n"
    assert f"        x = x.to(device, non_blocking={test})\n" in _fixed(program, run, "--unsafe-fixes")


NOT_ASKED = ["device=None", "device: torch.device = None", "device: torch.device | None"]
"""Parameters of which nothing says that they are no None, which `.to` takes and `torch.device` does not."""


@pytest.mark.parametrize("made", ["torch.tensor([1, 2]).to({})", "torch.tensor([1, 2], device={})"])
def test_a_device_that_may_be_none_is_asked_by_no_safe_fix(made: str, run: Run) -> None:
    program = "import torch\n\n\ndef train(loader, {}):\n    for x in loader:\n        y = {}\n"
    for parameter in (*NOT_ASKED, "device"):
        text = program.format(parameter, made.format("device"))
        assert _fixed(text, run) == text, parameter
    for parameter in NOT_ASKED[:2]:
        assert "device).type" not in _fixed(program.format(parameter, made.format("device")), run, "--unsafe-fixes")
    assert "torch.device(device)" in _fixed(program.format("device", made.format("device")), run, "--unsafe-fixes")
    for parameter in ("device: str", "device: torch.device"):
        assert 'type == "cuda"' in _fixed(program.format(parameter, made.format("device")), run)


def test_an_attribute_that_is_set_to_none_somewhere_is_not_asked(run: Run) -> None:
    program = """\
import torch


class Attack:
    def __init__(self, model):
        self.device = None


def step(loader, attack):
    for x in loader:
        y = torch.tensor([1, 2]).to(attack.device)
        x.cuda() * y
"""
    assert "type ==" not in _fixed(program, run, "--unsafe-fixes")
    assert "torch.device(attack.device).type" in _fixed(program.replace("None", "'cpu'"), run, "--unsafe-fixes")


def test_of_two_copies_in_a_tuple_both_are_told_not_to_wait(run: Run) -> None:
    program = """\
import torch


def train(model, device, train_loader, optimizer, criterion):
    for batch_number, (data, target) in enumerate(train_loader):
        data, target = data.to(device), target.to(device)
        criterion(model(data), target).backward()
        optimizer.step()
"""
    fixed = _fixed(program, run, "--unsafe-fixes")
    assert fixed.count("non_blocking") == 2
    assert max(map(len, fixed.splitlines())) <= 88


@pytest.mark.parametrize("given", ["'cuda'", "'cpu'", "0", "torch.device('cpu')"])
def test_the_question_can_be_asked_of_all_that_names_a_device(given: str) -> None:
    import torch

    if given == "0":
        pytest.skip("a number names a GPU, and raises without one before and after")
    device = eval(given, {"torch": torch})
    assert (torch.device(device).type == "cuda") == ("cuda" in given)


def test_lines_stay_within_the_formatters_width(run: Run) -> None:
    program = """\
import torch


def train(loader, model, criterion, device: torch.device):
    for images, labels_of_images in loader:
        loss = criterion(model(images.to(device)), labels_of_images.to(device))
        loss.backward()
        images_on_the_device_by_a_long_name = images.to(device)  # and a comment
"""
    fixed = _fixed(program, run, "--unsafe-fixes")
    assert "non_blocking" in fixed
    assert max(map(len, fixed.splitlines())) <= 88
    wide = program + f"\n\nwidth = {' + '.join(['1'] * 30)}\n"
    assert max(map(len, _fixed(wide, run, "--unsafe-fixes").splitlines())) > 88


@pytest.mark.parametrize(("length", "lines"), [(88, 1), (89, 3)])
def test_a_line_may_be_as_long_as_the_formatter_allows(run: Run, length: int, lines: int) -> None:
    head, tail = "        ", ' = x.to(device, non_blocking=device.type == "cuda")\n'
    name = "y" * (length + 1 - len(head + tail))
    program = "import torch\n\n\ndef train(loader, device: torch.device):\n    for x in loader:\n"
    program += f"{head}{name} = x.to(device)\n"
    fixed = _fixed(program, run, "--unsafe-fixes")
    assert len(fixed.splitlines()) == len(program.splitlines()) - 1 + lines
    assert (head + name + tail in fixed) == (lines == 1)


def test_what_is_made_of_a_creation_is_created_on_the_device(run: Run) -> None:
    program = """\
import torch


def step(loader, n: int, device: torch.device):
    for x in loader:
        a = torch.triu(torch.ones(n, n), diagonal=1).to(device)
        b = torch.zeros(n)[None].unsqueeze(0).bool().cuda()
        c = torch.rand(n).cos().cuda()
        d = torch.arange(4).view(1, -1).to(device)
"""
    fixed = _fixed(program, run)
    assert "a = torch.triu(torch.ones(n, n, device=device), diagonal=1)\n" in fixed
    assert 'b = torch.zeros(n, device="cuda")[None].unsqueeze(0).bool()\n' in fixed
    assert "c = torch.rand(n).cos().cuda(" in fixed
    assert "d = torch.arange(4, device=device).view(1, -1)\n" in fixed


@pytest.mark.parametrize("last", ["type_as(x)", "to(x)"])
def test_a_device_that_a_trace_would_keep_is_no_safe_fix(last: str, run: Run) -> None:
    program = (
        f"import torch\n\n\ndef f():\n    x = torch.rand(3, device='cuda')\n    return x + torch.zeros(3).{last}\n"
    )
    assert _fixed(program, run) == program
    assert f"torch.zeros(3, device=x.device).{last}" in _fixed(program, run, "--unsafe-fixes")


NUMBERS = {
    "x[line, line] = {}": "x[line, line] = x.new_full((), {})",
    "d = Normal(x, {})": "d = Normal(x, x.new_full((), {})",
    "y = x.new_tensor({})": "y = x.new_full((), {})",
}


@pytest.mark.parametrize(("before", "after"), NUMBERS.items())
def test_a_number_that_may_overflow_is_no_safe_fill(before: str, after: str, fixed: Callable[..., str]) -> None:
    assert fixed(before.format("1.0")).startswith(after.format("1.0"))
    assert fixed(before.format("1e300")) == before.format("1e300")
    assert fixed(before.format("n")) == before.format("n")
    assert fixed(before.format("n"), "--unsafe-fixes").startswith(after.format("n"))


FRAGMENTS = [
    "labels = labels.to(device)",
    "loss = net(images).sum()",
    "total += loss.item()",
    "a = torch.tensor(0.5, device=device)",
    "m = torch.triu(torch.ones(3, 3)).to(device)",
    "images = images + torch.zeros(3).type_as(images)",
    "mask = images > 0\n        images[mask].sum() + images[mask].mean()",
    "if torch.isnan(images).any() or torch.isinf(images).any():\n            continue",
    "z = torch.randn(3).cuda()",
]


@pytest.mark.parametrize("seed", range(6))
def test_unsafe_fixes_come_on_top_of_all_safe_ones(seed: int, run: Run) -> None:
    """What `--fix` makes, `--unsafe-fixes` makes as well, in whatever program."""
    lines = "\n        ".join(["images = images.to(device)", *random.Random(seed).sample(FRAGMENTS, 5)])
    program = f"""\
import torch
from torch.utils.data import DataLoader, TensorDataset


def train(net, loader, device):
    total = 0.0
    for images, labels in loader:
        {lines}
    return total


def main():
    loader = DataLoader(TensorDataset(torch.randn(8, 3), torch.randn(8)), batch_size=4)
    train(torch.nn.Linear(3, 1).to("cuda"), loader, torch.device("cuda"))


main()
"""
    safe = _fixed(program, run)
    assert PINNED in " ".join(safe.split())
    on_top = _fixed(safe, run, "--unsafe-fixes")
    assert _fixed(program, run, "--unsafe-fixes") == on_top


def test_what_did_no_harm_by_itself_is_not_refused_for_others(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from synclint.lint.fix.place import Place
    from synclint.lint.fix.rewrites import REWRITINGS

    monkeypatch.setitem(REWRITINGS, "created-inside", lambda _: None)
    monkeypatch.setitem(REWRITINGS, "created-on-device", lambda place: Place.written(place, f"{place.text}.clone()"))
    body = "    y = torch.tensor(0.5, device=x.device)\n    z = torch.zeros(3).cuda()\n"
    program = f"import torch\n\n\ndef f(x):\n    x = x.cuda()\n{body}    return y + z\n"
    assert _fixed(program, run) == program.replace("torch.tensor(0.5", "torch.full((), 0.5")


def test_only_what_is_made_is_shown(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rewriting that does no good is neither shown, nor reported as JSON, nor on the page, nor by `explain`."""
    from synclint.lint.fix.place import Place
    from synclint.lint.fix.rewrites import REWRITINGS

    program = "import torch\n\n\ndef f(x):\n    x = x.cuda()\n    return x + torch.tensor(0.5, device=x.device)\n"
    Path("a.py").write_text(program, encoding="utf-8")
    options = ("--show-fixes", "--select", "SYNC302", "a.py")
    assert "= fix: fill a tensor with the number (--fix)" in run(*options)[1]
    assert "Fix: fill a tensor" in run("--output-format", "html", *options)[1]
    monkeypatch.setitem(REWRITINGS, "number-as-full", lambda place: Place.written(place, f"{place.text}.clone()"))
    assert "fix:" not in run(*options)[1]
    assert "Fix: fill" not in run("--output-format", "html", *options)[1]
    assert json.loads(run("--output-format", "json", *options)[1])[0]["fix"] is None


def test_a_diff_says_how_many_unsafe_ones_there_are(run: Run) -> None:
    program = """\
import torch


def f(x):
    x = x.cuda()
    return x + torch.tensor(0.5, device=x.device) + torch.randn(3).cuda()
"""
    Path("a.py").write_text(program, encoding="utf-8")
    assert run("--diff", "a.py")[2] == "Would fix 1 finding.\n1 more with `--unsafe-fixes`.\n"
    assert run("--diff", "--unsafe-fixes", "a.py")[2] == "Would fix 2 findings.\n1 of them unsafe.\n"
