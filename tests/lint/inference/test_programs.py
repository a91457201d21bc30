"""Annotated programs: what inference must know at each line that says so.

`# reveal: X`     the value that the statement assigns, returns or evaluates is X
`# frequency: X`  the line runs X
`# where: X`      the line hangs on the choices X, the innermost first, separated by ` and ` (`nothing`)
`# waits: X`      what waits on the line does so where the choices X hold, in the same words
`# operation: X`  the line has exactly these operations (their types, in order, comma separated; `none`)
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest
from synclint.lint.files.source import Source, parse
from synclint.lint.finding import Frequency
from synclint.lint.inference.explain import Known, known_at
from synclint.lint.inference.linking.link import link
from synclint.lint.inference.notes.operations import Operation
from synclint.lint.inference.reading.interpreter import analyse
from synclint.lint.settings.config import Settings

PROGRAMS = Path(__file__).parent / "programs"
NOTE = re.compile(r"# (reveal|frequency|where|waits|operation): (.*?)(?=\s+# |$)")


@cache
def program(name: str) -> Source:
    source = parse((PROGRAMS / name).read_bytes(), name, wanted=True)
    assert isinstance(source, Source)
    return source


@cache
def known(name: str) -> dict[int, list[Known]]:
    rows = defaultdict(list)
    for each in known_at(program(name), None):
        rows[each.span.row].append(each)
    return rows


@cache
def operations(name: str) -> dict[int, list[Operation]]:
    rows = defaultdict(list)
    for operation in sorted(link([analyse(program(name))], Settings()), key=lambda each: each.span.column):
        rows[operation.span.row].append(operation)
    return rows


def told(frequency: Frequency) -> str:
    return " and ".join(frequency.conditions) or "nothing"


def notes() -> list[tuple[str, int, str, str]]:
    found = []
    for path in sorted(PROGRAMS.glob("*.py")):
        for row, line in enumerate(path.read_text().splitlines(), 1):
            found += [(path.name, row, kind, wanted.strip()) for kind, wanted in NOTE.findall(line)]
    return found


def judged_expression(name: str, row: int) -> ast.expr:
    for node in ast.walk(program(name).tree):
        if isinstance(node, ast.Assign | ast.Return | ast.Expr | ast.AnnAssign | ast.AugAssign) and node.lineno == row:
            assert node.value is not None
            return node.value
    raise AssertionError(f"{name}:{row}: no statement with a value")


@pytest.mark.parametrize(("name", "row", "kind", "wanted"), notes(), ids=lambda each: str(each).replace(" ", "_"))
def test_program(name: str, row: int, kind: str, wanted: str) -> None:
    if kind == "operation":
        assert (", ".join(type(each).__name__ for each in operations(name)[row]) or "none") == wanted
    elif kind == "frequency":
        frequency = known(name)[row][0].frequency
        assert frequency.level.words + (" (assumed)" if frequency.assumed else "") == wanted
    elif kind == "where":
        assert told(known(name)[row][0].frequency) == wanted
    elif kind == "waits":
        assert {told(each.frequency) for each in operations(name)[row]} == {wanted}
    else:
        node = judged_expression(name, row)
        column = program(name).span(node).column
        widest = next(each for each in known(name)[row] if each.span.column == column)
        assert str(widest.value) == wanted


def test_every_kind_of_note_is_used() -> None:
    assert {kind for _, _, kind, _ in notes()} == {"reveal", "frequency", "where", "waits", "operation"}
