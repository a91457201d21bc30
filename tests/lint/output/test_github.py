"""Workflow commands as the runner parses them, and the summary of the step."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from synclint.lint.finding import Confidence, Finding, Frequency, Level, Severity, Span
from synclint.lint.home import HOME
from synclint.lint.limits import MOST_ANNOTATIONS
from synclint.lint.output import step_summary

Make = Callable[..., Finding]
Render = Callable[..., list[str]]


def commands(lines: list[str]) -> list[str]:
    return [line for line in lines if line.lstrip().startswith("::")]


def parsed(line: str) -> tuple[str, dict[str, str], str]:
    """A command, its properties and its data, unescaped as actions/runner does it."""
    match = re.fullmatch(r"::(\w+) (.*?)::(.*)", line)
    assert match, line
    properties = dict(pair.split("=", 1) for pair in match[2].split(","))
    return match[1], {name: unescaped(value, "%3A:", "%2C,") for name, value in properties.items()}, unescaped(match[3])


def unescaped(text: str, *more: str) -> str:
    for pair in (*more, "%0D\r", "%0A\n", "%25%"):
        text = text.replace(pair[:-1], pair[-1])
    return text


def test_an_annotation_below_a_line_for_people(finding: Make, rendered: Render) -> None:
    assert rendered("github", finding()) == [
        "train.py:2:5: error: `loss.item()` waits for the device [SYNC101 item-call]",
        "::error title=SYNC101 item-call,file=train.py,line=2,endLine=2,col=5,endColumn=16"
        "::`loss.item()` waits for the device%0Athe loop iterates a DataLoader%0AKeep the tensor.",
    ]


@pytest.mark.parametrize(
    ("severity", "name"), [(Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.NOTE, "notice")]
)
def test_severities(finding: Make, rendered: Render, severity: Severity, name: str) -> None:
    (line,) = commands(rendered("github", finding(severity=severity)))
    assert line.startswith(f"::{name} ")


def test_columns_only_within_one_line(finding: Make, rendered: Render) -> None:
    (line,) = commands(rendered("github", finding(span=Span("a.py", 2, 5, 4, 1))))
    assert "line=2,endLine=4::" in line


def test_what_is_escaped_is_read_again(finding: Make, rendered: Render) -> None:
    name = "a,b:c%0A::error::.py"
    message = "100% %0A %3A :: , x"
    hostile = finding(span=Span(name, 1, 1, 1, 2), message=message, instead="", frequency=Frequency(Level.UNKNOWN))
    (line,) = commands(rendered("github", hostile))
    command, properties, data = parsed(line)
    assert (command, properties["file"], data) == ("error", name, message)


def test_the_most_certain_and_most_frequent_are_annotated(finding: Make, rendered: Render) -> None:
    likely = [finding(span=Span("a.py", row, 1, row, 2), confidence=Confidence.LIKELY) for row in range(1, 13)]
    rare = finding(span=Span("b.py", 1, 1, 1, 2), frequency=Frequency(Level.EVERY_EPOCH))
    often = finding(span=Span("c.py", 1, 1, 1, 2), frequency=Frequency(Level.EVERY_PASS))
    warning = finding(span=Span("d.py", 1, 1, 1, 2), severity=Severity.WARNING)
    lines = rendered("github", *likely, rare, often, warning)
    files = [parsed(line)[1]["file"] for line in commands(lines)]
    assert files == ["c.py", "b.py", *["a.py"] * (MOST_ANNOTATIONS - 2), "d.py"]
    assert lines[-1] == "GitHub shows 10 annotations of each type; 4 more are in the lines above."
    assert sum(": error: " in line or ": warning: " in line for line in lines) == 15


def test_paths_are_relative_to_the_checkout(
    finding: Make, rendered: Render, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "part").mkdir()
    monkeypatch.chdir(tmp_path / "part")
    names = ["src/a.py", str(tmp_path / "part/src/a.py"), str(tmp_path.parent / "b.py")]

    def files() -> list[str]:
        found = [rendered("github", finding(span=Span(name, 1, 1, 1, 2)))[1] for name in names]
        return [parsed(line)[1]["file"] for line in found]

    assert files() == ["src/a.py", "src/a.py", names[2]]
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    assert files() == ["part/src/a.py", "part/src/a.py", names[2]]
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path / "elsewhere"))
    assert files()[0] == "src/a.py"


def test_the_summary_of_the_step(
    finding: Make, rendered: Render, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "summary.md"
    file.write_text("before\n")
    monkeypatch.setenv(step_summary.VARIABLE, str(file))
    rendered(
        "github", finding(message="a | b <b> `c` [d](http://e.f) *g*"), finding(severity=Severity.NOTE), notes=False
    )
    assert file.read_text() == (
        "before\n### synclint\n\nFound 1 error in 1 file \\(1 note not shown\\: \\-\\-show\\-notes\\)\\.\n\n"
        "| Severity | Place | Rule | Message |\n|---|---|---|---|\n"
        "| error | train\\.py\\:2 | [SYNC101 item-call]"
        f"({HOME}/blob/main/docs/rules/item-call.md) "
        "| a \\| b \\<b\\> \\`c\\` \\[d\\]\\(http\\:\\/\\/e\\.f\\) \\*g\\* |\n\n"
    )


def test_a_summary_that_cannot_be_written_is_no_failure(
    finding: Make, rendered: Render, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(step_summary.VARIABLE, str(tmp_path))
    assert rendered("github", finding())[-1].startswith("The step summary could not be written: ")


def test_a_summary_too_large_is_cut_and_says_so(
    finding: Make, rendered: Render, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "summary.md"
    file.write_bytes(b"x" * 100_000)
    monkeypatch.setenv(step_summary.VARIABLE, str(file))
    findings = [finding(span=Span("a.py", row, 1, row, 2), message="日本" * 2000) for row in range(1, 200)]
    last = finding(span=Span("z.py", 1, 1, 1, 2), frequency=Frequency(Level.EVERY_PASS))
    rendered("github", *findings, last)
    text = file.read_bytes()
    assert 900_000 < len(text) <= 1024 * 1024
    shown = text.decode().count("| error |")
    assert f"\n{200 - shown} more did not fit here; the step's log lists them all.\n" in text.decode()
    assert "z\\.py" in text.decode()  # the most frequent one is never cut
