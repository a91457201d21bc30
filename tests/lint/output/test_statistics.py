"""Counts of rules."""

from __future__ import annotations

import json
from collections.abc import Callable

from synclint.lint.finding import Finding
from synclint.lint.output.outcome import Outcome
from synclint.lint.output.statistics import render_counts


def test_the_most_frequent_first(finding: Callable[..., Finding]) -> None:
    findings = [finding(code="SYNC102", name="b"), *[finding()] * 10]
    outcome = Outcome(findings, lambda _: ())
    assert list(render_counts(outcome)) == ["10  SYNC101  item-call", " 1  SYNC102  b"]
    assert [row["count"] for row in json.loads("".join(render_counts(outcome, as_json=True)))] == [10, 1]
    assert list(render_counts(Outcome([], lambda _: ()))) == []
