"""Code frames and reasons for people, with every kind of line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from synclint.lint.finding import Confidence, Finding, Frequency, Level, Severity, Span
from synclint.lint.limits import WIDEST_EXCERPT
from synclint.lint.output.formats.full import render
from synclint.lint.output.outcome import Outcome


def plain(finding: Finding, *lines: str) -> list[str]:
    return list(render(Outcome([finding], lambda _: lines, notes=True)))


def frame(line: str, first: int, last: int) -> list[str]:
    """The line as drawn and the part under it."""
    finding = Finding(
        "SYNC101", "item-call", Span("a.py", 1, first, 1, last), "m", Severity.ERROR, Frequency(Level.UNKNOWN),
        Confidence.CERTAIN,
    )  # fmt: skip
    return plain(finding, line)[1:3]


def test_a_report(finding: Callable[..., Finding]) -> None:
    assert plain(finding(), "for x in loader:", "    loss.item()", "    step()") == [
        "train.py:2:5: error: `loss.item()` waits for the device [SYNC101 item-call]",
        "1 | for x in loader:",
        "2 |     loss.item()",
        "  |     ^^^^^^^^^^^",
        "3 |     step()",
        "  = because: `model` moved to the GPU (model.py:7:3)",
        "  = because: a tensor by its use",
        "  = frequency: every step: the loop iterates a DataLoader (train.py:1:1)",
        "  = help: Keep the tensor.",
        "",
    ]


def test_an_assumed_frequency_says_so(finding: Callable[..., Finding]) -> None:
    lines = plain(finding(frequency=Frequency(Level.EVERY_STEP, (), assumed=True)))
    assert "  = frequency: every step (assumed)" in lines


def test_what_is_only_known_of_each_call_is_told_of_each_call(finding: Callable[..., Finding]) -> None:
    often = Frequency(Level.EVERY_STEP, (), True, "losses.Dice.score", ("mask is not None",), "call of `score`")
    assert "  = frequency: every call of `score` where `mask is not None`" in plain(finding(frequency=often))
    often = replace(often, level=Level.EVERY_PASS)
    words = "every pass of a loop in a call of `score` where `mask is not None`"
    assert f"  = frequency: {words}" in plain(finding(frequency=often))
    often = replace(often, level=Level.EVERY_N_STEPS)
    assert "  = frequency: every N steps (assumed) where `mask is not None`" in plain(finding(frequency=often))


def test_choices_are_named(finding: Callable[..., Finding]) -> None:
    often = Frequency(Level.EVERY_STEP, (), True, conditions=("args.mix", "x is not None", 'cfg.kind == "a"'))
    lines = plain(finding(frequency=often))
    assert '  = frequency: every step (assumed) where `args.mix`, `x is not None` and `cfg.kind == "a"`' in lines
    often = replace(often, assumed=False, conditions=("args.mix", "`LOSSES['l1']` is chosen"))
    assert "  = frequency: every step where `args.mix` and `LOSSES['l1']` is chosen" in plain(finding(frequency=often))


def test_a_file_that_is_gone_has_no_frame(finding: Callable[..., Finding]) -> None:
    assert not any("^" in line for line in plain(finding()))
    assert not any("^" in line for line in plain(finding(), "only one line"))


def test_tabs_are_four_columns() -> None:
    assert frame("\tx = y", 2, 3) == ["1 |     x = y", "  |     ^"]


def test_wide_and_combining_characters() -> None:
    assert frame("s = '日本'; y", 11, 12) == ["1 | s = '日本'; y", "  |             ^"]
    assert frame("e\u0301 = y", 6, 7) == ["1 | e\u0301 = y", "  |     ^"]


def test_no_command_of_a_ci_service_is_shown() -> None:
    assert frame("x = '##[add-mask]' ##vso[y]z ## [", 19, 33) == [
        "1 | x = '#♯[add-mask]' #♯vso[y]z ## [",
        "  |                   ^^^^^^^^^^^^^^",
    ]


def test_control_characters_are_spelt_out() -> None:
    assert frame("\x0cx = '\x1b[31m'", 2, 3) == ["1 | \\x0cx = '\\x1b[31m'", "  |     ^"]
    assert frame("a = '\u202e'; b", 10, 11)[0] == "1 | a = '\\u202e'; b"


@pytest.mark.parametrize("first", [1, 50_000, 99_990])
def test_a_line_of_100_kb_is_cut_around_the_finding(first: int) -> None:
    line = "x" * 99_999
    text, under = frame(line[: first - 1] + "HERE" + line[first + 3 :], first, first + 4)
    assert len(text) < WIDEST_EXCERPT + 10
    assert under.count("^") == 4
    assert text[under.index("^") :][:4] == "HERE"


def test_a_part_of_several_lines_is_underlined_to_the_end_of_the_first(finding: Callable[..., Finding]) -> None:
    lines = plain(finding(span=Span("a.py", 1, 5, 3, 2)), "x = f(", "  1,", ")")
    assert lines[1:4] == ["1 | x = f(", "  |     ^^", "2 |   1,"]


def test_colours_and_links_only_on_demand(finding: Callable[..., Finding]) -> None:
    colored = "\n".join(render(Outcome([finding()], lambda _: ["a", "    loss.item()"], color=True, links=True)))
    assert "\x1b[31m\x1b[1merror\x1b[0m" in colored
    assert "\x1b]8;;https://github.com/synclint/synclint/blob/main/docs/rules/item-call.md\x1b\\" in colored
    assert "\x1b" not in "\n".join(plain(finding(), "a", "    loss.item()"))


@given(st.text(st.characters(exclude_characters="\n\r")), st.integers(0, 300), st.integers(0, 300))
def test_no_line_breaks_a_frame(line: str, first: int, length: int) -> None:
    text, under = frame(line or "x", first + 1, first + 1 + length)
    assert text.removeprefix("1 |").isprintable()
    assert "^" in under
