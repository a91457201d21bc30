"""The join of what was seen and what is reported, with plain data."""

from __future__ import annotations

import json
import runpy
from collections.abc import Sequence
from dataclasses import replace

import pytest
from synclint.lint.finding import Confidence, Finding, Frequency, Kind, Level, Severity, Span
from synclint.runtime_checker.observe import Wait
from synclint.runtime_checker.script.program import Enough
from synclint.runtime_checker.script.report import Report, as_json, confirmed, rendered, table
from synclint.runtime_checker.script.steps import Steps, Window
from synclint.runtime_checker.script.verdicts import Judgement, Known, Row, Seen, judge

FILE = "/project/train.py"
KINDS = {"SYNC402": Kind.SETUP, "SYNC404": Kind.BUG, "SYNC903": Kind.META}


def finding(row: int, code: str = "SYNC101", end: int | None = None, statement: str = "") -> Finding:
    span = Span(FILE, row, 1, end or row, 9)
    often = Frequency(Level.EVERY_STEP)
    kind = KINDS.get(code, Kind.STALL)
    sure = Confidence.CERTAIN
    return Finding(code, "item-call", span, "waits", Severity.ERROR, often, sure, (), "", "", statement, kind)


def wait(row: int, seconds: float | None = 0.01, library: tuple[str, int] | None = None) -> Wait:
    stack = ((runpy.__file__, 3, "run"), (FILE, row, "main"))
    return Wait(FILE, row, "item", "reads value", seconds, library, stack)


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
    source: str = "",
) -> Judgement:
    rows = None if ran is None else {FILE: ran}
    known = Known(findings, lambda _, row: row in accepted, lambda _, row: source)
    return judge(Seen(waits, window(waits), rows), known)


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
    assert told(judgement) == [(3, "missed"), (5, "confirmed"), (1, "set-up only")]
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
    assert told(verdicts([replace(copy, kind="unknown")], [finding(1)], ran=[1])) == [(1, "confirmed")]


def test_set_up_is_confirmed_by_what_it_causes() -> None:
    reported = [finding(1, "SYNC402", statement="self.mean_loss = MeanMetric()")]
    copy = replace(wait(7, library=("/site-packages/torchmetrics/aggregation.py", 100)), kind="copy to device")
    assert told(verdicts([copy], reported, [1, 7], source="self.mean_loss.update(loss)")) == [(7, "missed")]


def test_waits_of_libraries_alone_are_not_missed() -> None:
    inside = replace(wait(3), filename=runpy.__file__)
    assert [row.verdict for row in verdicts([inside], []).rows] == ["in a library"]


def test_set_up_is_confirmed_where_its_object_waits() -> None:
    library = ("/site-packages/torchmetrics/aggregation.py", 100)
    reported = [finding(1, "SYNC402", statement="self.mean_loss = MeanMetric().to(device)")]
    judgement = verdicts([wait(7, library=library)], reported, [1, 7], source="    state.mean_loss.update(loss)")
    assert told(judgement) == [(7, "confirmed")]
    assert judgement.rows[0].codes == ("SYNC402",)
    other = verdicts([wait(7, library=library)], reported, [1, 7], source="    other.update(loss)")
    assert told(other) == [(7, "missed")]
    assert other.unjudged == 1
    constructor = verdicts([wait(1, library=library)], reported, [1], source="self.mean_loss = MeanMetric()")
    assert told(constructor) == [(1, "missed")]
    barrier = verdicts([replace(wait(7, library=library), kind="synchronize")], reported, [7], source="state.mean_loss")
    assert told(barrier) == [(7, "missed")]
    both = verdicts([wait(7, library=library)], [*reported, finding(7)], [1, 7], source="state.mean_loss.update(x)")
    assert [row.codes for row in both.rows] == [("SYNC101", "SYNC402")]


def test_the_line_in_which_the_program_ended_is_not_refuted() -> None:
    """Its exception may have come before what would have waited."""
    seen = Seen([], window([]), {FILE: [1, 2, 3]}, cut={(FILE, 3)})
    assert told(judge(seen, Known([finding(1), finding(2, end=4)]))) == [(1, "refuted"), (2, "not reached")]


def test_most_lines_that_did_not_run_are_only_counted() -> None:
    seen = Seen([wait(99)], window([wait(99)]), {FILE: []})
    judged = judge(seen, Known([finding(row) for row in range(1, 31)]))
    lines = list(table(Report("a device", window([wait(99)]), judged)))
    assert sum(line.startswith("not reached") for line in lines) == 10
    assert "and 20 more lines not reached; `--output json` has all" in lines
    assert "30 not reached" in lines[-1]


def test_a_lambda_that_is_not_called_is_not_refuted_where_it_is_written() -> None:
    seen = Seen([], window([]), {FILE: [1, 2, 3]}, called={FILE: [2]})
    judged = judge(seen, Known([finding(row) for row in (1, 2, 3)], in_lambda=lambda each: each.span.row < 3))
    assert told(judged) == [(2, "refuted"), (3, "refuted"), (1, "not reached")]


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
        assert record["lines"][1]["library"] == [{"filename": "lib/a.py", "line": 3}]

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
    seen = Seen([inside], window([inside]), {FILE: {3, 20, 30}})
    verdicts = {(row.line, row.verdict) for row in judge(seen, known).rows}
    assert verdicts == {(20, "confirmed"), (3, "missed"), (30, "refuted"), (40, "not reached")}
