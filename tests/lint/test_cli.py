"""The command line: what is printed where, and the exit codes."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import synclint
import synclint.lint.inference
from synclint.lint.home import HOME

Command = Callable[..., Any]


@pytest.fixture
def files(here: Path) -> Path:
    for name, call in (("error", "wait_101"), ("warning", "maybe_102"), ("note", "rare_101"), ("clean", "print")):
        (here / f"{name}.py").write_text(f"import torch\n{call}()\n")
    return here


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ("clean.py", 0),
        ("error.py", 1),
        ("warning.py", 0),
        ("warning.py --fail-on warning", 1),
        ("note.py", 0),
        (".", 1),
        ("error.py --fail-on never", 0),
        ("error.py --exit-zero", 0),
        ("note.py --fail-on note", 1),
        ("warning.py --min-confidence certain", 0),
        ("error.py --ignore SYNC101", 0),
        ("error.py --select SYNC102", 0),
        ("error.py --select SYNC102,item-call", 1),
        ("error.py warning.py --select SYNC4 --extend-select SYNC102", 0),
        ("gone.py", 2),
        ("gone.py --exit-zero", 2),
        ("error.py --select NOPE", 2),
        ("error.py --no-such-option", 2),
        ("error.py --config gone.toml", 2),
        ("error.py --output-format xml", 2),
        ("- error.py", 2),
        ("rule", 2),
        ("rule NOPE", 2),
        ("rule SYNC101 --all", 2),
        ("explain error.py", 2),
        ("explain gone.py:1", 2),
        ("explain error.py:99", 2),
        ("--help", 0),
        ("--version", 0),
        ("check --help", 0),
    ],
)
def test_exit_codes(synclint_command: Command, files: Path, arguments: str, code: int) -> None:
    outcome = synclint_command(*arguments.split())
    assert outcome.code == code, outcome
    if code == 2 and "gone.py" not in arguments:
        assert outcome.out == ""
        assert outcome.err.startswith("synclint: ")
        assert outcome.err.count("\n") == 1


def test_check_may_be_left_out(synclint_command: Command, files: Path) -> None:
    assert synclint_command("error.py") == synclint_command("check", "error.py")
    assert synclint_command("--quiet", "error.py") == synclint_command("check", "error.py", "-q")


def test_a_path_named_like_a_command(synclint_command: Command, here: Path) -> None:
    (here / "rule").mkdir()
    (here / "rule/a.py").write_text("import torch\nwait_101()\n")
    assert synclint_command("./rule").code == 1


def test_without_arguments_there_is_help(synclint_command: Command) -> None:
    assert "Usage: synclint" in synclint_command().err + synclint_command().out


def test_notes_are_counted_and_shown_on_demand(synclint_command: Command, files: Path) -> None:
    hidden, shown = synclint_command("."), synclint_command(".", "--show-notes")
    assert "note.py" not in hidden.out
    assert hidden.out.endswith("Found 1 error and 1 warning in 4 files (1 note not shown: --show-notes).\n")
    assert "note.py:2:1: note:" in shown.out
    assert shown.out.endswith("Found 1 error, 1 warning and 1 note in 4 files.\n")
    assert "Found" not in synclint_command(".", "-q").out
    assert synclint_command("clean.py").out == "Found no problems in 1 file.\n"


def test_statistics(synclint_command: Command, files: Path) -> None:
    lines = synclint_command(".", "--statistics").out.splitlines()
    assert lines[:2] == ["1  SYNC101  item-call", "1  SYNC102  tensor-tolist"]
    rows = json.loads(synclint_command(".", "--statistics", "--output-format", "json").out)
    assert rows[0] == {"code": "SYNC101", "name": "item-call", "count": 2}


def test_standard_input(synclint_command: Command, files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def type_in(text: str) -> None:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(text.encode())))

    (files / "synclint.toml").write_text('[per-file-ignores]\n"tests/" = ["SYNC1"]\n')
    type_in("wait_101()\n")
    assert "<stdin>:1:1: error" in synclint_command("-").out
    type_in("wait_101()\n")
    assert "src/a.py:1:1: error" in synclint_command("-", "--stdin-filename", "src/a.py").out
    type_in("wait_101()\n")
    assert synclint_command("-", "--stdin-filename", "tests/a.py").code == 0
    type_in("def f(:\n")
    assert "SYNC902" in synclint_command("-").out


def test_isolated(synclint_command: Command, files: Path) -> None:
    (files / "synclint.toml").write_text('ignore = ["SYNC101"]\n')
    assert synclint_command("error.py").code == 0
    assert synclint_command("error.py", "--isolated").code == 1


def test_exclude(synclint_command: Command, files: Path) -> None:
    assert synclint_command(".", "--exclude", "error.py", "--exclude", "/warning.py").code == 0
    assert synclint_command("error.py", "--exclude", "error.py").code == 1
    assert synclint_command("error.py", "--exclude", "error.py", "--force-exclude").code == 0


def test_an_error_in_the_configuration(synclint_command: Command, files: Path) -> None:
    (files / "synclint.toml").write_text('selct = ["SYNC101"]\n')
    outcome = synclint_command("error.py")
    assert outcome.code == 2
    assert "synclint.toml: unknown key `selct`; did you mean `select`?" in outcome.err


def test_an_internal_error_is_one_line(synclint_command: Command, files: Path) -> None:
    (files / "bad.py").write_text("import torch\nbug()\n")
    outcome = synclint_command(".")
    assert outcome.code == 2
    assert outcome.err.startswith("bad.py: internal error in the analysis: KeyError: 'a bug of ours'; ")
    assert outcome.err.count("\n") == 1
    assert "error.py:2:1: error" in outcome.out
    assert "Traceback" in synclint_command(".", "--verbose").err


def test_an_error_of_the_command_itself(
    synclint_command: Command, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("synclint.lint.check.run", lambda *_, **__: 1 // 0)
    outcome = synclint_command("error.py")
    assert outcome.code == 2
    assert outcome.err.startswith("synclint: internal error: ZeroDivisionError")
    assert "Traceback" not in outcome.err


def test_ctrl_c(synclint_command: Command, files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("synclint.lint.check.run", interrupted)
    outcome = synclint_command("error.py")
    assert (outcome.code, outcome.out, outcome.err.strip()) == (130, "", "")


def test_rule_pages(synclint_command: Command) -> None:
    page = synclint_command("rule", "unused-suppression").out
    assert page.startswith("SYNC901 unused-suppression (meta)\n\nUnused suppression: ")
    rows = json.loads(synclint_command("rule", "--all", "--output-format", "json").out)
    assert [row["code"] for row in rows][:2] == ["SYNC101", "SYNC102"]
    assert rows[0] | {"page": "", "evidence": []} == {
        "code": "SYNC101",
        "name": "item-call",
        "kind": "stall",
        "default": True,
        "title": "What happens.",
        "instead": "Write it differently.",
        "page": "",
        "evidence": [],
        "url": f"{HOME}/blob/main/docs/rules/item-call.md",
    }
    assert "did you mean `item-call`?" in synclint_command("rule", "itemcall").err


def shell(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-X", "utf8=0", "-m", "synclint", *arguments]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
    return subprocess.run(command, text=True, check=False, **streams)


def test_a_bad_file_in_a_real_process(here: Path) -> None:
    (here / "bad.py").write_text("import torch\nx = (\n")
    done = shell("bad.py", "--output-format", "concise")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("bad.py:2:5: warning: not checked: it is not valid Python")


def test_text_that_the_terminal_cannot_show(here: Path) -> None:
    (here / "日本.py").write_text("import torch\nx = '日本' +\n", encoding="utf-8")
    done = shell("日本.py", env={**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C.UTF-8"})
    assert done.returncode == 1
    assert "\\u65e5" in done.stdout


def test_a_reader_that_has_seen_enough(here: Path) -> None:
    for number in range(300):
        (here / f"bad_file_number_{number}.py").write_text("import torch\nx = (\n")
    script = f"{sys.executable} -m synclint . --jobs 1 | head -n 1"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""


def test_start_up_imports_nothing_heavy(here: Path) -> None:
    (here / "a.py").write_text("x = 1\n")
    script = "import sys; sys.argv[1:] = ['a.py']\nfrom synclint.lint.cli import main\n"
    script += "try: main()\nexcept SystemExit: print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    heavy = {"torch", "numpy", "rich", "packaging", "multiprocessing", "unittest", "libcst"}
    assert heavy.isdisjoint(done.stdout.split())


@pytest.mark.parametrize(("words", "left"), [("check a.py", True), ("a.py", True), ("rule --all", False)])
def test_garbage_is_left_to_the_system(here: Path, words: str, left: bool) -> None:
    (here / "a.py").write_text("x = 1\n")
    script = f"import gc, sys; sys.argv[1:] = {words.split()}\nfrom synclint.lint.cli import main\n"
    script += "try: main()\nexcept SystemExit: print(not gc.isenabled() and gc.get_freeze_count() > 0)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.endswith(f"{left}\n")


def test_importing_the_package_is_cheap() -> None:
    script = "import sys, synclint; print([name for name in sys.modules if name.startswith('synclint')])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "['synclint']\n"
    assert synclint.Finding.__name__ == "Finding"
    assert callable(synclint.check_paths)


def test_without_arguments_it_shows_its_help(synclint_command: Command) -> None:
    outcome = synclint_command()
    assert (outcome.code, outcome.err) == (0, "")
    assert "Usage: synclint" in outcome.out.split("\n")[0]


def test_a_mistyped_command(synclint_command: Command, files: Path) -> None:
    outcome = synclint_command("chek")
    assert outcome.code == 2
    assert outcome.err == "synclint: `chek` is neither a command nor a path; did you mean `check`?\n"
    (files / "chek").mkdir()
    assert synclint_command("chek").code == 0


@pytest.mark.parametrize(
    "arguments",
    [["--select", ""], ["--ignore", " ,"], ["--config", ""], [""], ["explain", "error.py:" + "9" * 5000]],
)
def test_empty_and_endless_words_are_no_silent_defaults(synclint_command: Command, files: Path, arguments: Any) -> None:
    outcome = synclint_command(*arguments)
    assert outcome.code == 2
    assert "internal error" not in outcome.err


@pytest.mark.skipif(sys.platform == "win32", reason="no such shell")
@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ("- <&-", 2, "standard input cannot be read"),
        ("- 0>sink", 2, "standard input cannot be read"),
        ("clean.py >&-", 2, "standard output"),
        ("rule --all >/dev/full", 2, "standard output cannot be written"),
        ("clean.py >/dev/full", 2, "standard output"),
        ("clean.py 2>&-", 0, ""),
        ("gone.py -q 2>&- >&-", 2, ""),
    ],
)
@pytest.mark.parametrize("ci", ["", "true"])
def test_streams_that_are_closed_or_full(
    files: Path, monkeypatch: pytest.MonkeyPatch, words: str, code: int, message: str, ci: str
) -> None:
    monkeypatch.setenv("CI", ci)
    command = f"{sys.executable} -P -m synclint {words}" if sys.version_info >= (3, 11) else f"synclint {words}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, "internal error" in done.stderr, "Traceback" in done.stderr) == (code, False, False)
    assert message in done.stderr


def test_a_report_is_written_as_a_whole(
    synclint_command: Command, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (files / "old.json").write_text("old")
    (files / "old.json").chmod(0o640)
    (files / "link.json").symlink_to("old.json")

    def crash(_: object) -> None:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr("synclint.lint.output.formats.json.row", crash)
        assert synclint_command("error.py", "--output", "json=link.json").code == 2
    assert (files / "old.json").read_text() == "old"
    assert synclint_command("error.py", "--output", "json=link.json").code == 1
    assert json.loads((files / "old.json").read_text())
    assert (files / "link.json").is_symlink()
    assert (files / "old.json").stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="no such file here")
def test_a_report_for_a_stream(files: Path) -> None:
    with open("out", "w") as out:
        shell("clean.py", "-q", "--output-format", "concise", "--output", "json=/dev/stdout", stdout=out)
    assert (files / "out").read_text() == "[]\n"


def test_colours_as_the_environment_asks(
    synclint_command: Command, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[31m" in synclint_command("error.py").out
    assert "\x1b]8" not in synclint_command("error.py").out
    assert "\x1b" not in synclint_command("error.py", "--color", "never").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in synclint_command("error.py").out
    assert "\x1b[31m" in synclint_command("error.py", "--color", "always").out


def test_one_is_one(synclint_command: Command, files: Path) -> None:
    assert "1 file in" in synclint_command("clean.py", "--verbose").err


@pytest.mark.parametrize("word", ["--exit-zero", "--write-baseline", "--fix", "--config=x.toml", "--help", "-q", "-"])
def test_names_of_files_are_no_options(synclint_command: Command, files: Path, word: str) -> None:
    """A hook appends what the repository has; whoever means the file can say so."""
    (files / word).write_text("import torch\nwait_101()\n")
    for words in (("check", "error.py", word), (word, "error.py")):
        outcome = synclint_command(*words)
        assert (outcome.code, outcome.out) == (2, "")
        assert outcome.err == f"synclint: `{word}` is the name of a file here, too; for the file, write `./{word}`\n"
    assert synclint_command("clean.py", f"./{word}").code == 1
    if word != "-":
        assert synclint_command("clean.py", "--", word).code == 1


def test_nor_do_they_name_other_files(synclint_command: Command, files: Path) -> None:
    victim = files / "victim"
    (files / f"--output=concise={victim}").parent.mkdir(parents=True)
    (files / f"--output=concise={victim}").write_text("import torch\nwait_101()\n")
    assert synclint_command("check", "error.py", f"--output=concise={victim}").code == 2
    assert not victim.exists()


def test_names_that_git_tells_are_relative_to_its_repository(
    synclint_command: Command, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (files / ".git").mkdir()
    (files / "--exit-zero").touch()
    (files / "inner").mkdir()
    monkeypatch.chdir(files / "inner")
    assert synclint_command("check", "--exit-zero", "../error.py").code == 2


@pytest.mark.parametrize("name", ["run", "check", "clean"])
def test_nor_are_they_commands_where_all_files_are_meant(synclint_command: Command, files: Path, name: str) -> None:
    (files / name).write_text("")
    everything = sorted(os.listdir(files), key=lambda each: each != name)
    outcome = synclint_command(*everything)
    assert (outcome.code, outcome.out) == (2, "")
    assert f"`{name}` is the name of a file here, too" in outcome.err
    assert synclint_command(*(f"./{each}" for each in everything)).code == 1


def test_a_command_is_one_beside_a_file_of_its_name(synclint_command: Command, files: Path) -> None:
    (files / "check").mkdir()
    assert synclint_command("check", "error.py").code == 1


def test_hooks_end_their_options() -> None:
    """pre-commit appends names to the entry and the arguments."""
    from synclint.lint.adoption.initial import HOOK

    published = (Path(synclint.__file__).parent / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    assert "\n  args: [--]" in published
    assert "\n        args: [--]\n" in HOOK
