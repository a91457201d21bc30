"""Two runs compared: what became of each line, and what is said about files that are no runs."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result
from synclint.lint.cli import cli
from synclint.runtime_checker.comparison.changes import Change, changes
from synclint.runtime_checker.comparison.recorded import recorded

sys.path.append(str(Path(__file__).parents[2]))
from browsed import Page

if TYPE_CHECKING:
    from ..conftest import Run

HOSTILE = "</script><script>alert(1)</script><!--\x1b"


def line(row: int, text: str, count: float, name: str = "train.py", **more: Any) -> dict[str, Any]:
    return {
        "filename": name,
        "line": row,
        "text": text,
        "verdict": "confirmed",
        "codes": ["SYNC101"],
        "operators": ["item"],
        "kinds": ["reads value"],
        "count": 4,
        "count_per_step": count,
        "blocked_ms_per_step": None,
        **more,
    }


def write(path: Path, *lines: dict[str, Any], **more: Any) -> Path:
    ended = [float(100 * (at + 1)) for at in range(len(lines))]
    record = {
        "device": "a device",
        "steps": 4,
        "summary": {"waits_per_step": sum(each["count_per_step"] or 0 for each in lines)},
        "versions": {"torch": "2.13.0"},
        "lines": lines,
        "timeline": {
            "warmup": 1,
            "steps_ended_ms": [50.0, 500.0],
            "ended_ms": ended,
            "blocked_ms": None,
            "rows": list(range(len(lines))),
        },
    }
    path.write_text(json.dumps({**record, **more}), encoding="utf-8")
    return path


def compared(tmp_path: Path, before: list[dict[str, Any]], after: list[dict[str, Any]]) -> list[Change]:
    return changes(recorded(write(tmp_path / "a", *before)), recorded(write(tmp_path / "b", *after)))


def told(found: list[Change]) -> list[tuple[str, int | None, int | None]]:
    return [
        (each.verdict, each.before.line if each.before else None, each.after.line if each.after else None)
        for each in found
    ]


def compare(*words: object) -> Result:
    return CliRunner().invoke(cli, ["compare", *map(str, words)])


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param([line(3, "a.item()", 1)], [], [("gone", 3, None)], id="gone"),
        pytest.param([], [line(3, "a.item()", 1)], [("new", None, 3)], id="new"),
        pytest.param([line(3, "a.item()", 1)], [line(9, "a.item()", 1)], [("same", 3, 9)], id="moved"),
        pytest.param([line(3, "a.item()", 2)], [line(3, "a.tolist()", 1)], [("fewer", 3, 3)], id="edited"),
        pytest.param([line(3, "a.item()", 1)], [line(3, "a.item()", 1.5)], [("more", 3, 3)], id="more"),
        pytest.param([line(3, "a()", 1)], [line(4, "a()", 1, "new.py")], [("same", 3, 4)], id="renamed file"),
        pytest.param([line(3, "a()", 0)], [line(3, "a()", 0)], [], id="no wait"),
        pytest.param(
            [line(3, "a()", 1), line(5, "a()", 2)],
            [line(4, "a()", 1), line(6, "a()", 2)],
            [("same", 3, 4), ("same", 5, 6)],
            id="the same text twice",
        ),
        pytest.param(
            [line(3, "a()", 1, "x.py")],
            [line(3, "a()", 1, "y.py"), line(3, "a()", 1, "x.py")],
            [("new", None, 3), ("same", 3, 3)],
            id="the same text in a file that is new",
        ),
    ],
)
def test_what_became_of_lines(tmp_path: Path, before: Any, after: Any, expected: Any) -> None:
    assert told(compared(tmp_path, before, after)) == expected


def test_the_verdicts_of_a_line_are_one(tmp_path: Path) -> None:
    twice = [line(3, "a()", 1), line(3, "a()", 1, verdict="missed", codes=[])]
    (found,) = compared(tmp_path, twice, [line(3, "a()", 1)])
    assert (found.verdict, found.counts) == ("fewer", (2, 1))


def test_the_table(tmp_path: Path) -> None:
    before = write(tmp_path / "a.json", line(3, "a.item()", 2, blocked_ms_per_step=5.0))
    after = write(tmp_path / "b.json", line(4, "a.item()", 1, blocked_ms_per_step=2.5), device="another")
    done = compare(before, after)
    assert done.exit_code == 0, done.output
    assert "a device: 4 steps measured: 2 waits per step." in done.output
    assert "fewer   2 → 1       5.00 → 2.50  train.py:4 (was 3)  SYNC101  item (reads value)" in done.output
    assert "0 new, 0 more, 1 fewer, 0 gone, 0 same." in done.output
    assert "the runs were watched on different devices: a device, and another." in done.output


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "it is not JSON"),
        ("[" * 100_000, "it is not JSON"),
        ("\0\xff", "it is not JSON"),
        ("[]", "the file is missing or wrong"),
        ("{}", "`summary` is missing or wrong"),
        ('{"traceEvents": []}', "`summary` is missing or wrong"),
    ],
)
def test_what_is_no_run(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "a").write_text(text, encoding="latin-1")
    done = compare(tmp_path / "a", tmp_path / "a")
    assert done.exit_code == 1
    assert f"is not a report of a run: {why}; write one by `synclint run --output json=FILE`" in done.output


@pytest.mark.parametrize(
    "wrong",
    [
        {"steps": "4"},
        {"device": None},
        {"lines": [3]},
        {"lines": [line(3, "a()", float("nan"))]},
        {"lines": [line(3, "a()", 10**400)]},
        {"timeline": {"warmup": 0, "steps_ended_ms": [], "ended_ms": [1.0], "blocked_ms": None, "rows": [7]}},
        {"timeline": {"warmup": 0, "steps_ended_ms": [], "ended_ms": [1.0], "blocked_ms": None, "rows": []}},
        {"timeline": {"warmup": 0, "steps_ended_ms": [], "ended_ms": ["x"], "blocked_ms": None, "rows": [0]}},
    ],
)
def test_what_is_almost_a_run(tmp_path: Path, wrong: dict[str, Any]) -> None:
    done = compare(write(tmp_path / "a", line(3, "a()", 1), **wrong), tmp_path / "a")
    assert done.exit_code == 1
    assert "is not a report of a run: " in done.output


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert "none: No such file or directory" in compare(tmp_path / "none", tmp_path / "none").output


def test_another_format(tmp_path: Path) -> None:
    run = write(tmp_path / "a")
    assert "expected FORMAT=FILE, a format of html, json;" in compare(run, run, "--output", "sarif=x").output


def test_the_numbers(tmp_path: Path) -> None:
    before, after = write(tmp_path / "a", line(3, "a()", 2)), write(tmp_path / "b")
    assert compare(before, after, "--output", f"json={tmp_path / 'c'}").exit_code == 0
    record = json.loads((tmp_path / "c").read_text())
    assert record["before"]["waits_per_step"] == 2
    assert [(each["change"], each["before"]["line"], each["after"]) for each in record["changes"]] == [
        ("gone", 3, None)
    ]


def page(tmp_path: Path, before: list[dict[str, Any]], after: list[dict[str, Any]], **more: Any) -> tuple[Page, Any]:
    for module in ("jinja2", "pygments"):
        pytest.importorskip(module)
    names = (write(tmp_path / "a", *before, **more), write(tmp_path / "b", *after))
    assert compare(*names, "--output", f"html={tmp_path / 'c'}").exit_code == 0
    found = Page((tmp_path / "c").read_text(encoding="utf-8").splitlines())
    return found, json.loads(next(text for text in found.whole["script"] if text.startswith("[")))


def test_both_timelines_have_the_same_lanes_and_begin_with_the_measured_steps(tmp_path: Path) -> None:
    both, set_up = line(3, "a()", 1), line(8, "d()", 0)
    found, data = page(tmp_path, [both, line(5, "b()", 1)], [line(2, "c()", 1), both, set_up])
    lanes = ["train.py:2", "train.py:5", "train.py:3"]
    assert [each["lanes"] for each in data] == [lanes, [*lanes, "other lines"]]
    assert [each["lane"] for each in data] == [[2, 1], [0, 2, 3]]
    assert [each["ended"] for each in data] == [[50.0, 150.0], [50.0, 150.0, 250.0]]
    assert "gone1 → 0" in found.said("td")


def test_runs_without_waits(tmp_path: Path) -> None:
    _, data = page(tmp_path, [], [])
    assert [each["lanes"] for each in data] == [[], []]


def test_what_others_wrote_is_text(tmp_path: Path) -> None:
    found, data = page(
        tmp_path, [line(1, HOSTILE, 1, HOSTILE, codes=[HOSTILE], operators=[HOSTILE])], [], device=HOSTILE
    )
    assert len(found.all("script")) == 2
    assert "\x1b" not in json.dumps(data)
    found.assert_alone()


def test_runs_of_a_program(run: Run, tmp_path: Path) -> None:
    program = "import torch\nx = torch.ones(3).to('cuda')\nx.sum().item()\n"
    for name, source in (("a.json", program), ("b.json", "\n" + program.replace(".item()", ".tolist()"))):
        (tmp_path / "train.py").write_text(source)
        assert run("train.py").code == 0
        (tmp_path / "out.json").rename(tmp_path / name)
    found = changes(recorded(tmp_path / "a.json"), recorded(tmp_path / "b.json"))
    assert told(found) == [("new", None, 4), ("gone", 3, None), ("same", 2, 3)]
