"""The join of what was seen and what is reported, with plain data."""

from __future__ import annotations

import json
import runpy
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from synclint.lint.finding import Confidence, Finding, Frequency, Kind, Level, Severity, Span
from synclint.runtime_checker.observe import Wait
from synclint.runtime_checker.script.lines import Ran, Region
from synclint.runtime_checker.script.program import Enough
from synclint.runtime_checker.script.report import Report, as_json, confirmed, rendered, table
from synclint.runtime_checker.script.steps import Steps, Window
from synclint.runtime_checker.script.verdicts import Judgement, Known, Row, Seen, judge

FILE = "/project/train.py"
KINDS = {"SYNC402": Kind.SETUP, "SYNC404": Kind.BUG, "SYNC903": Kind.META}


def finding(row: int, code: str = "SYNC101", end: int | None = None) -> Finding:
    span = Span(FILE, row, 1, end or row, 9)
    often = Frequency(Level.EVERY_STEP)
    kind = KINDS.get(code, Kind.STALL)
    sure = Confidence.CERTAIN
    return Finding(code, "item-call", span, "waits", Severity.ERROR, often, sure, (), "", "", "", kind)


def wait(row: int, seconds: float | None = 0.01, library: tuple[str, int] | None = None) -> Wait:
    stack = ((runpy.__file__, 3, "run"), (FILE, row, "main"))
    return Wait(FILE, row, "item", "reads value", seconds, library, stack)


def checked(row: int, maker: int | None, function: str = "_cast_and_nan_check_input", column: int = 1) -> Wait:
    """An aggregator that a line has made checks for NaN, where another line updates it."""
    found = wait(row, library=("/site-packages/torchmetrics/aggregation.py", 100))
    stack = (*found.stack, ("/site-packages/torchmetrics/aggregation.py", 100, function))
    return replace(found, stack=stack, maker=None if maker is None else (FILE, maker, column))


def whole(rows: Sequence[int]) -> Ran:
    """Rows that ran from their first column to the last."""
    return Ran(frozenset(Region(row, 1, row, 9) for row in rows))


def window(waits: Sequence[Wait], steps: int = 2, skipped: int = 1) -> Window:
    """Step 1 is warm-up; all waits that are given come after it."""
    counter = Steps(waits)
    counter.marks += [(0 if at < skipped else len(waits), 0.1 * at) for at in range(skipped + steps)]
    return counter.window(skipped)


def verdicts(
    waits: Sequence[Wait],
    findings: Sequence[Finding],
    ran: Sequence[int] | None = (),
    accepted: Sequence[int] = (),
) -> Judgement:
    known = Known(findings, lambda _, row: row in accepted)
    return judge(Seen(waits, window(waits), None if ran is None else {FILE: whole(ran)}), known)


def told(judgement: Judgement) -> list[tuple[int, str]]:
    return [(row.line, row.verdict) for row in judgement.rows]


def test_the_four_verdicts() -> None:
    judgement = verdicts([wait(1), wait(4, 0.001)], [finding(1), finding(2), finding(3)], ran=[1, 2, 4])
    assert told(judgement) == [(1, "confirmed"), (4, "missed"), (2, "refuted"), (3, "not reached")]


def test_sorted_by_cost_then_by_count() -> None:
    judgement = verdicts([wait(1), wait(2, 0.03), wait(3, None), wait(4, None), wait(4, None)], [finding(1)])
    assert told(judgement) == [(2, "missed"), (1, "confirmed"), (4, "missed"), (3, "missed")]


def test_numbers_per_step() -> None:
    row = verdicts([wait(1), wait(1, 0.03)], [finding(1)]).rows[0]
    assert row.count_per_step == 1.0
    assert row.seconds_per_step == pytest.approx(0.02)
    assert row.share == pytest.approx(0.02 / 0.1)


def test_expressions_over_several_lines() -> None:
    judgement = verdicts([wait(3)], [finding(1, end=9), finding(2, end=4)], ran=[1])
    assert told(judgement) == [(2, "confirmed"), (1, "refuted")]


def test_several_findings_on_one_line() -> None:
    judgement = verdicts([wait(1)], [finding(1, "SYNC201"), replace(finding(1), severity=Severity.NOTE)])
    assert judgement.rows[0].codes == ("SYNC201", "SYNC101")


