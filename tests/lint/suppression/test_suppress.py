"""Comments that silence findings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from synclint.lint.files.source import Source, parse
from synclint.lint.run.engine import run
from synclint.lint.run.file import File
from synclint.lint.settings.config import Settings
from synclint.lint.settings.selection import Layer, chosen_rules
from synclint.lint.suppression.suppress import Suppression, suppressions


def read(text: str) -> tuple[Suppression, ...]:
    source = parse(dedent(text).encode(), "f.py", wanted=True)
    assert isinstance(source, Source)
    return suppressions(source)


@pytest.fixture
def lint(inference: None, here: Path) -> Callable[..., list[str]]:
    def check(text: str, *layers: Layer) -> list[str]:
        """Row and rule of each finding."""
        file = File("f.py", True, dedent(text).encode())
        result = run([file], Settings(root=here), chosen_rules(layers))
        assert not result.failures
        return [f"{finding.span.row} {finding.code}" for finding in result.findings]

    return check


def test_what_a_comment_says() -> None:
    (found,) = read("x = 1  # synclint: ignore[SYNC101, tensor-tolist] read once per epoch\n")
    assert (found.kind, found.rules, found.reason) == ("ignore", ("SYNC101", "tensor-tolist"), "read once per epoch")
    assert (found.span.row, found.span.column, found.rows) == (1, 8, (1, 1))


@pytest.mark.parametrize(
    ("comment", "kind", "rules"),
    [
        ("# synclint: ignore", "ignore", ()),
        ("#synclint:ignore[ SYNC101 ]", "ignore", ("SYNC101",)),
        ("# type: ignore  # synclint: ignore[SYNC101]", "ignore", ("SYNC101",)),
        ("# synclint: file-ignore[SYNC1]", "file-ignore", ("SYNC1",)),
        ("# synclint: expect[SYNC101] a test", "expect", ("SYNC101",)),
        ("# synclint: ignroe[SYNC101]", "ignroe", ("SYNC101",)),
        ("# noqa: SYNC101", "noqa", ("SYNC101",)),
        ("# NOQA:E501,sync101 because", "noqa", ("sync101",)),
    ],
)
def test_forms(comment: str, kind: str, rules: tuple[str, ...]) -> None:
    (found,) = read(f"x = 1  {comment}\n")
    assert (found.kind, found.rules) == (kind, rules)


@pytest.mark.parametrize(
    "comment", ["# noqa", "# noqa: E501", "# noqa: S101", "# see synclint", "'# synclint: ignore'", "# noqa : "]
)
def test_what_is_no_suppression(comment: str) -> None:
    assert read(f"x = 1; {comment}\n") == ()


@pytest.mark.parametrize(
    "text",
    [
        "wait_101()  # synclint: ignore[SYNC101] why\n",
        "# synclint: ignore[item-call]\nwait_101()\n",
        "# synclint: ignore[SYNC1]\n# another comment\n\nwait_101()\n",
        "x = f(\n    wait_101(),\n    2,\n)  # synclint: ignore[SYNC101]\n",
        "x = f(  # synclint: ignore[SYNC101]\n    wait_101(),\n)\n",
        "x = f(\n    # synclint: ignore[SYNC101]\n    1,\n    wait_101(),\n)\n",
        "# synclint: ignore[SYNC101]\nx = f(\n    wait_101(),\n)\n",
        'x = f"""\n{wait_101()}\n"""  # synclint: ignore[SYNC101]\n',
        "if wait_101():  # synclint: ignore[SYNC101]\n    pass\n",
        "if (\n    a\n    and wait_101()\n):  # synclint: ignore[SYNC101]\n    pass\n",
        "if a:\n    # synclint: ignore[SYNC101]\n    wait_101()\n",
        "if a: wait_101()  # synclint: ignore[SYNC101]\n",
        "if a:\n    pass\nelif wait_101():  # synclint: ignore[SYNC101]\n    pass\n",
        "@decorated  # synclint: ignore[SYNC101]\n@other\ndef f(x=wait_101()):\n    pass\n",
        "# synclint: ignore[SYNC101]\n@decorated\ndef f(x=wait_101()):\n    pass\n",
        "for x in wait_101():  # synclint: ignore\n    pass\n",
        "match x:\n    case 1 if wait_101():  # synclint: ignore\n        pass\n",
        "try:\n    pass\nexcept wait_101():  # synclint: ignore\n    pass\n",
        "wait_101()  # noqa: SYNC101\n",
        "a = 1\nwait_101()\nwait_101()\n# synclint: file-ignore[SYNC101] generated\n",
        "wait_101()  # synclint: expect[SYNC101] a test of the linter\n",
        "once_101()  # synclint: ignore[SYNC101] not shown, but true\n",
        "guess_101()  # synclint: ignore[SYNC101]\n",
    ],
)
def test_silent(lint: Callable[..., list[str]], text: str) -> None:
    assert lint(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("wait_101()  # noqa\n", ["1 SYNC101"]),
        ("wait_101()  # noqa: E501\n", ["1 SYNC101"]),
        ("wait_101()  # synclint: ignore[SYNC102]\n", ["1 SYNC101", "1 SYNC901"]),
        ("if a:  # synclint: ignore[SYNC101]\n    wait_101()\n", ["1 SYNC901", "2 SYNC101"]),
        ("# synclint: ignore[SYNC101]\nif a:\n    wait_101()\n", ["1 SYNC901", "3 SYNC101"]),
        ("def f():  # synclint: ignore\n    wait_101()\n", ["1 SYNC901", "2 SYNC101"]),
        ("x = '# synclint: ignore'; wait_101()\n", ["1 SYNC101"]),
        ("wait_101()  # synclint: ignroe[SYNC101]\n", ["1 SYNC101", "1 SYNC901"]),
        ("wait_101()  # synclint: ignore[SYNC999]\n", ["1 SYNC101", "1 SYNC901"]),
        ("wait_101()\n# synclint: ignore[SYNC101]\n", ["1 SYNC101", "2 SYNC901"]),
    ],
)
def test_loud(lint: Callable[..., list[str]], text: str, expected: list[str]) -> None:
    assert lint(text) == expected


def test_unused_suppressions(lint: Callable[..., list[str]]) -> None:
    assert lint("x = 1  # synclint: ignore[SYNC101]\n") == ["1 SYNC901"]
    assert lint("x = 1  # synclint: ignore\n") == ["1 SYNC901"]
    assert lint("x = 1  # noqa: SYNC101\n") == ["1 SYNC901"]
    assert lint("wait_101()  # synclint: ignore[SYNC101, SYNC102]\n") == ["1 SYNC901"]
    assert lint("x = 1  # synclint: file-ignore[SYNC1]\n", Layer(extend=("SYNC111",))) == ["1 SYNC901"]


def test_a_suppression_of_a_rule_that_does_not_run_is_not_judged(lint: Callable[..., list[str]]) -> None:
    text = "x = 1  # synclint: ignore[SYNC101]\ny = 2  # synclint: ignore\nz = 3  # synclint: ignore[SYNC111]\n"
    assert lint(text, Layer(select=("SYNC102", "SYNC901"))) == []


def test_the_report_of_a_suppression_can_be_silenced_by_name_only(lint: Callable[..., list[str]]) -> None:
    assert lint("x = 1  # synclint: ignore[SYNC101, SYNC901]\n") == []
    assert lint("# synclint: file-ignore[unused-suppression]\nx = 1  # synclint: ignore[SYNC101]\n") == []


def test_a_reason_can_be_demanded(lint: Callable[..., list[str]]) -> None:
    demanding = Layer(extend=("SYNC903",))
    assert lint("wait_101()  # synclint: ignore[SYNC101]\n", demanding) == ["1 SYNC903"]
    assert lint("wait_101()  # synclint: ignore[SYNC101] once per epoch\n", demanding) == []
    assert lint("wait_101()  # noqa: SYNC101\n", demanding) == []


def test_an_expected_hazard_that_is_gone(lint: Callable[..., list[str]]) -> None:
    assert lint("x = 1  # synclint: expect[SYNC101] a test\n") == ["1 SYNC904"]
    assert lint("x = 1  # synclint: expect\n") == ["1 SYNC904"]


def test_an_expectation_that_is_not_met_fails_the_run(synclint_command: Callable[..., Any], here: Path) -> None:
    (here / "f.py").write_text("wait_101()  # synclint: expect[SYNC101] measured\n")
    assert synclint_command("f.py").code == 0
    (here / "f.py").write_text("x = 1  # synclint: expect[SYNC101] measured\n")
    outcome = synclint_command("f.py")
    assert outcome.code == 1
    assert "`SYNC101` is expected here but not reported" in outcome.out


def test_reasons_can_be_required(synclint_command: Callable[..., Any], here: Path) -> None:
    (here / "f.py").write_text("wait_101()  # synclint: ignore[SYNC101]\n")
    assert synclint_command("f.py").code == 0
    (here / "synclint.toml").write_text("require-reason = true\n")
    outcome = synclint_command("f.py")
    assert outcome.code == 1
    assert "SYNC903" in outcome.out


def test_very_many_suppressions_are_answered(lint: Callable[..., list[str]]) -> None:
    many = "# synclint: file-ignore[SYNC101]\n" * 4000 + "wait_101()  # synclint: ignore[SYNC102]\n" * 4000
    assert lint(many, Layer(ignore=("SYNC901",))) == []
