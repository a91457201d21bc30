"""`check --fix` and its relatives: what is written, what is said, and what is left exactly as it was."""

from __future__ import annotations

import ast
import json
import os
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from synclint.lint.fix import passes

Run = Callable[..., tuple[int, str, str]]

PROGRAM = """\
import torch


def step(x):
    x = x.cuda()
    y = torch.tensor(0.5, device=x.device)  # half
    return x.sum().item() + y
"""
FIXED = PROGRAM.replace("torch.tensor(0.5", "torch.full((), 0.5")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_fix_writes_and_reports_the_rest(run: Run) -> None:
    Path("a.py").write_text(PROGRAM, encoding="utf-8")
    code, out, err = run("--fix", "a.py", "--fail-on", "warning")
    assert Path("a.py").read_text(encoding="utf-8") == FIXED
    assert (code, err) == (1, "Fixed 1 finding in 1 file.\n")
    assert "SYNC101" in out
    assert "SYNC302" not in out
    assert run("--fix", "a.py", "--ignore", "SYNC101")[0] == 0


def test_diff_shows_what_fix_writes(run: Run) -> None:
    Path("a.py").write_text(PROGRAM, encoding="utf-8")
    code, out, err = run("--diff", "a.py")
    assert (code, err) == (1, "Would fix 1 finding.\n")
    assert Path("a.py").read_text(encoding="utf-8") == PROGRAM
    Path("a.patch").write_text(out, encoding="utf-8")
    subprocess.run(["git", "apply", "-p0", "a.patch"], check=True)
    assert Path("a.py").read_text(encoding="utf-8") == FIXED
    assert run("--diff", "a.py") == (0, "", "No fixes.\n")


def test_fix_only_says_nothing_about_the_rest(run: Run) -> None:
    Path("a.py").write_text(PROGRAM, encoding="utf-8")
    assert run("--fix-only", "a.py") == (0, "", "Fixed 1 finding in 1 file.\n")


def test_show_fixes_lists_them(run: Run) -> None:
    Path("a.py").write_text(PROGRAM, encoding="utf-8")
    _, out, _ = run("--show-fixes", "a.py")
    assert "= fix: fill a tensor with the number (--fix)" in out
    assert "+    y = torch.full((), 0.5, device=x.device)  # half" in out
    _, _, err = run("--fix", "--show-fixes", "a.py")
    assert err == "Fixed 1 finding in 1 file:\n- a.py:\n    1 × SYNC302 (tensor-from-host-data-on-device)\n"


def test_the_summary_says_what_is_fixable(run: Run) -> None:
    Path("a.py").write_text(
        PROGRAM.replace("    return", "    z = torch.randn(3).cuda()\n    return"), encoding="utf-8"
    )
    _, out, _ = run("a.py", "--select", "SYNC302")
    assert "\nFixable: 1 with `--fix`, 1 more with `--fix --unsafe-fixes`.\n" in out
    _, out, _ = run("a.py", "--fix", "--select", "SYNC302")
    assert "\nFixable: 1 with `--fix --unsafe-fixes`.\n" in out


def test_standard_input_is_fixed_to_standard_output(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    import io
    import sys

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(PROGRAM.encode())))
    code, out, _ = run("--fix", "-", "--fail-on", "warning")
    assert (code, out) == (1, FIXED)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(PROGRAM.encode())))
    assert run("--fix", "-")[:2] == (0, FIXED)


@pytest.mark.parametrize(("key", "value"), [("fixable", "SYNC1"), ("unfixable", "SYNC3")])
def test_the_configuration_says_what_is_fixed(key: str, value: str, run: Run) -> None:
    Path("a.py").write_text(PROGRAM, encoding="utf-8")
    Path("synclint.toml").write_text(f'{key} = ["{value}"]\n', encoding="utf-8")
    run("--fix", "a.py", isolated=False)
    assert Path("a.py").read_text(encoding="utf-8") == PROGRAM


def test_json_has_the_edits(run: Run) -> None:
    Path("a.py").write_text(PROGRAM, encoding="utf-8")
    (row,) = json.loads(run("a.py", "--output-format", "json", "--select", "SYNC302")[1])
    assert row["fix"]["applicability"] == "safe"
    (edit,) = row["fix"]["edits"]
    assert edit == {
        "content": "full((), ",
        "location": {"row": 6, "column": 15},
        "end_location": {"row": 6, "column": 22},
    }


LAYOUTS = {
    "crlf": PROGRAM.replace("\n", "\r\n").encode(),
    "cr-and-lf": PROGRAM.replace("\n", "\r\n", 3).encode(),
    "mark": b"\xef\xbb\xbf" + PROGRAM.encode(),
    "latin": b"# -*- coding: latin-1 -*-\n" + PROGRAM.replace("half", "Hälfte").encode("latin-1"),
    "form-feed": PROGRAM.replace("\n\n\ndef", "\n\x0c\n\ndef").encode(),
    "tabs": PROGRAM.replace("    ", "\t").encode(),
    "no-end": PROGRAM.rstrip("\n").encode(),
    "separators": PROGRAM.replace("half", "ha\u2028lf \x1c \U0001f600").encode(),
    "wide": PROGRAM.replace("y = ", "ÿ = '\U0001f600', ").encode(),
    "semicolon": PROGRAM.replace("    y = ", "    'é'; y = ").encode(),
}


@pytest.mark.parametrize("data", LAYOUTS.values(), ids=LAYOUTS)
def test_everything_else_stays(data: bytes, run: Run) -> None:
    Path("a.py").write_bytes(data)
    run("--fix", "a.py", "--select", "SYNC302")
    assert Path("a.py").read_bytes() == data.replace(b"torch.tensor(0.5", b"torch.full((), 0.5")


