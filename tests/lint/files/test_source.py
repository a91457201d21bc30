"""From bytes to a tree, for every kind of bad input."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from synclint.lint.files.source import Source, Unreadable, comments, parse, read
from synclint.lint.finding import Span


def parsed(data: bytes) -> Source:
    result = parse(data, "f.py", wanted=True)
    assert isinstance(result, Source), result
    return result


def refused(data: bytes) -> Unreadable:
    result = parse(data, "f.py", wanted=True)
    assert isinstance(result, Unreadable), result
    assert "\n" not in result.message
    return result


def test_a_file_that_cannot_matter_is_not_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ast, "parse", lambda *_: pytest.fail("parsed"))
    assert parse(b"import numpy as np\nprint(np.ones(3).sum())\n", "f.py") is None
    assert parse(b"def broken(:\n", "f.py") is None
    assert parse(b"", "f.py") is None


@pytest.mark.parametrize(
    "line", [b"import torch", b"from pytorch_lightning import Trainer", b"def f(x: Tensor): ...", b"# synclint: ignore"]
)
def test_a_file_that_can_matter_is_parsed(line: bytes) -> None:
    assert isinstance(parse(line, "f.py"), Source)


def test_a_syntax_error_says_where_and_what_to_do() -> None:
    problem = refused(b"import torch\ndef f(:\n    pass\n")
    assert (problem.span.row, problem.span.column) == (2, 7)
    assert "invalid syntax" in problem.message
    assert "fix it, or run synclint with the Python it is written for" in problem.message


def test_an_error_at_the_end_of_the_file_stays_inside_it() -> None:
    assert refused(b"import torch\nx = [").span.row == 2
    assert refused(b"if torch:\n").span.row <= 2


def test_a_null_byte() -> None:
    problem = refused(b"import torch\nx = '\0'\n")
    assert (problem.span.row, problem.span.column) == (2, 6)
    assert "null byte" in problem.message


def test_bytes_that_are_no_text_are_reported_even_where_nothing_matters() -> None:
    assert isinstance(parse("x = 1".encode("utf-16"), "f.py"), Unreadable)


def test_latin_1_without_a_coding_line() -> None:
    problem = refused("import torch\nname = 'caf\xe9'\n".encode("latin-1"))
    assert (problem.span.row, problem.span.column) == (2, 12)
    assert "0xe9" in problem.message
    assert "coding: latin-1" in problem.message


@pytest.mark.parametrize("first", [b"", b"#!/usr/bin/python\n"])
def test_latin_1_with_a_coding_line(first: bytes) -> None:
    data = first + "# -*- coding: latin-1 -*-\nname = 'caf\xe9'\n".encode("latin-1")
    assert "café" in parsed(data).text


def test_an_unknown_encoding() -> None:
    assert "unknown encoding" in refused(b"# coding: klingon\nimport torch\n").message
    assert "save it as UTF-8" in refused(b"# coding: rot13\nvzcbeg gbepu\n").message


def test_a_byte_order_mark_does_not_shift_columns() -> None:
    tree = parsed(b"\xef\xbb\xbfimport torch\n")
    assert tree.span(tree.tree.body[0]) == Span("f.py", 1, 1, 1, 13)
    assert "encoding" in refused(b"\xef\xbb\xbf# coding: latin-1\nimport torch\n").message


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_every_line_end_counts_rows_alike(end: bytes) -> None:
    tree = parsed(end.join([b"import torch", b"", b"x = 1", b""]))
    assert tree.lines == ("import torch", "", "x = 1", "")
    assert tree.span(tree.tree.body[1]).row == 3


def test_form_feeds_and_tabs_count_as_characters() -> None:
    tree = parsed(b"import torch\n\x0cx = 1\nif x:\n\ty = 2\n")
    assert tree.lines[1] == "\x0cx = 1"
    inner = tree.tree.body[2]
    assert isinstance(inner, ast.If)
    assert tree.span(inner.body[0]) == Span("f.py", 4, 2, 4, 7)


def test_columns_are_code_points() -> None:
    tree = parsed("s = '日本'; y = s\n".encode())
    assert tree.span(tree.tree.body[1]) == Span("f.py", 1, 11, 1, 16)
    assert tree.segment(tree.tree.body[1]) == "y = s"


def test_a_segment_of_several_lines() -> None:
    tree = parsed(b"x = f(\n  1,\n  2,\n)\n")
    assert tree.segment(tree.tree.body[0]) == "x = f(\n  1,\n  2,\n)"


@pytest.mark.parametrize("text", ["[" * 10_000 + "]" * 10_000, "-" * 10_000 + "1", "not " * 10_000 + "1"])
def test_deep_nesting_is_a_diagnostic(text: str) -> None:
    message = refused(f"import torch\nx = {text}\n".encode()).message
    assert "nested" in message


@pytest.mark.parametrize("text", ["a" + ".b()" * 10_000, "+".join(["1"] * 10_000), "a" + ".b" * 10_000])
def test_long_chains_are_parsed_or_a_diagnostic(text: str) -> None:
    result = parse(f"import torch\nx = {text}\n".encode(), "f.py")
    assert isinstance(result, Source) or "nested too deeply" in result.message  # type: ignore[union-attr]


def test_an_empty_file() -> None:
    assert parsed(b"").tree.body == []


def test_a_generated_file_of_5_mb() -> None:
    line = b"torch_value = (1, 2, 3, 'some text to make the line longer, and longer, and longer')\n"
    assert len(parsed(line * (5_000_000 // len(line))).tree.body) > 50_000


def test_invalid_escapes_warn_nobody(recwarn: pytest.WarningsRecorder) -> None:
    parsed(b"import torch\nx = '\\d'\nassert (x, 'always true')\n1 is 1\n")
    assert not recwarn.list


def test_a_file_that_cannot_be_opened(tmp_path: Path) -> None:
    problem = read(str(tmp_path / "gone.py"), "gone.py")
    assert isinstance(problem, Unreadable)
    assert problem == Unreadable(Span("gone.py", 1, 1, 1, 1), "could not be read: No such file or directory")


def test_comments_are_no_strings() -> None:
    tree = parsed(b'x = "# no"  # yes\n\n    # alone\n"""\n# no\n"""\n')
    assert [(each.row, each.column, each.text, each.alone) for each in comments(tree)] == [
        (1, 13, "# yes", False),
        (3, 5, "# alone", True),
    ]
