"""Fixes and analyses that are known are not made again."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from synclint.lint.fix import fixes
from synclint.lint.inference.linking import link
from synclint.lint.inference.notes.summary import FileSummary
from synclint.lint.run import analyses

from .test_command import PROGRAM

UNFIXABLE = """import torch


def step(loader):
    for batch in loader:
        print(torch.ones(3, device="cuda").sum().item())
"""
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def titles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., list[str]]:
    """The titles of the fixes that a run with a cache reports."""
    from synclint.lint import cli

    monkeypatch.chdir(tmp_path)
    words = ["synclint", "check", "--isolated", "--cache-dir", "cache", "--output-format", "json"]

    def report(path: str = "a.py") -> list[str]:
        monkeypatch.setattr("sys.argv", [*words, path])
        with pytest.raises(SystemExit):
            cli.main()
        return [row["fix"]["title"] for row in json.loads(capsys.readouterr().out) if row["fix"]]

    return report


def test_fixes_are_kept_between_runs(titles: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    Path("a.py").write_text(PROGRAM, encoding="utf-8")
    made = titles()
    monkeypatch.setattr("synclint.lint.fix.passes.fixes_of", lambda *_, **__: {})
    assert made == titles() == ["fill a tensor with the number"]
    Path("a.py").write_text(PROGRAM.replace("half", "another text"), encoding="utf-8")
    assert titles() == []


def test_damaged_fixes_are_made_again(titles: Callable[[], list[str]]) -> None:
    Path("a.py").write_text(PROGRAM, encoding="utf-8")
    made = titles()
    for each in Path("cache").rglob("files/*.json"):
        each.write_bytes(each.read_bytes()[:-9])
    assert titles() == made


def test_only_changed_files_are_analysed_again(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.py").write_text(PROGRAM, encoding="utf-8")
    Path("b.py").write_text(PROGRAM.replace("torch.tensor(0.5", "torch.full((), 0.5"), encoding="utf-8")
    analysed: list[str] = []
    check_files = analyses.check_files

    def counted(files: list[analyses.File], jobs: int | None) -> object:
        analysed.extend(each.name for each in files)
        return check_files(files, jobs)

    monkeypatch.setattr(analyses, "check_files", counted)
    run("--fix", "a.py", "b.py")
    assert sorted(analysed) == ["a.py", "a.py", "b.py"]


def test_fixes_of_files_that_stay_are_made_once(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.py").write_text(PROGRAM, encoding="utf-8")
    Path("b.py").write_text(UNFIXABLE, encoding="utf-8")
    asked: list[str] = []
    fixes_of = fixes.fixes_of

    def counted(findings: list[fixes.Finding], *others: object, **options: object) -> object:
        asked.extend({each.span.filename for each in findings})
        return fixes_of(findings, *others, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("synclint.lint.fix.passes.fixes_of", counted)
    run("--fix", "--unsafe-fixes", "--show-notes", "a.py", "b.py")
    assert asked.count("b.py") == 2  # for safe ones, and for others


def test_only_what_an_edit_reaches_is_linked_again(
    titles: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a cache, fixes are confirmed by what the run has found out about the other files."""
    Path("a.py").write_text(PROGRAM, encoding="utf-8")
    Path("b.py").write_text(UNFIXABLE, encoding="utf-8")
    linked: list[list[str]] = []
    answers_in = link._answers_in

    def noted(asking: link.Asking, summaries: Sequence[FileSummary], *rest: Any) -> Any:
        linked.append([Path(each.filename).name for each in summaries])
        return answers_in(asking, summaries, *rest)

    monkeypatch.setattr(link, "_answers_in", noted)
    assert titles(".") == ["fill a tensor with the number"]
    assert linked == [["a.py", "b.py"], ["a.py"]]
