"""What functions return is found once for all calls that it is the same for."""

from __future__ import annotations

import pytest
from synclint.lint.inference.linking.index.answer import CUT, FAR, Answer, Unfinished
from synclint.lint.inference.linking.resolving.results import Results
from synclint.lint.inference.values.union import Host

ONE, TWO = {"x": Host("int", 1)}, {"x": Host("int", 2)}


def test_a_result_that_depends_on_parameters_holds_for_the_same_arguments() -> None:
    results = Results()
    kept = results.remember("f", ONE, 0, Answer("found", owners=frozenset(("f",))))
    assert kept.owners == frozenset()
    assert results.known("f", dict(ONE), 0) == kept
    assert results.known("f", TWO, 0) is None
    assert results.known("g", ONE, 0) is None


def test_another_result_holds_for_all_arguments() -> None:
    results = Results()
    kept = results.remember("f", ONE, 0, Answer("found"))
    assert results.known("f", TWO, 0) == kept


@pytest.mark.parametrize(("owners", "depths"), [(frozenset(("f",)), [0, 1]), (CUT | {"f"}, [1])])
def test_a_result_holds_where_calls_are_nested_less_deeply(
    owners: frozenset[str | Unfinished], depths: list[int]
) -> None:
    results = Results()
    results.remember("f", ONE, 1, Answer("found", owners=owners))
    assert [depth for depth in range(3) if results.known("f", ONE, depth)] == depths


def test_what_depends_on_an_open_question_is_not_remembered() -> None:
    results = Results()
    assert results.remember("f", ONE, 0, Answer("found", FAR - 1)).value == "found"
    assert results.known("f", ONE, 0) is None
