"""Matches at beginnings of the lines that have a word."""

from __future__ import annotations

from synclint.lint.regex import in_lines_with, regex

_IMPORT = regex(r"\n[ \t]*import (?:\([^()]*\)|\w+)")


def test_matches_are_found_by_line() -> None:
    text = "\nx = 'import'\nimport a\n  import (\n  import_b,\n)\nimport c; import d"
    found = [each[0] for each in in_lines_with("import", _IMPORT, text)]
    assert (
        found
        == [each[0] for each in _IMPORT.finditer(text)]
        == ["\nimport a", "\n  import (\n  import_b,\n)", "\nimport c"]
    )


def test_a_line_without_the_word_is_not_tried() -> None:
    assert not list(in_lines_with("import", regex("from"), "from a\nfrom b"))
    assert [
        each.start() for each in in_lines_with("import", regex("\n?from"), "from a import b\nx\nfrom c import d")
    ] == [0, 17]