def test_lines_end_as_the_others(run: Run) -> None:
    body = "x = torch.rand(8, 3).cuda()\n    m = x[:, 0] > 0\n    a = x[m]\n    return a, x[m]\n"
    program = f"import torch\n\n\ndef f():\n    {body}"
    Path("a.py").write_bytes(program.replace("\n", "\r\n").encode())
    run("--fix", "a.py", "--unsafe-fixes")
    data = Path("a.py").read_bytes()
    assert b"m_positions = m.nonzero(as_tuple=True)\r\n" in data
    assert data.count(b"\n") == data.count(b"\r\n")


def test_a_notebook_is_fixed_cell_by_cell(run: Run) -> None:
    cells = [
        {"cell_type": "code", "metadata": {}, "outputs": [], "source": ["%matplotlib inline\n", "import torch\n"]},
        {"cell_type": "markdown", "metadata": {}, "source": ["torch.tensor(0.5)"]},
        {"cell_type": "code", "metadata": {}, "outputs": [], "source": PROGRAM.splitlines(keepends=True)[3:]},
    ]
    text = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)
    Path("a.ipynb").write_text(text, encoding="utf-8")
    _, out, _ = run("--diff", "a.ipynb")
    assert "+++ a.ipynb:cell 3" in out
    run("--fix", "a.ipynb")
    fixed = text.replace("torch.tensor(0.5, ", "torch.full((), 0.5, ")
    assert Path("a.ipynb").read_text(encoding="utf-8") == fixed


def test_a_file_that_changes_meanwhile_is_left(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("a.py").write_text(PROGRAM, encoding="utf-8")
    changed = passes.changed

    def change(*arguments: object) -> bytes:
        Path("a.py").write_text("# another\n" + PROGRAM, encoding="utf-8")
        return changed(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(passes, "changed", change)
    code, _, err = run("--fix", "a.py", "--fail-on", "warning")
    assert (code, err) == (1, "a.py: not fixed: it was changed in the meantime\n")
    assert Path("a.py").read_text(encoding="utf-8") == "# another\n" + PROGRAM


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everything")
def test_a_write_protected_file_is_left(run: Run) -> None:
    Path("a.py").write_text(PROGRAM, encoding="utf-8")
    Path("a.py").chmod(0o444)
    _, out, err = run("--fix", "a.py")
    assert err == "a.py: not fixed: it is write-protected\n"
    assert "SYNC302" in out


def test_the_mode_stays(run: Run) -> None:
    Path("a.py").write_text(PROGRAM, encoding="utf-8")
    Path("a.py").chmod(0o750)
    run("--fix", "a.py")
    assert stat.S_IMODE(Path("a.py").stat().st_mode) == 0o750


def test_an_error_while_writing_leaves_the_file(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    Path("a.py").write_text(PROGRAM, encoding="utf-8")
    monkeypatch.setattr("synclint.lint.store.rewrite.os.replace", full)
    code, out, err = run("--fix", "a.py", "--fail-on", "warning")
    assert (code, err) == (1, "a.py: not fixed: No space left on device\n")
    assert "SYNC302" in out
    assert os.listdir() == ["a.py"]


def test_deep_nesting_is_left(run: Run) -> None:
    deep = PROGRAM.replace("0.5, device", f"{'(' * 150}0.5{')' * 150}, device")
    chain = PROGRAM.replace("device=x.device", f"device=x{'.f()' * 300}.device")
    Path("a.py").write_text(deep, encoding="utf-8")
    Path("b.py").write_text(chain, encoding="utf-8")
    code, _, _ = run("--fix", "a.py", "b.py", "--fail-on", "warning")
    assert code == 1
    for name in ("a.py", "b.py"):
        ast.parse(Path(name).read_text(encoding="utf-8"))
    assert Path("b.py").read_text(encoding="utf-8") == chain


BROKEN = {
    "broken": b"import torch\ndef f(:\n",
    "newer-syntax": PROGRAM.replace("x.sum()", "t'{x}'.sum() if x else lazy x").encode(),
    "older-syntax": PROGRAM.replace("return", "print 'é'\n    return").encode(),
    "not-utf-8": PROGRAM.replace("half", "Hälfte").encode("latin-1"),
    "null": PROGRAM.replace("half", "\0").encode(),
    "nested": PROGRAM.replace("0.5", f"{'-' * 5_000}0.5").encode(),
}


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN)
def test_a_broken_file_stops_no_other(data: bytes, run: Run) -> None:
    Path("a.py").write_bytes(data)
    Path("b.py").write_text(PROGRAM, encoding="utf-8")
    run("--fix", "a.py", "b.py")
    assert Path("a.py").read_bytes() == data
    assert Path("b.py").read_text(encoding="utf-8") == FIXED


def test_fix_and_baseline_do_not_go_together(run: Run) -> None:
    Path("a.py").write_text(PROGRAM, encoding="utf-8")
    code, _, err = run("--fix", "--add-ignore", "a.py")
    assert code == 2
    assert "--add-ignore and --fix" in err


def test_a_fix_that_does_no_good_is_not_kept(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a rewriting writes: what is still reported afterwards is not written."""
    from synclint.lint.fix.place import Place
    from synclint.lint.fix.rewrites import REWRITINGS

    monkeypatch.setitem(REWRITINGS, "number-as-full", lambda place: Place.written(place, f"{place.text}.cuda()"))
    program = PROGRAM.replace("    return", "    z = torch.zeros(3).cuda()\n    return")
    Path("a.py").write_text(program, encoding="utf-8")
    run("--fix", "a.py")
    fixed = program.replace("torch.zeros(3).cuda()", 'torch.zeros(3, device="cuda")')
    assert Path("a.py").read_text(encoding="utf-8") == fixed
