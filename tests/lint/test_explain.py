"""`synclint explain`: what it says about a line is what `check` knows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from synclint.lint.commands.explain import command

Explain = Callable[..., list[str]]

CONFIGURATION = "[tool.synclint]\ngpu-names = ['accelerator']\n"
MADE = """import torch


def made():
    return torch.ones(3, device="cuda")
"""
USED = """import torch
import made

for batch in torch.utils.data.DataLoader([]):
    print(made.made().sum().item())
    print(torch.ones(3, device=accelerator))
"""


@pytest.fixture
def explain(here: Path) -> Explain:
    """The lines that the command prints, in a project of two files."""
    for name, text in (("synclint.toml", CONFIGURATION[16:]), ("made.py", MADE), ("used.py", USED)):
        (here / name).write_text(text, encoding="utf-8")

    def call(*words: str) -> list[str]:
        done = CliRunner().invoke(command, words)
        assert done.exit_code == 0, done.output
        return done.stdout.splitlines()

    return call


def test_it_knows_the_rest_of_the_project(explain: Explain) -> None:
    assert "made.made(): Tensor[gpu, float, rank 1]" in explain("used.py:5")
    assert "made.made(): Tensor[any device]" in explain("used.py:5", "--isolated")


def test_without_a_project_it_knows_the_working_directory(
    explain: Explain, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "synclint.toml").unlink()
    (here / "below").mkdir()
    (here / "below" / "used.py").write_text(USED)
    assert "made.made(): Tensor[gpu, float, rank 1]" in explain("used.py:5")
    assert "made.made(): Tensor[gpu, float, rank 1]" in explain("below/used.py:5")
    monkeypatch.setenv("HOME", str(here / "home"))
    assert "made.made(): Tensor[any device]" in explain("used.py:5")


def test_it_knows_the_configuration(explain: Explain, here: Path) -> None:
    made = "torch.ones(3, device=accelerator): Tensor"
    assert [line for line in explain("used.py:6") if line.startswith(f"{made}[gpu")]
    assert not [line for line in explain("used.py:6", "--isolated") if line.startswith(f"{made}[gpu")]
    (here / "other.toml").write_text("gpu-names = []\n")
    assert not [line for line in explain("used.py:6", "--config", "other.toml") if line.startswith(f"{made}[gpu")]


def test_it_ends_with_what_is_reported(explain: Explain) -> None:
    assert [line[:9] for line in explain("used.py:5")[-5:-1]] == ["reported:", *["    no fi"] * 3]
    assert explain("used.py:5")[-1].strip() == "to accept it, end the line with: # synclint: ignore[SYNC101] reason"
    assert explain("used.py:5")[-5].startswith("reported: SYNC101 (error, certain) `made.made().sum().item()` reads")
    assert explain("made.py:5")[-1].endswith("no operation here is known to make the host wait for these values")


CURES = """import torch


def step(loader):
    for batch in loader:
        x = torch.ones(3, device="cuda")
        y = torch.tensor(0.5, device=x.device)
        z = torch.randn(3).cuda()
        print(x.sum().item())
        x.cpu()
"""
SAID = {
    7: "    fix: fill a tensor with the number",
    8: "    fix: pass `device=` to `randn` (unsafe: the device draws other random numbers)",
    9: "    no fix to keep the value as a tensor: this code is not in the form that the fix expects "
    "(write `losses.append(loss.detach())` for `losses.append(loss.item())`, and the like for a running sum",
    10: "    no fix: none exists for this pattern, or too little is known about its values (copy-to-host)",
}


@pytest.mark.parametrize(("row", "said"), SAID.items())
def test_it_says_what_would_be_fixed(row: int, said: str, explain: Explain, here: Path) -> None:
    (here / "cures.py").write_text(CURES)
    assert [line for line in explain(f"cures.py:{row}") if line.startswith(said)]


@pytest.mark.parametrize(
    ("between", "why"),
    [
        ("keep(m)", "`m` escapes or is modified on line 9, and may have changed by then"),
        ("m = x > 0", "`m` is assigned more than once in `step`"),
        ("print()", "`m` selects nothing else in the surrounding statements, which always run together"),
    ],
)
def test_it_says_why_a_mask_is_left(between: str, why: str, explain: Explain, here: Path) -> None:
    program = CURES.partition("        y =")[0] + f"        m = x > 0.5\n        a = x[m]\n        {between}\n"
    (here / "masks.py").write_text(program)
    assert [line for line in explain("masks.py:8") if line.startswith("    no fix") and line.endswith(why)]


def test_what_has_no_value_but_its_name_is_left_out(explain: Explain) -> None:
    assert not [line for line in explain("used.py:5") if line.startswith(("print:", "made:", "made.made:"))]


def test_only_what_covers_a_column(explain: Explain) -> None:
    assert explain("made.py:5:30")[0].startswith('torch.ones(3, device="cuda"): Tensor[gpu')


SILENT = """import torch

mean = torch.ones(3, device="cuda").mean().item()


def step(x: torch.Tensor, where):
    y = torch.ones(3, device="cpu").sum().item()
    return bool(unknown(where))


for batch in torch.utils.data.DataLoader([]):
    step(batch, batch)
    torch.cuda.synchronize()
    print(torch.ones(3, device="cuda").mean().item())  # synclint: ignore[SYNC101] wanted
"""


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (2, "nothing runs"),
        (3, "this line runs once, in no loop over steps"),
        (7, "no value here is on the GPU"),
        (8, "the type of `unknown` is not known, nor whether it is on the GPU"),
        (13, "SYNC111 is opt-in and not selected (`--extend-select SYNC111`): the host stops at `torch.cuda.sync"),
        (14, "a comment suppresses SYNC101 here (silent.py:14)"),
    ],
)
def test_it_says_why_nothing_is_reported(explain: Explain, here: Path, row: int, why: str) -> None:
    (here / "silent.py").write_text(SILENT)
    assert explain(f"silent.py:{row}")[-1].startswith(f"nothing is reported here: {why}")


def test_values_are_written_as_people_know_them(explain: Explain, here: Path) -> None:
    (here / "options.py").write_text(
        "import argparse\nimport torch\n\nargs = argparse.ArgumentParser().parse_args()\nlog = None\n"
    )
    assert "args: instance of argparse.Namespace" in explain("options.py:4")
    assert "log: None" in explain("options.py:5")


@pytest.mark.parametrize(
    ("head", "why"),
    [
        ("model.eval()", "a model was set to evaluation before"),
        ("torch.set_grad_enabled(False)", "it runs without gradients"),
    ],
)
def test_it_says_why_a_loop_is_evaluation(explain: Explain, here: Path, head: str, why: str) -> None:
    text = f"import torch\n{head}\nfor batch in loader:\n    torch.ones(3, device='cuda').sum().item()\n"
    (here / "used.py").write_text(text)
    assert f"    taken for evaluation: {why}" in explain("used.py:4")


def test_it_says_what_is_not_sure_enough(explain: Explain, here: Path) -> None:
    body = "    a = x > 2\n    if fast:\n        a = fast > 3\n    if a:\n        pass\n"
    (here / "mixed.py").write_text(f"import torch\ndef f(x: torch.Tensor, fast: float):\n{body}")
    how = "reported only with `--min-confidence possible`"
    assert explain("mixed.py:6")[-1].startswith(f"{how}: SYNC104 (note, possible) `a`:")
