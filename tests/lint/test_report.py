"""Where reports go: printed, written, or both, and in which format."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from synclint.lint.output import formats
from synclint.lint.output.targets import format_names

Command = Callable[..., Any]


@pytest.fixture
def file(here: Path) -> str:
    (here / "a.py").write_text("import torch\nwait_101()\n")
    return "a.py"


def test_a_format_is_there_because_its_file_is() -> None:
    files = {file.stem.replace("_", "-") for file in Path(formats.__file__).parent.glob("*.py")}
    assert set(format_names()) == files - {"--init--"}
    assert {"full", "concise", "grouped", "json", "json-lines", "github", "gitlab", "sarif"} <= set(format_names())
    assert {"rdjsonl", "junit", "azure", "pylint"} <= set(format_names())


@pytest.mark.parametrize("form", format_names())
def test_one_run_prints_for_people_and_writes_for_programs(synclint_command: Command, file: str, form: str) -> None:
    printed = synclint_command(file, "--output-format", form)
    done = synclint_command(file, "--output-format", "concise", "--output", f"{form}=out", "--output=json=out.json")
    assert (printed.code, done.code) == (1, 1)
    assert done.out.startswith("a.py:2:1: error: ")
    assert Path("out").read_text(encoding="utf-8") == printed.out
    assert [row["code"] for row in json.loads(Path("out.json").read_text())] == ["SYNC101"]


def test_what_is_printed_by_itself(
    synclint_command: Command, file: str, monkeypatch: pytest.MonkeyPatch, here: Path
) -> None:
    full = synclint_command(file, "--output-format", "full").out
    assert synclint_command(file).out == full
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(here / "summary.md"))
    github = synclint_command(file, "--output", "sarif=x.sarif").out
    assert github.splitlines()[1].startswith("::error title=SYNC101 item-call,file=a.py,line=2,")
    assert github.endswith("Found 1 error in 1 file.\n")
    assert "SYNC101" in (here / "summary.md").read_text()
    assert synclint_command(file, "--output-format", "full").out == full
    assert len(synclint_command(file, "--output", "json-lines=-").out.splitlines()) == 1


def test_counts_are_printed_and_findings_written(synclint_command: Command, file: str) -> None:
    done = synclint_command(file, "--statistics", "--output", "concise=out")
    assert done.out.startswith("1  SYNC101")
    assert Path("out").read_text().startswith("a.py:2:1: ")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--output", "json"], "expected FORMAT=FILE"),
        (["--output", "xml=out"], "expected FORMAT=FILE"),
        (["--output", "json="], "expected FORMAT=FILE"),
        (["--output", "json=."], "cannot write to"),
        (["--output", "json=no/such/folder"], "cannot write to"),
        (["--output", "json=-", "--output-format", "full"], "standard output already takes another format"),
        (["--output", "json=x", "--output", "sarif=./x"], "already takes another format"),
    ],
)
def test_wrong_outputs_are_found_before_the_run(
    synclint_command: Command, file: str, words: list[str], said: str
) -> None:
    done = synclint_command(file, *words)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert done.err.count("\n") == 1


def test_a_disk_that_is_full(synclint_command: Command, file: str) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    done = synclint_command(file, "--output", "json=/dev/full")
    assert done.code == 2
    assert "could not write the report to /dev/full" in done.err


def test_only_the_chosen_format_is_imported(here: Path) -> None:
    (here / "a.py").write_text("x = 1\n")
    script = (
        "import sys; sys.argv = ['synclint', 'a.py', '--output-format', 'concise']\n"
        "from synclint.lint.cli import main\n"
        "try: main()\n"
        "finally: print(*(name for name in sys.modules if '.formats.' in name or name == 'xml'))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "synclint.lint.output.formats.concise"
