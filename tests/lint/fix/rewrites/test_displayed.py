"""Fixes that are shown and never written: what was an exception would end the use of the device, or pass unnoticed."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from synclint.lint.files.edits import applied
from synclint.lint.offers import Edit

from ..conftest import ABOVE

CASES = {
    "assertion": ("assert (x > 0).all(), 'sign'", "torch._assert_async((x > 0).all(), 'sign')"),
    "refusal": (
        "if x.isnan().any():\n    raise RuntimeError('not a number')",
        "torch._assert_async(x.isnan().any().logical_not(), 'not a number')",
    ),
    "refusal-unless": (
        "if not (x > 0).all():\n    raise AssertionError('sign')",
        "torch._assert_async((x > 0).all(), 'sign')",
    ),
    "row": ("i = line.argmax()\nz = x[i]", "i = line.argmax()\nz = x[i.reshape(1)][0]"),
    "classes": (
        "z = torch.bincount(line, minlength=9)",
        "z = torch.zeros(9, dtype=torch.long, device=line.device)"
        ".scatter_add_(\n    0, line.long(), torch.ones_like(line, dtype=torch.long)\n)",
    ),
    "linalg": ("z = torch.linalg.inv(x)", "z = torch.linalg.inv_ex(x)[0]"),
    "factors": ("z, p = torch.linalg.lu_factor(x)", "z, p = torch.linalg.lu_factor_ex(x)[:2]"),
}
Run = Callable[..., tuple[int, str, str]]


@pytest.mark.parametrize(("before", "after"), CASES.values(), ids=CASES)
def test_it_is_shown_and_not_written(
    before: str, after: str, run: Run, fixed: Callable[..., str], tmp_path: Path
) -> None:
    assert fixed(before, "--unsafe-fixes") == before
    program = ABOVE + textwrap.indent(before, " " * 8)
    (tmp_path / "train.py").write_text(program, encoding="utf-8")
    rows = json.loads(run("--output-format", "json", "train.py")[1])
    (shown,) = (each["fix"] for each in rows if each["fix"] and each["fix"]["applicability"] == "display")
    places = ((*each["location"].values(), *each["end_location"].values(), each["content"]) for each in shown["edits"])
    written = applied(program.splitlines(keepends=True), (Edit(*each) for each in places))
    assert textwrap.dedent(written.removeprefix(ABOVE)) == after
    _, out, _ = run("--show-fixes", "--show-notes", "train.py")
    assert "(by hand: " in out


def test_an_index_that_may_be_a_number_is_not_reshaped(fixed: Callable[..., str], run: Run) -> None:
    snippet = "i = line.argmax() if n else -1\nz = x[i]"
    assert fixed(snippet, "--unsafe-fixes") == snippet
    rows = json.loads(run("--output-format", "json", "train.py")[1])
    assert [each["code"] for each in rows if each["fix"]] == []
