"""Answers that are kept for the next run."""

from __future__ import annotations

from synclint.lint.finding import Frequency, Level, Reason, Span
from synclint.lint.inference.linking.index.reads import Kept
from synclint.lint.inference.values.lattice import Device
from synclint.lint.inference.values.ops import Op
from synclint.lint.inference.values.union import UNKNOWN, Deferred, Host, Instance, Tensor
from synclint.lint.run.answers import Stored, text_of

TENSOR = Tensor(Device(why=Reason("moved here", Span("a.py", 1, 2, 3, 4))))
OFTEN = Frequency(Level.EVERY_STEP, (Reason("a loop", Span("b.py", 1, 2, 3, 4)),))
ANSWERS = [
    Kept("f", "x", 7, TENSOR),
    Kept("f", "()", 8, OFTEN),
    Kept("f", "y", 9, UNKNOWN),
    Kept("C", ".open", 6, Instance("C", (("0", Deferred(Op.NAME, "x")),))),
    Kept("C", ".size", 5, Host("int", 3)),
]
NUMBERS = [-1, -1, -1, -1, -1, -1, 2, 3, 4, 5]


def test_answers_are_as_they_were() -> None:
    stored = Stored("".join(text_of(ANSWERS, NUMBERS)), (), ())
    assert stored.answer("f", "x") == (3, TENSOR)
    assert stored.answer("f", "()") == (4, OFTEN)
    assert stored.answer("f", "y") == (5, UNKNOWN)
    assert stored.answer("C", ".size") == (-1, Host("int", 3))
    assert stored.answer("C", ".other") is stored.answer("D", ".other") is None


def test_an_open_question_in_an_answer_is_not_kept() -> None:
    assert Stored("".join(text_of(ANSWERS, NUMBERS)), (), ()).answer("C", ".open") is None


def test_what_is_outdated_is_asked_again() -> None:
    stored = Stored("".join(text_of(ANSWERS, NUMBERS)), {3}, ())
    assert stored.answer("f", "x") is None
    assert stored.questions() == {3: ("f", "x")}
    assert stored.was("f", "x") == (3, TENSOR)


def test_places_in_a_file_that_has_changed_are_not_known() -> None:
    stored = Stored("".join(text_of(ANSWERS, NUMBERS)), {3}, {"a.py"})
    assert stored.was("f", "x") is None
    assert stored.answer("f", "()") == (4, OFTEN)


def test_what_holds_is_kept_on() -> None:
    stored = Stored("".join(text_of(ANSWERS, NUMBERS)), {3}, {"b.py"})
    again = Stored("".join(stored.text(each._replace(number=1) for each in stored.kept())), (), ())
    assert again.answer("f", "y") == (1, UNKNOWN)
    assert again.answer("C", ".size") == (1, Host("int", 3))
    assert again.answer("f", "x") is again.answer("f", "()") is None
