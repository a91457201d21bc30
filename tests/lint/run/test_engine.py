"""From files to findings: selection, thresholds, and errors that stay where they happen."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from synclint.lint.finding import Confidence, Severity
from synclint.lint.run.engine import check_paths, run
from synclint.lint.run.file import File
from synclint.lint.run.result import Result
from synclint.lint.settings.config import Settings
from synclint.lint.settings.selection import Layer, chosen_rules

pytestmark = pytest.mark.usefixtures("inference")


def lint(*texts: str, layer: Layer = Layer(), settings: Settings | None = None) -> Result:  # noqa: B008
    files = [File(f"{name}.py", True, text.encode()) for name, text in zip("abcdef", texts, strict=False)]
    return run(files, settings or Settings(), chosen_rules([layer]))


def rows(result: Result) -> list[str]:
    return [f"{each.span.filename}:{each.span.row} {each.code} {each.severity.words}" for each in result.findings]


def test_severities_follow_from_confidence_and_frequency() -> None:
    assert rows(lint("wait_101()\nmaybe_101()\nrare_101()\nonce_101()\nonce_404()\n")) == [
        "a.py:1 SYNC101 error",
        "a.py:2 SYNC101 warning",
        "a.py:3 SYNC101 note",
        "a.py:5 SYNC404 error",
    ]


def test_findings_are_in_order_of_files_and_rows() -> None:
    result = lint("x = 1\nwait_102()\nwait_101()\n", "wait_101()\n")
    assert rows(result) == ["a.py:2 SYNC102 error", "a.py:3 SYNC101 error", "b.py:1 SYNC101 error"]


def test_the_statement_gives_a_fingerprint_that_moves_along() -> None:
    (one,) = lint("x =   wait_101()\n").findings
    (two,) = lint("\n\n# moved\nx = wait_101()  \n").findings
    assert one.statement == "x = wait_101()"
    assert one.fingerprint == two.fingerprint


def test_possible_findings_are_off_by_default() -> None:
    assert rows(lint("guess_101()")) == []
    assert rows(lint("guess_101()", settings=Settings(min_confidence=Confidence.POSSIBLE))) == ["a.py:1 SYNC101 note"]
    assert rows(lint("maybe_101()", settings=Settings(min_confidence=Confidence.CERTAIN))) == []


def test_severities_can_be_set() -> None:
    settings = Settings(severity={"SYNC1": Severity.NOTE, "SYNC102": Severity.NONE, "item-call": Severity.WARNING})
    text = "wait_101()\nwait_102()\nwait_111()\nonce_101()\n"
    assert rows(lint(text, settings=settings, layer=Layer(extend=("SYNC111",)))) == [
        "a.py:1 SYNC101 warning",
        "a.py:3 SYNC111 note",
    ]


def test_explicit_waits_are_known_even_where_their_rule_is_not_selected() -> None:
    text = "wait_111()\nwait_101()  # synclint: ignore\nx = 1  # synclint: ignore[SYNC111]\n"
    result = lint(text)
    assert rows(result) == []
    assert [(each.code, each.span.row, each.severity) for each in result.on_purpose] == [("SYNC111", 1, Severity.NONE)]
    selected = lint(text, layer=Layer(extend=("SYNC111",)))
    assert rows(selected) == ["a.py:1 SYNC111 error", "a.py:3 SYNC901 warning"]
    assert selected.on_purpose == ()


def test_per_file_ignores(here: Path) -> None:
    settings = Settings(root=here, per_file_ignores={"a.py": ("SYNC1",), "*.pyi": ("ALL",)})
    assert rows(lint("wait_101()\nonce_404()", "wait_101()", settings=settings)) == [
        "a.py:2 SYNC404 error",
        "b.py:1 SYNC101 error",
    ]


def test_an_unreadable_file_does_not_stop_the_others() -> None:
    assert rows(lint("import torch\ndef f(:\n", "wait_101()", "x = '\0'")) == [
        "a.py:2 SYNC902 warning",
        "b.py:1 SYNC101 error",
        "c.py:1 SYNC902 warning",
    ]


def test_an_error_of_the_analysis_does_not_stop_the_others() -> None:
    result = lint("bug()", "wait_101()")
    assert rows(result) == ["b.py:1 SYNC101 error"]
    assert [(each.filename, each.part) for each in result.failures] == [("a.py", "the analysis")]


def test_an_error_of_a_rule_does_not_stop_the_others() -> None:
    result = lint("crash_101()  # synclint: ignore[SYNC101]\ncrash_101()\nwait_102()", "wait_101()")
    assert rows(result) == ["a.py:3 SYNC102 error", "b.py:1 SYNC101 error"]
    assert [(each.filename, each.part, each.error) for each in result.failures] == [
        ("a.py", "rule SYNC101", "ZeroDivisionError: a rule's bug")
    ]


def test_an_error_of_linking_all_files_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fragile(*_: object) -> object:
        raise RuntimeError("cannot link")

    monkeypatch.setattr(sys.modules["synclint.lint.inference.linking.link"], "WholeProject", fragile)
    result = lint("wait_101()", "wait_101()")
    assert [(each.filename, each.part) for each in result.failures] == [("a.py", "linking it with the other files")]


def test_the_same_place_is_reported_once(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = sys.modules["synclint.lint.inference.linking.link"].WholeProject
    operations = whole.operations
    monkeypatch.setattr(whole, "operations", lambda *given: [*operations(*given), *operations(*given)])
    assert rows(lint("wait_101()")) == ["a.py:1 SYNC101 error"]


def test_check_paths(here: Path) -> None:
    (here / "synclint.toml").write_text('ignore = ["SYNC102"]\n')
    (here / "sub").mkdir()
    (here / "sub/a.py").write_text("import torch\nwait_101()\nwait_102()\n")
    assert [finding.code for finding in check_paths(["sub"])] == ["SYNC101"]
    assert [finding.code for finding in check_paths(["gone"])] == ["SYNC902"]