def test_a_wait_before_the_measured_steps_confirms_nothing() -> None:
    waits = [wait(1), wait(2), wait(3), wait(5), wait(6)]
    counter = Steps(waits, marks=[(2, 0.0), (3, 1.0)])
    judgement = judge(Seen(waits, counter.window(1), {}), Known([finding(1), finding(5)]))
    assert told(judgement) == [(3, "missed"), (5, "confirmed"), (1, "only before")]
    assert judgement.rows[1].count_per_step == 0.0


def test_a_wait_confirms_the_rules_that_report_its_kind() -> None:
    copy = replace(wait(1), kind="copy to device", operator="to")
    judgement = verdicts([copy], [finding(1), finding(1, "SYNC301")], ran=[1])
    assert [(row.verdict, row.codes) for row in judgement.rows] == [
        ("confirmed", ("SYNC301",)),
        ("refuted", ("SYNC101",)),
    ]
    judgement = verdicts([copy], [finding(1)], ran=[1])
    assert told(judgement) == [(1, "missed"), (1, "refuted")]


def test_a_wait_for_what_nobody_knows_confirms_nothing_and_refutes_nothing() -> None:
    unknown = replace(wait(1), kind="unknown", operator="step")
    assert told(verdicts([unknown], [finding(1)], ran=[1])) == [(1, "unclear")]
    assert told(verdicts([unknown, wait(1)], [finding(1)], ran=[1])) == [(1, "confirmed"), (1, "missed")]
    assert told(verdicts([unknown], [finding(1, "SYNC504")], ran=[1])) == [(1, "confirmed")]


def test_waits_of_libraries_alone_are_not_missed() -> None:
    inside = replace(wait(3), filename=runpy.__file__)
    assert [row.verdict for row in verdicts([inside], []).rows] == ["in a library"]


def test_set_up_is_confirmed_where_its_object_waits() -> None:
    reported = [finding(1, "SYNC402"), finding(2, "SYNC402")]
    judgement = verdicts([checked(7, maker=2)], reported, [1, 2, 7])
    assert told(judgement) == [(7, "confirmed")]
    assert judgement.rows[0].findings == (reported[1],)
    assert judgement.unjudged == 1


@pytest.mark.parametrize(
    "other",
    [
        checked(7, maker=3),
        checked(7, maker=None),
        checked(7, maker=1, column=20),
        checked(7, maker=1, function="compute"),
        replace(checked(7, maker=1), kind="copy to device"),
        replace(checked(7, maker=1), kind="synchronize"),
        replace(checked(7, maker=1), maker=("/project/other.py", 1, 1)),
    ],
)
def test_set_up_is_not_confirmed_by_what_it_does_not_cause(other: Wait) -> None:
    """Another object, one that nobody knows, another function of it, another kind of wait, or another file."""
    judgement = verdicts([other], [finding(1, "SYNC402")], [1, 7])
    assert told(judgement) == [(7, "missed")]
    assert judgement.unjudged == 1


def test_objects_on_one_line_are_told_apart() -> None:
    """They wait by the same instruction, so that their waits are equal."""
    judgement = verdicts([checked(7, maker=1), checked(7, maker=3)], [finding(1, "SYNC402")], [1, 7])
    assert [(row.verdict, len(row.waits)) for row in judgement.rows] == [("confirmed", 1), ("missed", 1)]


def test_where_columns_are_not_known_an_object_is_that_of_its_row() -> None:
    assert told(verdicts([checked(7, maker=2, column=0)], [finding(1, "SYNC402", end=3)], [1, 7])) == [(7, "confirmed")]


def test_set_up_that_waits_before_the_measured_steps_is_only_before() -> None:
    waits = [checked(7, maker=1), checked(7, maker=1)]
    seen = Seen(waits, Steps(waits, marks=[(2, 0.0), (2, 1.0)]).window(1), {})
    judgement = judge(seen, Known([finding(1, "SYNC402")]))
    assert told(judgement) == [(7, "only before")]
    report = Report("a device", seen.window, judgement)
    assert [line.split()[:6] for line in table(report) if "SYNC402" in line] == [
        ["only", "before", "2", "in", "all", "-"]
    ]
    assert confirmed(report) == []


