"""The lines of a run's files."""

from __future__ import annotations

from pathlib import Path

from synclint.lint.files.texts import Texts


def test_only_the_last_few_texts_are_kept(tmp_path: Path) -> None:
    files = [tmp_path / f"{at}.py" for at in range(40)]
    for each in files:
        each.write_text("before\n")
    texts = Texts({})
    assert {texts.lines(str(each)) for each in files} == {("before", "")}
    for each in files:
        each.write_text("after\n")
    assert texts.lines(str(files[-2])) == ("before", "")
    assert texts.lines(str(files[0])) == ("after", "")
