"""Assumptions on which several findings rest: each is told once, with what corrects it."""

from __future__ import annotations

from collections.abc import Callable

from synclint.lint.finding import Finding, Frequency, Level, Reason, Span


def assumed(name: str) -> Frequency:
    return Frequency(Level.EVERY_STEP, (Reason(f"`{name}` is assumed"),), assumed=True, cause=name)


def at(row: int) -> Span:
    return Span("train.py", row, 1, row, 2)


def test_an_assumption_is_told_once(finding: Callable[..., Finding], rendered: Callable[..., list[str]]) -> None:
    found = [finding(frequency=assumed("train.loss"), span=at(row), reasons=(), instead="") for row in (1, 2)]
    text = "\n".join(rendered("full", *found, finding(), summed_up=True))
    assert text.count("Assumed to run every step") == 1
    assert text.endswith(
        "2 of these rest on 1 assumption that a function runs every step:\n"
        "  2  train.loss\n"
        'Where one is wrong, add it to `cold-functions`: [tool.synclint] cold-functions = ["train.loss"]'
    )


def test_one_finding_tells_its_own(finding: Callable[..., Finding], rendered: Callable[..., list[str]]) -> None:
    lines = rendered("grouped", finding(frequency=assumed("a.f")), finding(frequency=assumed("a.g")), summed_up=True)
    assert not any("rest on" in line for line in lines)


def test_the_largest_come_first(finding: Callable[..., Finding], rendered: Callable[..., list[str]]) -> None:
    found = [finding(frequency=assumed(f"a.f{at}")) for at in range(7) for _ in range(at + 2)]
    *_, head, first, _, _, _, last, more, _ = rendered("grouped", *found, summed_up=True)
    assert head == "35 of these rest on 7 assumptions that a function runs every step:"
    assert (first, last, more) == ("  8  a.f6", "  4  a.f2", "  and 2 more")


def test_names_are_escaped(finding: Callable[..., Finding], rendered: Callable[..., list[str]]) -> None:
    found = [finding(frequency=assumed("a.\x1b[31m"), span=at(row)) for row in (1, 2)]
    assert not any("\x1b" in line for line in rendered("grouped", *found, summed_up=True))
