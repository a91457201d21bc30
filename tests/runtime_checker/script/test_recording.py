"""`run --record`: what waited and what ran without a wait is kept by statement; `run` can fail by it."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("torch")

if TYPE_CHECKING:
    from .conftest import Run

PROGRAM = """
import torch

def step(model, optimizer, x):
    loss = model(x).sum()
    loss.backward()
    optimizer.step()
    return loss

def main(steps):
    model = torch.nn.Linear(4, 2).to("cuda")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for at in range(steps):
        loss = step(model, optimizer, torch.ones(8, 4, device="cuda"))
        print(loss.item())
        getattr(loss, "it" + "em")()
        host = torch.ones(3) if at < 400 else torch.ones(3, device="cuda")
        if host.sum() > 0:
            pass
        if at > 400:
            print(loss.item(), loss)
main(24)
"""


def write(directory: Path, text: str = PROGRAM, name: str = "train.py") -> str:
    (directory / name).write_text(text, encoding="utf-8")
    return name


def lines(directory: Path) -> dict[str, dict[str, Any]]:
    found = json.loads((directory / ".synclint" / "evidence.json").read_text())
    return {f"{each['rule']} {each['statement']}": each for each in found["lines"]}


RECORD = ("--record", ".synclint/evidence.json")


def test_what_waited_and_what_ran_without_a_wait(run: Run, tmp_path: Path) -> None:
    done = run(*RECORD, write(tmp_path))
    assert done.code == 0, done.err
    found = lines(tmp_path)
    assert set(found) == {
        "SYNC101 print(loss.item())",
        " getattr(loss, 'it' + 'em')()",
        "SYNC104 if host.sum() > 0:",
    }
    item = found["SYNC101 print(loss.item())"]
    assert (item["path"], item["function"], item["rule"]) == ("train.py", "main", "SYNC101")
    assert (item["waits"], item["count"], item["reached"], item["ms"]) == (1.0, 24, 24, None)
    assert item["kinds"] == ["reads value"]
    quiet = found["SYNC104 if host.sum() > 0:"]
    assert (quiet["waits"], quiet["count"], quiet["reached"]) == (0.0, 0, 24)


def test_nothing_of_the_machine_is_kept(run: Run, tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    author = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
    subprocess.run(["git", "-C", str(tmp_path), *author, "commit", "-q", "--allow-empty", "-m", "a"], check=True)
    run(*RECORD, write(tmp_path))
    text = (tmp_path / ".synclint" / "evidence.json").read_text()
    assert str(tmp_path) not in text
    assert "/" not in re.sub(r'"\$schema".*|\.?"kinds".*', "", text)
    (kept,) = json.loads(text)["runs"].values()
    assert re.fullmatch("[0-9a-f]{40}", kept["commit"])
    assert kept["steps"] == 21
    assert kept["versions"]["torch"]


def test_a_program_that_fails_leaves_evidence_and_its_exit_code(run: Run, tmp_path: Path) -> None:
    done = run(*RECORD, write(tmp_path, PROGRAM + "raise SystemExit(7)\n"))
    assert done.code == 7
    assert lines(tmp_path)


def test_evidence_that_cannot_be_read_is_not_replaced(run: Run, tmp_path: Path) -> None:
    (tmp_path / ".synclint").mkdir()
    (tmp_path / ".synclint" / "evidence.json").write_text("mine")
    done = run(*RECORD, write(tmp_path))
    assert done.code == 2
    assert "is not a file of evidence" in done.err
    assert (tmp_path / ".synclint" / "evidence.json").read_text() == "mine"


def test_at_most_so_many_waits(run: Run, tmp_path: Path) -> None:
    assert run("--max-waits", "2", write(tmp_path)).code == 0
    done = run("--max-waits", "1", "train.py")
    assert done.code == 1
    assert "synclint: failed: 2 waits per step, and --max-waits allows 1\n" in done.err


def test_it_fails_on_what_nothing_reports(run: Run, tmp_path: Path) -> None:
    done = run("--fail-on", "missed", write(tmp_path))
    assert done.code == 1
    assert "synclint: failed: 1 line waited and nothing reports it: train.py:16\n" in done.err
    write(tmp_path, PROGRAM.replace('getattr(loss, "it" + "em")()', "pass"))
    assert run("--fail-on", "missed", "train.py").code == 0


BASELINE = ("--fail-on", "more", "--baseline", ".synclint/evidence.json")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("pass", "pass", ""),
        ("print(loss.item())\n        get", "print(1, loss.item())\n        get", ""),
        ("print(loss.item())\n        get", "pass; get", ""),
        ("    return loss", "    return loss.item() and loss", "1 waits per step in `step` of train.py, 0 in"),
        ("pass", "loss.item()", "3 waits per step in `main` of train.py, 2 in .synclint/evidence.json: loss.item()"),
    ],
)
def test_it_fails_on_more_waits_in_a_function(old: str, new: str, says: str, run: Run, tmp_path: Path) -> None:
    run(*RECORD, write(tmp_path))
    write(tmp_path, "# moved\n\n" + PROGRAM.replace(old, new))
    done = run(*BASELINE, "train.py")
    assert done.code == bool(says), done.err
    assert says in done.err
    assert ("failed" in done.err) is bool(says)


def test_a_baseline_of_another_program_is_no_limit(run: Run, tmp_path: Path) -> None:
    run(*RECORD, write(tmp_path))
    done = run(*BASELINE, write(tmp_path, name="other.py"))
    assert done.code == 2
    assert "has no run of other.py" in done.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--fail-on", "more"), "--fail-on more and --baseline FILE need each other"),
        (("--baseline", "e.json"), "--fail-on more and --baseline FILE need each other"),
        ((*BASELINE[:2], "--baseline", "none.json"), "none.json: No such file or directory"),
    ],
)
def test_what_cannot_be_compared_is_told_before_the_run(
    words: tuple[str, ...], says: str, run: Run, tmp_path: Path
) -> None:
    done = run(*words, write(tmp_path, "print('ran')"))
    assert (done.code, done.out) == (2, "")
    assert says in done.err
