"""A project with 200 old findings begins on Monday: only what a branch adds is reported, however it is asked for."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from synclint.lint import cli

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

OLD = """def step_{n}(model, batch, log):
    loss = model(batch.to("cuda"))
    log.append(loss.item())
    if (loss > {n}).any():
        print("large", flush=True)
    return loss
"""
ADDED = """def extra(model, batch):
    out = model(batch.to("cuda"))
    first = out.item()
    second = out.tolist()
    return first, second, out.cpu()
"""
FILES = 10

Run = Callable[..., tuple[int, str, str]]


def git(*arguments: str) -> None:
    identity = ["-c", "user.name=n", "-c", "user.email=e@x", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, *arguments], check=True, capture_output=True)


@pytest.fixture
def run(here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """The command line, with the real inference, in a repository with old findings on `main` and a branch on top."""
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    (here / "src").mkdir()
    for number in range(FILES):
        functions = "\n\n".join(OLD.format(n=each) for each in range(10))
        (here / f"src/m{number}.py").write_text(f"import torch\n\n\n{functions}")
    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-q", "-m", "old")
    git("checkout", "-q", "-b", "branch")

    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["synclint", *arguments])
        capsys.readouterr()
        with pytest.raises(SystemExit) as exit_:
            cli.main()
        captured = capsys.readouterr()
        return int(exit_.value.code or 0), captured.out, captured.err

    return call


def add_three(here: Path) -> None:
    file = here / "src/m3.py"
    file.write_text(file.read_text() + "\n\n" + ADDED)


def move_and_reformat(here: Path) -> None:
    """What a formatter and a reorganisation do: other lines, quotes and brackets, and another file."""
    moved = (here / "src/m1.py").read_text()
    (here / "src/m1.py").unlink()
    (here / "src/parts").mkdir()
    (here / "src/parts/renamed.py").write_text("# moved\n" + moved)
    file = here / "src/m2.py"
    text = file.read_text().replace("    log.append(loss.item())\n", "    log.append(\n        loss.item(),\n    )\n")
    text = text.replace("    if (loss > 3).any():\n", "    if (\n        (loss > 3).any()\n    ):  # large\n")
    file.write_text("'''A module.'''\n\n" + text.replace('"large"', "'large'"))


def added(out: str) -> list[str]:
    return sorted(f"{row['filename']} {row['code']}" for row in json.loads(out))


EXPECTED = ["src/m3.py SYNC101", "src/m3.py SYNC102", "src/m3.py SYNC103"]
JSON = ("src", "--output-format", "json")


def test_there_are_200_old_findings(run: Run) -> None:
    assert len(json.loads(run(*JSON)[1])) == 200


def test_the_baseline_shows_only_what_is_added(run: Run, here: Path) -> None:
    code, out, _ = run("src", "--write-baseline")
    assert (code, out) == (0, "wrote 200 findings to .synclint-baseline.json\n")
    assert run("src")[:2] == (0, "Found no problems in 10 files.\n")
    add_three(here)
    code, out, err = run(*JSON)
    assert (code, added(out)) == (0, EXPECTED)
    assert run(*JSON, "--fail-on", "warning")[0] == 1
    assert err == "200 findings in .synclint-baseline.json not shown (--no-baseline shows all)\n"


def test_new_from_shows_only_what_is_added(run: Run, here: Path) -> None:
    assert run("src", "--new-from", "main")[0] == 0
    add_three(here)
    assert added(run(*JSON, "--new-from", "main")[1]) == EXPECTED
    git("commit", "-qam", "new")
    assert added(run(*JSON, "--new-from", "main")[1]) == EXPECTED
    assert added(run(*JSON, "--new-from", "HEAD")[1]) == []


def test_diff_only_shows_only_what_is_added(run: Run, here: Path) -> None:
    assert run("src", "--diff-only", "main")[0] == 0
    add_three(here)
    assert added(run(*JSON, "--diff-only", "main")[1]) == EXPECTED
    git("commit", "-qam", "new")
    assert added(run(*JSON, "--diff-only", "main")[1]) == EXPECTED


@pytest.mark.parametrize("how", ["baseline", "new-from"])
def test_old_code_that_moves_and_is_reformatted_stays_old(run: Run, here: Path, how: str) -> None:
    if how == "baseline":
        run("src", "--write-baseline")
    option = ("--new-from", "main") if how == "new-from" else ()
    move_and_reformat(here)
    assert added(run(*JSON, *option)[1]) == []
    add_three(here)
    assert added(run(*JSON, *option)[1]) == EXPECTED
    git("add", ".")
    git("commit", "-qm", "moved")
    assert added(run(*JSON, *option)[1]) == EXPECTED


def test_the_baseline_survives_a_move_without_notes(run: Run, here: Path) -> None:
    run("src", "--write-baseline")
    move_and_reformat(here)
    assert "gone" not in run("src")[2]


def test_diff_only_knows_a_renamed_file(run: Run, here: Path) -> None:
    git("mv", "src/m1.py", "src/n1.py")
    assert run("src", "--diff-only", "main")[0] == 0


@pytest.mark.parametrize("form", ["github", "sarif", "gitlab", "concise"])
def test_every_format_has_the_three(run: Run, here: Path, form: str) -> None:
    run("src", "--write-baseline")
    add_three(here)
    out = run("src", "--output-format", form, "--quiet")[1]
    assert sorted({code for code in ("SYNC101", "SYNC102", "SYNC103", "SYNC104") if code in out}) == [
        line.split()[1] for line in EXPECTED
    ]
    results = {
        "github": lambda: out.count("::error") + out.count("::warning"),
        "sarif": lambda: len(json.loads(out)["runs"][0]["results"]),
        "gitlab": lambda: len(json.loads(out)),
        "concise": lambda: out.count("\n"),
    }
    assert results[form]() == 3


def test_only_the_new_ones_get_a_comment(run: Run, here: Path) -> None:
    run("src", "--write-baseline")
    add_three(here)
    assert run("src", "--add-ignore=for the log")[:2] == (0, "suppressed 3 findings in 1 file\n")
    git("diff", "--quiet", "--", "src/m1.py")
    assert (here / "src/m3.py").read_text().count("# synclint: ignore[SYNC10") == 3
    assert run("src")[0] == 0


def test_a_budget_instead_of_a_baseline(run: Run, here: Path) -> None:
    config = here / "synclint.toml"
    config.write_text('[max-findings]\n"src/**" = 200\n')
    assert run("src", "-q")[0] == 0
    add_three(here)
    code, _, err = run("src", "-q")
    assert (code, err) == (1, "src/**: 203 findings, but max-findings allows 200; fix or suppress 3\n")


def test_what_other_files_tell_is_told_for_the_commit_as_well(run: Run, here: Path) -> None:
    """A file that is checked alone is linked with the rest of the project, and so is its earlier state."""
    (here / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    (here / "src/helper.py").write_text('import torch\n\n\ndef make():\n    return torch.ones(3, device="cuda")\n')
    user = here / "src/user.py"
    user.write_text("from helper import make\n\n\ndef train(loader):\n    for _ in loader:\n        make().tolist()\n")
    git("add", ".")
    git("commit", "-qm", "helper")
    assert len(json.loads(run("src/user.py", "--output-format", "json")[1])) == 1
    assert run("src/user.py", "--new-from", "HEAD", "--no-cache")[0] == 0
    user.write_text(user.read_text() + "        float(make())\n")
    assert added(run("src/user.py", "--new-from", "HEAD", "--output-format", "json")[1]) == ["src/user.py SYNC105"]
