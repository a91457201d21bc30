"""Which lines have run, on any Python."""

from __future__ import annotations

import sys
from collections.abc import Collection

import pytest
from synclint.runtime_checker.script.lines import Lines, followed

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


def run(interest: Collection[int] = range(100)) -> Lines:
    lines, code = Lines(), compile(SOURCE, "/program/train.py", "exec")
    with followed(lines, lambda filename: interest):
        exec(code, {})
    exec(code, {})
    return lines


def test_lines_that_ran() -> None:
    assert run().rows["/program/train.py"] == RAN


def test_it_can_follow_again() -> None:
    assert run().rows == run().rows


def test_libraries_are_not_followed() -> None:
    assert set(run().rows) == {"/program/train.py"}


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="sys.monitoring follows everything")
def test_only_lines_of_interest() -> None:
    assert run(interest=[5, 6, 12]).rows["/program/train.py"] == {5}


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
