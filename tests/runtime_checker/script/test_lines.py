"""What has run of each line, on any Python."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection

import pytest
from synclint.lint.files.source import Source, parse
from synclint.runtime_checker.script.following import followed
from synclint.runtime_checker.script.lines import Lines, Ran, Region

FILE = "/program/train.py"
knows_columns = pytest.mark.skipif(sys.version_info < (3, 11), reason="Python knows rows only")
SOURCE = """
import threading
def chosen(x):
    if x:
        return 1
    return 2
chosen(1); chosen(1)
def in_thread():
    return 5
thread = threading.Thread(target=in_thread); thread.start(); thread.join()
def never():
    return 6
for i in range(3):
    i += (
        i
    )
"""
RAN = {2, 3, 4, 5, 7, 8, 9, 10, 11, 13, 14, 15}
PARTS = """
def no(): return 0
def yes(): return 1
def fails(): raise ValueError
if no(): print(RAN[0])
ä = RAN[1] if no() else ('ö', LEFT[1])
no() and seen.append(RAN[2])
yes() and seen.append(LEFT[2])
assert yes(), f"it is {RAN[3]}"
seen += [RAN[4] for _ in ()]
seen += [LEFT[4] for _ in (1, 2)]
later = lambda: RAN[5]
now = lambda: LEFT[5]
now()
while no(): seen.append(RAN[6])
try: seen.append(fails()[RAN[7]])
except ValueError: seen.append(LEFT[7])
seen += [1 for _ in (1,) if no() if RAN[8]]
small = 0 < yes() < LEFT[9] < 0 < RAN[9]
def rest():
    if yes(): return f"{LEFT[10]:>4}" ; print(RAN[10])
rest()
"""
"""`RAN[…]` is what has not run, `LEFT[…]` what has."""


def source(text: str = SOURCE) -> Source:
    found = parse(text.encode(), FILE, wanted=True)
    assert isinstance(found, Source)
    return found


def run(interest: Collection[int] = range(100), text: str = SOURCE) -> Lines:
    lines, code = Lines(), compile(text, FILE, "exec")
    names = {"RAN": [0] * 20, "LEFT": [5] * 20}
    with followed(lines, lambda filename: interest):
        exec(code, {**names, "seen": []})
    exec(code, {**names, "seen": []})
    return lines


def ran(lines: Lines, find: Callable[[str], Source | None] = lambda _: source()) -> Ran:
    return lines.ran({FILE}, find)[FILE]


def rows(found: Ran) -> set[int]:
    return {row for each in found.regions for row in range(each.row, each.end_row + 1)} - {0}


def test_rows_that_ran() -> None:
    assert rows(ran(run(), lambda _: None)) - {1} == RAN


def test_it_can_follow_again() -> None:
    assert ran(run()) == ran(run())


def test_libraries_are_not_followed() -> None:
    assert run().files == {FILE}


def parts(name: str) -> list[Region]:
    """Where a name is indexed."""
    found = []
    for row, line in enumerate(PARTS.splitlines(), start=1):
        at = line.find(f"{name}[")
        if at >= 0:
            found.append(Region(row, at + 1, row, line.index("]", at) + 2))
    return found


@knows_columns
@pytest.mark.parametrize(("name", "has"), [("RAN", False), ("LEFT", True)])
def test_a_part_of_a_line_has_run_only_if_its_instructions_have(name: str, has: bool) -> None:
    found = ran(run(text=PARTS), lambda _: source(PARTS))
    assert len(parts(name)) >= 7
    assert [each for each in parts(name) if found.has(each) is not has] == []


def test_where_rows_alone_are_known_what_they_may_leave_out_has_not_run() -> None:
    found = ran(run(text=PARTS), lambda _: None)
    omitted = ran(Lines(), lambda _: source(PARTS)).omitted
    known = Ran(found.regions, found.others, omitted)
    unsure = {16, 21}
    assert [each for each in parts("RAN") if each.row not in unsure and known.has(each)] == []
    assert known.has(Region(7, 1, 7, 5))


@knows_columns
def test_what_raises_before_its_end_has_not_run() -> None:
    text = "def fails(): raise ValueError\ntry:\n    x = fails().item()\nexcept ValueError: pass\n"
    found = ran(run(text=text), lambda _: source(text))
    assert not found.has(Region(3, 9, 3, 23))
    assert found.has(Region(3, 9, 3, 14))


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="sys.monitoring follows everything")
def test_only_lines_of_interest() -> None:
    assert rows(ran(run(interest=[5, 6, 12]))) == {5}


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="sys.monitoring has room for several")
def test_another_tracer_stays() -> None:
    def tracer(*_: object) -> None:
        return None

    lines = Lines()
    sys.settrace(tracer)
    try:
        with followed(lines, lambda filename: [1]):
            pass
        assert sys.gettrace() is tracer
    finally:
        sys.settrace(None)
    assert not lines.followed