def test_a_trainers_check_is_told_by_its_line(tmp_path: Path) -> None:
    """Its arguments are no module, so a wait is theirs only if there is one set of them."""
    trainer = tmp_path / "transformers" / "trainer.py"
    trainer.parent.mkdir()
    trainer.write_text("loss.item()\nif torch.isnan(loss):\n", encoding="utf-8")
    reported = replace(finding(1, "SYNC408"), kind=Kind.SETUP)
    inside = [wait(7, library=(str(trainer), row)) for row in (1, 2)]
    assert told(verdicts(inside[1:], [reported], [1, 7])) == [(7, "confirmed")]
    assert told(verdicts(inside[:1], [reported], [1, 7])) == [(7, "missed")]
    assert told(verdicts(inside[1:], [reported, replace(reported)], [1, 7])) == [(7, "missed")]


def test_the_line_in_which_the_program_ended_is_not_refuted() -> None:
    """Its exception may have come before what would have waited."""
    seen = Seen([], window([]), {FILE: whole([1, 2, 3])}, cut={(FILE, 3)})
    assert told(judge(seen, Known([finding(1), finding(2, end=4)]))) == [(1, "refuted"), (2, "not reached")]


def test_most_lines_that_did_not_run_are_only_counted() -> None:
    seen = Seen([wait(99)], window([wait(99)]), {FILE: whole([])})
    judged = judge(seen, Known([finding(row) for row in range(1, 31)]))
    lines = list(table(Report("a device", window([wait(99)]), judged)))
    assert sum(line.startswith("not reached") for line in lines) == 10
    assert "and 20 more lines not reached; `--output json` has all" in lines
    assert "30 not reached" in lines[-1]


def test_of_two_findings_on_a_line_each_is_judged_by_what_ran() -> None:
    two = [replace(finding(1), span=Span(FILE, 1, column, 1, column + 4)) for column in (1, 11)]
    seen = Seen([], window([]), {FILE: Ran(frozenset([Region(1, 11, 1, 15)]))})
    rows = judge(seen, Known(two)).rows
    assert {row.verdict: row.findings for row in rows} == {"not reached": (two[0],), "refuted": (two[1],)}


def test_bugs_are_not_refuted_and_meta_is_left_out() -> None:
    judgement = verdicts([], [finding(1, "SYNC404"), finding(2, "SYNC903")], ran=[1, 2])
    assert told(judgement) == []
    assert judgement.unjudged == 1


def test_accepted_waits_are_not_missed() -> None:
    judgement = verdicts([wait(5), wait(5)], [], accepted=[5])
    assert told(judgement) == []
    assert judgement.accepted == 2


def test_without_followed_lines_only_waits_are_judged() -> None:
    assert told(verdicts([wait(1)], [finding(1), finding(2)], ran=None)) == [(1, "confirmed")]


class TestSteps:
    def test_the_optimizer_that_steps_most_counts(self) -> None:
        waits: list[Wait] = []
        steps, generator, critic = Steps(waits), object(), object()
        for _ in range(2):
            waits.append(wait(1))
            steps.stepped(critic)
            steps.stepped(critic)
            steps.stepped(generator)
        assert [count for count, _ in steps.marks] == [1, 1, 2, 2]

    def test_stops(self) -> None:
        steps, optimizer = Steps([], limit=2), object()
        steps.stepped(optimizer)
        with pytest.raises(Enough):
            steps.stepped(optimizer)

    def test_shorter_than_the_warm_up(self) -> None:
        steps = Steps([wait(1), wait(2)], marks=[(1, 0.0), (2, 1.0)])
        measured = steps.window(3)
        assert (measured.ledger.steps, measured.ledger.count, measured.skipped) == (1, 1, 1)

    def test_without_warm_up(self) -> None:
        measured = Steps([wait(1)], marks=[(1, 5.0)]).window(0)
        assert (measured.ledger.steps, measured.step_seconds) == (1, None)

    def test_nobody_steps(self) -> None:
        measured = Steps([wait(1)]).window(3)
        assert (measured.ledger.steps, measured.ledger.count) == (None, 1)


