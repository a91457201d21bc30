"""The baseline: what is known, what is gone, and files that people and merges have damaged."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from synclint.lint.adoption.baseline import BaselineError, Entry, match, read, save
from synclint.lint.files.paths import BASELINE

Command = Callable[..., Any]


@pytest.fixture
def files(here: Path) -> Path:
    (here / "pyproject.toml").write_text("[tool.synclint]\n")
    for name in ("a", "b"):
        (here / f"{name}.py").write_text(f"import torch\n{name} = wait_101()\nwait_102()\nwait_102()\n")
    return here


def content(here: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads((here / BASELINE).read_text())["findings"]
    return rows


def test_one_sorted_entry_per_line_and_no_line_numbers(synclint_command: Command, files: Path) -> None:
    assert synclint_command(".", "--write-baseline").out == f"wrote 6 findings to {BASELINE}\n"
    lines = (files / BASELINE).read_text().splitlines()
    assert lines[0] == '{"version": 1, "findings": ['
    assert lines[1:4] == [
        '{"path": "a.py", "in": "", "rule": "SYNC101", "statement": "a = wait_101()"},',
        '{"path": "a.py", "in": "", "rule": "SYNC102", "statement": "wait_102()"},',
        '{"path": "a.py", "in": "", "rule": "SYNC102", "statement": "wait_102()", "nth": 2},',
    ]
    assert len(lines) == 8
    before = (files / BASELINE).read_bytes()
    synclint_command(".", "--write-baseline")
    assert (files / BASELINE).read_bytes() == before


def test_it_is_used_from_wherever_a_run_starts(
    synclint_command: Command, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (files / "sub").mkdir()
    (files / "a.py").rename(files / "sub/a.py")
    synclint_command(".", "--write-baseline")
    for paths in ((".",), ("sub",), ("sub/a.py",), (str(files),), ("./sub/../b.py",)):
        assert synclint_command(*paths).code == 0, paths
    monkeypatch.chdir(files / "sub")
    assert synclint_command("a.py", "../b.py").code == 0
    assert synclint_command("--no-baseline").code == 1
    assert synclint_command("--isolated").code == 1
    (files / "link").symlink_to(files / "sub")
    assert synclint_command(str(files / "link/a.py")).code == 0


def test_one_more_of_the_same_statement_is_new(synclint_command: Command, files: Path) -> None:
    synclint_command(".", "--write-baseline")
    (files / "a.py").write_text((files / "a.py").read_text() + "wait_102()\n")
    assert "Found 1 error in 2 files" in synclint_command(".").out


def test_what_is_gone_is_noted_and_pruned(synclint_command: Command, files: Path) -> None:
    synclint_command(".", "--write-baseline")
    (files / "a.py").write_text("import torch\nwait_102()\n")
    (files / "b.py").unlink()
    assert f"5 findings of {BASELINE} gone (--prune-baseline removes them)" in synclint_command(".").err
    assert "gone" not in synclint_command(".", "-q").err
    assert synclint_command(".", "--prune-baseline").out == f"removed 5 findings from {BASELINE}\n"
    assert [(row["path"], row["rule"]) for row in content(files)] == [("a.py", "SYNC102")]
    assert synclint_command(".").err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [("b.py",), ("--select", "SYNC404"), ("--min-confidence", "certain"), ("--exclude", "a.py")]
)
def test_what_a_run_did_not_look_for_is_not_gone(
    synclint_command: Command, files: Path, arguments: tuple[str, ...]
) -> None:
    synclint_command(".", "--write-baseline")
    (files / "a.py").write_text("import torch\n")
    assert "gone" not in synclint_command(*arguments).err
    synclint_command(*arguments, "--prune-baseline")
    assert len(content(files)) == 6
    synclint_command(*arguments, "--write-baseline")
    assert len(content(files)) == 6


def test_a_file_that_cannot_be_read_any_more_keeps_its_entries(synclint_command: Command, files: Path) -> None:
    synclint_command(".", "--write-baseline")
    (files / "a.py").write_text("import torch\nx = (\n")
    outcome = synclint_command(".")
    assert "SYNC902" in outcome.out
    assert "gone" not in outcome.err


def test_code_that_moves_is_known_and_a_copy_is_new(synclint_command: Command, files: Path) -> None:
    synclint_command(".", "--write-baseline")
    (files / "c.py").write_text((files / "a.py").read_text())
    assert "Found 3 errors in 3 files" in synclint_command(".").out
    assert synclint_command("c.py").code == 1
    (files / "a.py").unlink()
    assert synclint_command(".").code == 0
    assert synclint_command("c.py").code == 1  # whether `a.py` is gone was not asked


def test_a_missing_path_does_not_get_into_the_baseline(synclint_command: Command, files: Path) -> None:
    assert synclint_command("a.py", "gone.py", "--write-baseline").code == 2
    assert not (files / BASELINE).exists()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{", "is not JSON"),
        ('{"version": 1, "findings": [\n<<<<<<< HEAD\n]}', ":2: the baseline has a merge conflict"),
        ("[]", "is not a synclint baseline"),
        ('{"version": 1}', "is not a synclint baseline"),
        ('{"version": 2, "findings": []}', "is from another version"),
        ('{"version": 1, "findings": [{}]}', "a baseline entry is damaged"),
        ('{"version": 1, "findings": [1]}', "a baseline entry is damaged"),
        ('{"version": 1, "findings": [{"path": 1, "in": "", "rule": "", "statement": ""}]}', "is damaged"),
        ("[" * 100_000, "is damaged"),
        ("\udcff", "is not UTF-8"),
    ],
)
def test_a_damaged_baseline_is_one_clear_error(
    synclint_command: Command, files: Path, text: str, expected: str
) -> None:
    (files / BASELINE).write_bytes(text.encode(errors="surrogateescape"))
    for arguments in ((".",), (".", "--prune-baseline")):
        outcome = synclint_command(*arguments)
        assert (outcome.code, outcome.out) == (2, "")
        assert outcome.err.count("\n") == 1
        assert expected in outcome.err
        assert BASELINE in outcome.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("--write-baseline", "--prune-baseline"),
        ("--write-baseline", "--add-ignore"),
        ("--write-baseline", "--new-from", "HEAD"),
        ("--prune-baseline",),
        ("--write-baseline", "-"),
    ],
)
def test_options_that_exclude_each_other(synclint_command: Command, files: Path, arguments: tuple[str, ...]) -> None:
    outcome = synclint_command(*arguments)
    assert (outcome.code, outcome.err.count("\n")) == (2, 1)
    assert not (files / BASELINE).exists()


def test_writing_keeps_permissions_and_links(tmp_path: Path) -> None:
    target = tmp_path / "real.json"
    target.write_text("old")
    target.chmod(0o640)
    (tmp_path / "link.json").symlink_to(target)
    save(tmp_path / "link.json", [Entry("a.py", "f", "SYNC101", "x.item()")], tmp_path)
    assert (tmp_path / "link.json").is_symlink()
    assert read(target) == [Entry("a.py", "f", "SYNC101", "x.item()")]
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert sorted(os.listdir(tmp_path)) == ["link.json", "real.json"]


def test_a_directory_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(BaselineError, match="could not be written"):
        save(tmp_path / "gone" / BASELINE, [], tmp_path)


def test_names_that_are_no_text(tmp_path: Path) -> None:
    entry = Entry("a\udcff\n.py", "f", "SYNC101", "print('日本')")
    save(tmp_path / BASELINE, [entry, entry], tmp_path)
    assert read(tmp_path / BASELINE) == [entry]


def test_the_nearest_match_is_taken_first() -> None:
    known = [Entry("a.py", "f", "S", "x"), Entry("a.py", "g", "S", "x"), Entry("b.py", "f", "S", "x")]
    found = [Entry("a.py", "new", "S", "x"), Entry("a.py", "f", "S", "x"), Entry("c.py", "f", "S", "( x )")]
    assert match(found, known, lambda _: True) == ({0, 1, 2}, [])
    assert match(found, known, lambda _: False) == ({0, 1}, [known[2]])
    assert match([Entry("c.py", "", "S", "")], [Entry("d.py", "", "S", "")], lambda _: True)[0] == set()


def test_a_plain_run_imports_nothing_of_this(files: Path) -> None:
    import subprocess
    import sys

    script = "import sys; sys.argv[1:] = ['a.py']\nfrom synclint.lint.cli import main\n"
    script += "try: main()\nexcept SystemExit: print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    ours = {name.removeprefix("synclint.lint.") for name in done.stdout.split()}
    assert ours.isdisjoint({"adoption", "baseline", "git", "add_ignore", "budget", "rewrite", "subprocess"})


def test_any_value_anywhere_in_a_baseline_is_taken_or_told_to_be_wrong(files: Path) -> None:
    good = {"path": "a.py", "in": "f", "rule": "SYNC101", "statement": "x", "nth": 2}
    values = (None, True, -1, 10**40, 1.5, float("nan"), "", "\ud800", [], {}, [[]], {"a": 1})
    for value in values:
        rows = [value, *({**good, key: value} for key in (*good, "more"))]
        documents = [value, *({"version": 1, "findings": [good, row]} for row in rows)]
        for document in (*documents, {"version": value, "findings": []}, {"version": 1, "findings": value}):
            (files / BASELINE).write_text(json.dumps(document))
            with suppress(BaselineError):
                assert all(isinstance(each, Entry) for each in read(files / BASELINE))
