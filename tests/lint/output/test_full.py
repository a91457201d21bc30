"""Code frames and reasons for people, with every kind of line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from synclint.lint.finding import Confidence, Finding, Frequency, Kind, Level, Reason, Severity, Span
from synclint.lint.home import HOME
from synclint.lint.limits import WIDEST_REPORT
from synclint.lint.output.formats.full import render
from synclint.lint.output.outcome import Outcome

from .conftest import LOADER


def plain(*findings: Finding, lines: Sequence[str] = (), **more: Any) -> list[str]:
    return list(render(Outcome(findings, lambda _: lines, **{"notes": True, **more})))


def frame(line: str, first: int, last: int) -> list[str]:
    """The line as drawn and the part under it."""
    finding = Finding(
        "SYNC101", "item-call", Span("a.py", 1, first, 1, last), "m", Severity.ERROR, Frequency(Level.UNKNOWN),
        Confidence.CERTAIN,
    )  # fmt: skip
    return plain(finding, lines=[line])[2:4]


def head(finding: Finding, **more: Any) -> str:
    """What is said of a finding before its source, on one line."""
    lines = plain(finding, width=1000, **more)
    return lines[1]


def test_a_report(finding: Callable[..., Finding]) -> None:
    assert plain(finding(), lines=["for x in loader:", "    loss.item()", "    step()"]) == [
        "== train.py:1: every step: the loop iterates a DataLoader (1 error)",
        "train.py:2:5: error: `loss.item()` waits for the device [SYNC101 item-call]",
        "2 | loss.item()",
        "  | ^^^^^^^^^^^",
        "  = because: `model` moved to the GPU (model.py:7:3); a tensor by its use",
        "  = instead: Keep the tensor.",
        "",
    ]


def test_how_often_is_told_where_the_title_does_not(finding: Callable[..., Finding]) -> None:
    often = Frequency(Level.EVERY_STEP, (), True, "losses.Dice.score", ("mask is not None",), "call of `score`")
    assert "waits for the device; every call of `score` where `mask is not None` [" in head(finding(frequency=often))
    often = replace(often, level=Level.EVERY_PASS)
    words = "; every pass of a loop in a call of `score` where `mask is not None` ["
    assert words in head(finding(frequency=often))
    assert "; every step (assumed) [" in head(finding(frequency=Frequency(Level.EVERY_STEP, (), assumed=True)))
    in_loop = finding(frequency=Frequency(Level.EVERY_STEP, (LOADER,), conditions=("args.mix",), loop=LOADER))
    assert "waits for the device; where `args.mix` [" in head(in_loop)


def test_of_several_conditions_the_innermost_is_told_and_once_how_to_see_the_others(
    finding: Callable[..., Finding],
) -> None:
    often = Frequency(Level.EVERY_STEP, (LOADER,), conditions=("a", "b", "c"), loop=LOADER)
    first, second = finding(frequency=often, scope="f"), finding(frequency=often, scope="g", code="SYNC102")
    text = "\n".join(plain(first, second, width=1000))
    assert "; where `a` (+2 more conditions: `synclint explain train.py:2`) [" in text
    assert "; where `a` (+2 more conditions) [" in text


def test_the_worst_program_comes_first_and_in_it_the_worst_loop(finding: Callable[..., Finding]) -> None:
    def wait(file: str, loop: int, row: int, severity: Severity) -> Finding:
        reason = Reason("the loop calls `backward()`", Span(file, loop, 1, loop, 2))
        often = Frequency(Level.EVERY_STEP, (reason,), loop=reason)
        return finding(span=Span(file, row, 1, row, 2), frequency=often, severity=severity, scope=f"f{row}")

    found = [
        wait("a.py", 1, 2, Severity.WARNING),
        wait("b.py", 1, 2, Severity.WARNING),
        wait("b.py", 5, 6, Severity.ERROR),
        wait("b.py", 5, 7, Severity.ERROR),
        wait("c.py", 1, 2, Severity.ERROR),
    ]
    titles = [line for line in plain(*found) if line.startswith("==")]
    assert [title.split(": ")[0] for title in titles] == ["== b.py:5", "== b.py:1", "== c.py:1", "== a.py:1"]
    assert titles[0].endswith("(2 errors)")


def test_the_parts_of_a_report(finding: Callable[..., Finding]) -> None:
    per = Frequency(Level.EVERY_STEP, (LOADER,), per="forward of `Net`")
    off = Frequency(Level.EVERY_STEP, (LOADER,), conditions=("args.log",), off=("args.log",), loop=LOADER)
    kinds = {
        "Files and comments": {"kind": Kind.META, "frequency": Frequency(Level.UNKNOWN)},
        "Never called in the project": {"frequency": Frequency(Level.UNCALLED)},
        "Off by default": {"frequency": off},
        "Every epoch": {"frequency": Frequency(Level.EVERY_EPOCH)},
        "Assumed to run every step, as no caller is known": {"frequency": replace(per, assumed=True, cause="f")},
        "Called from outside the project": {"frequency": per},
        "train.py:1: every step: the loop iterates a DataLoader": {"frequency": replace(off, off=())},
    }
    found = plain(*(finding(**each, scope=title) for title, each in kinds.items()))
    titles = [line for line in found if line.startswith("==")]
    assert titles == [f"== {title} (1 error)" for title in reversed(kinds)]


def test_waits_of_one_rule_in_a_function_are_one_block(finding: Callable[..., Finding]) -> None:
    often = Frequency(Level.EVERY_STEP, (LOADER,), conditions=("args.mix",), loop=LOADER)
    spans = [Span("train.py", 1, 5, 1, 9), Span("train.py", 1, 12, 1, 16), Span("train.py", 2, 5, 2, 9)]
    found = [finding(span=each, scope="main") for each in spans[:2]]
    found.append(finding(span=spans[2], scope="main", frequency=often))
    lines = plain(*found, lines=["x = a(1),  b(2)", "y = c(3)"])
    assert lines[1:6] == [
        "train.py:1:5: error: `loss.item()` waits for the device [SYNC101 item-call]",
        "1 | x = a(1),  b(2)",
        "  |     ^^^^   ^^^^",
        "2 | y = c(3)",
        "  |     ^^^^ where `args.mix`",
    ]
    assert len([line for line in lines if "error:" in line]) == 1


def test_what_was_set_up_for_a_wait_is_told_with_it(finding: Callable[..., Finding]) -> None:
    often = Frequency(Level.EVERY_STEP, (LOADER,), loop=LOADER)
    loader = Span("data.py", 9, 1, 9, 5)
    setup = {"span": loader, "code": "SYNC601", "name": "pageable", "kind": Kind.SETUP, "message": "it is not pinned"}
    copy, made = finding(frequency=often, scope="f"), finding(frequency=often, scope="main", **setup)
    text = "\n".join(plain(copy, made))
    assert text.count("error: ") == 1
    assert "  = cause: it is not pinned (data.py:9:1) [SYNC601 pageable]\n" in text
    assert text.startswith("== train.py:1: every step: the loop iterates a DataLoader (2 errors)\n")
    for apart in (replace(made, instead="Else."), replace(made, frequency=replace(often, loop=None, reasons=()))):
        assert "\n".join(plain(copy, apart)).count("error: ") == 2
    assert "\n".join(plain(copy, made, by_file=True)).count("error: ") == 2


def test_an_explicit_wait_in_the_same_loop_is_told_at_the_end(finding: Callable[..., Finding]) -> None:
    often = Frequency(Level.EVERY_STEP, (LOADER,), loop=LOADER)

    def last(*frequencies: Frequency) -> str:
        waits = [
            finding(code="SYNC111", severity=Severity.NONE, frequency=each, span=Span("train.py", 8 + at, 1, 8 + at, 5))
            for at, each in enumerate(frequencies)
        ]
        return plain(finding(frequency=often), on_purpose=waits, summed_up=True, width=1000)[-1]

    end = (
        "every step anyway (SYNC111, opt-in): while {}, curing the other waits of the loop at train.py:1 gains little."
    )
    assert last(often) == f"train.py:8 waits {end.format('it does')}"
    assert last(often, often) == f"train.py:8, train.py:9 wait {end.format('they do')}"
    elsewhere = replace(LOADER, span=Span("train.py", 5, 1, 5, 2))
    for other in (
        {"conditions": ("args.time",)},
        {"level": Level.EVERY_N_STEPS},
        {"assumed": True},
        {"loop": elsewhere},
    ):
        assert "anyway" not in last(replace(often, **other))


def test_a_line_that_is_copied_is_told_once(finding: Callable[..., Finding]) -> None:
    def copied(file: str, row: int) -> Finding:
        reason = Reason("the loop calls `backward()`", Span(file, 1, 1, 1, 2))
        often = Frequency(Level.EVERY_STEP, (reason,), loop=reason)
        return finding(span=Span(file, row, 5, row, 16), frequency=often, scope=f"f{row}")

    found = [copied(f"{name}.py", 2) for name in "abcdef"]
    text = "\n".join(plain(copied("a.py", 3), *found, lines=["for x in y:", *["    loss.item()"] * 2]))
    assert text.count("error: ") == 1
    assert "  = also: on line 3; in 5 other files: b.py:2, c.py:2, d.py:2 and 2 more\n" in text
    assert text.count("==") == 1
    assert "5 more loops have only waits reported above: b.py:1, c.py:1, d.py:1 and 2 more." in text
    every = plain(*found, lines=["", "    loss.item()"], by_file=True)
    assert sum("error: " in line for line in every) == 6


def test_what_is_said_once_is_not_said_again(finding: Callable[..., Finding]) -> None:
    found = [finding(scope=each, span=Span("train.py", row, 5, row, 9)) for row, each in enumerate("abc", 2)]
    text = "\n".join(plain(*found))
    assert text.count("= instead: Keep the tensor.") == 1
    assert text.count("= because:") == 1


def test_lines_are_wrapped_and_no_part_of_one_is_a_command(finding: Callable[..., Finding]) -> None:
    words = "the host waits ::error::x " * 30
    words = f"{'x' * 30} {words}"
    found = finding(message=words, instead=words, reasons=(Reason(words),))
    for width in (40, 100):
        lines = plain(found, lines=["", "x = 1"], width=width)
        assert max(map(len, lines)) <= width + len("\\x3a") - 1
        assert not any(line.lstrip().startswith("::") for line in lines)
        assert not any(line.endswith(" ") for line in lines)
        assert len([line for line in lines if line.startswith("    ")]) > 3


def test_a_file_at_a_time_on_request(finding: Callable[..., Finding]) -> None:
    found = [finding(scope="f"), finding(span=Span("a.py", 1, 1, 1, 2), scope="g")]
    titles = [line for line in plain(*found, by_file=True) if line.startswith("==")]
    assert titles == ["== train.py (1 error)", "== a.py (1 error)"]


def test_docs_and_examples_are_counted_if_there_is_anything_else(finding: Callable[..., Finding]) -> None:
    aside = finding(span=Span("examples/a.py", 1, 1, 1, 2), scope="f")
    more = {"is_aside": lambda name: name.startswith("examples/"), "summed_up": True}
    text = "\n".join(plain(finding(), aside, **more))
    assert "examples/a.py" not in text
    assert "1 finding (1 error) in docs, examples and vendored code not shown: --show-all.\n" in text
    assert "examples/a.py" in "\n".join(plain(aside, **more))


def test_the_end_says_where_to_look_first(finding: Callable[..., Finding]) -> None:
    often = Frequency(Level.EVERY_STEP, (LOADER,), loop=LOADER)
    found = [
        finding(scope=f"f{row}", span=Span("train.py", row, 1, row, 2), frequency=often, severity=Severity.WARNING)
        for row in range(2, 9)
    ]
    often = replace(often, level=Level.EVERY_PASS)
    found.append(finding(scope="g", span=Span("train.py", 9, 1, 9, 2), frequency=often))
    lines = plain(*found, summed_up=True)
    assert lines[-6:-3] == [
        "Look first at:",
        "  train.py:9:1: SYNC101 item-call, every pass of a loop in a step",
        "  train.py:2:1: SYNC101 item-call, every step",
    ]
    assert not any("Look first" in line for line in plain(*found[:5], summed_up=True))


def test_tabs_are_four_columns() -> None:
    assert frame("\tx = y", 2, 3) == ["1 | x = y", "  | ^"]


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
    assert len(text) < WIDEST_REPORT + 5
    assert under.count("^") == 4
    assert text[under.index("^") :][:4] == "HERE"


def test_a_part_of_several_lines_is_underlined_to_the_end_of_the_first(finding: Callable[..., Finding]) -> None:
    lines = plain(finding(span=Span("a.py", 1, 5, 3, 2)), lines=["x = f(", "  1,", ")"])
    assert lines[2:4] == ["1 | x = f(", "  |     ^^"]


def test_colours_and_links_only_on_demand(finding: Callable[..., Finding]) -> None:
    colored = "\n".join(render(Outcome([finding()], lambda _: ["a", "    loss.item()"], color=True, links=True)))
    assert "\x1b[31m\x1b[1merror\x1b[0m" in colored
    assert f"\x1b]8;;{HOME}/blob/main/docs/rules/item-call.md\x1b\\" in colored
    assert "\x1b" not in "\n".join(plain(finding(), lines=["a", "    loss.item()"]))


@given(st.text(st.characters(exclude_characters="\n\r")), st.integers(0, 300), st.integers(0, 300))
def test_no_line_breaks_a_frame(line: str, first: int, length: int) -> None:
    text, under = frame(line or "x", first + 1, first + 1 + length)
    assert text.removeprefix("1 |").isprintable()
    assert "^" in under