class TestReport:
    def report(self) -> Report:
        waits = [wait(1), wait(1), wait(4, None, ("/x/site-packages/lib/a.py", 3))]
        judgement = verdicts(waits, [finding(1), finding(2)], ran=[1, 2])
        return Report("fake device", window(waits), judgement, ("a note\x1b",))

    def test_table(self) -> None:
        lines = list(table(self.report()))
        assert lines[0] == (
            "synclint: fake device: 2 steps measured after 1 warm-up step: 1.5 waits per step, 10.00 ms of it blocked, "
            "a step takes 100.00 ms."
        )
        assert lines[2].split() == ["verdict", "waits/step", "ms/step", "share", "line", "rule", "waits", "for"]
        assert lines[3].split()[:6] == ["confirmed", "1", "10.00", "10.0%", f"{FILE}:1", "SYNC101"]
        assert lines[4].endswith("item (reads value) in lib/a.py:3")
        assert lines[-2] == "synclint: 1 confirmed, 1 missed, 1 refuted, 0 not reached."
        assert lines[-1] == r"synclint: a note\x1b"

    def test_places_inside_of_libraries(self) -> None:
        waits = [wait(1), *(wait(1, None, ("/x/site-packages/lib/a.py", row)) for row in (3, 3, 4))]
        lines = list(table(Report("fake device", window(waits), verdicts(waits, []))))
        assert lines[4:7] == [
            "    1 per step: item (reads value) in lib/a.py:3",
            "    0.5 per step: item (reads value) in the line itself",
            "    0.5 per step: item (reads value) in lib/a.py:4",
        ]

    def test_json(self) -> None:
        record = json.loads("\n".join(as_json(self.report(), lambda _: ["  x.item()"], {"warmup": 0})))
        assert list(record) == ["device", "steps", "summary", "versions", "lines", "timeline"]
        assert record["timeline"] == {"warmup": 0}
        assert record["summary"] == {
            "waits_per_step": 1.5,
            "blocked_ms_per_step": pytest.approx(10),
            "step_ms": pytest.approx(100),
            "waits_before": 0,
            "waits_after": 0,
        }
        assert record["lines"][0] == {
            "filename": FILE,
            "line": 1,
            "text": "x.item()",
            "verdict": "confirmed",
            "code": "SYNC101",
            "codes": ["SYNC101"],
            "operators": ["item"],
            "library": [],
            "ended_ms": [0.0, 0.0],
            "kinds": ["reads value"],
            "count": 2,
            "count_per_step": 1.0,
            "blocked_ms_per_step": pytest.approx(10),
            "share_of_step": pytest.approx(0.1),
            "stack": [{"filename": FILE, "line": 1, "function": "main"}],
        }
        assert record["lines"][1]["code"] is None
        assert record["lines"][1]["library"] == [
            {
                "filename": "lib/a.py",
                "line": 3,
                "operator": "item",
                "kind": "reads value",
                "often": 0.5,
                "codes": [],
                "setting": None,
            }
        ]

    def test_a_device_without_a_clock_tells_no_times(self) -> None:
        waits = [wait(1, None)]
        report = Report("model", window(waits), verdicts(waits, []), has_clock=False)
        assert "a step takes" not in "\n".join(table(report))
        assert json.loads("\n".join(as_json(report, lambda _: [], {})))["summary"]["step_ms"] is None

    @pytest.mark.parametrize("form", ["github", "concise", "full"])
    def test_only_confirmed_findings_are_rendered(self, form: str) -> None:
        text = "\n".join(rendered(self.report(), form, lambda _: ["x.item()", "y.item()"]))
        assert "confirmed on fake device: waits 1 per step, 10.00 ms" in text
        assert len(confirmed(self.report())) == 1

    def test_names_of_files_are_escaped(self) -> None:
        strange = Row("/a\x1b[1m\n.py", 1, "missed", (), (wait(1),))
        lines = list(table(Report("d", window([wait(1)]), Judgement((strange,)))))
        assert not any("\x1b" in line or "\n" in line for line in lines)


def test_a_declared_function_is_confirmed_by_a_wait_in_a_line_of_its_own() -> None:
    inside = replace(wait(3), stack=((FILE, 20, "main"), (FILE, 3, "drain")))
    known = Known([finding(20, "SYNC112"), finding(30, "SYNC112"), finding(40, "ACME001")])
    seen = Seen([inside], window([inside]), {FILE: whole([3, 20, 30])})
    verdicts = {(row.line, row.verdict) for row in judge(seen, known).rows}
    assert verdicts == {(20, "confirmed"), (3, "missed"), (30, "refuted"), (40, "not reached")}
