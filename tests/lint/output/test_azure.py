"""Logging commands of Azure Pipelines, parsed as its agent does."""

from __future__ import annotations

from collections.abc import Callable

from synclint.lint.finding import Finding, Frequency, Level, Severity, Span

Make = Callable[..., Finding]
Render = Callable[..., list[str]]


def parsed(line: str) -> tuple[str, dict[str, str], str]:
    """The command, its properties and its message: what counts is the first `##vso[`, and the first `]` after it."""
    head, _, message = line[line.index("##vso[") + len("##vso[") :].partition("]")
    command, _, pairs = head.partition(" ")
    properties = dict(pair.split("=", 1) for pair in pairs.split(";") if pair)
    return command, {name: unescaped(value) for name, value in properties.items()}, unescaped(message)


def unescaped(text: str) -> str:
    for escaped, plain in (("%0D", "\r"), ("%0A", "\n"), ("%5D", "]"), ("%3B", ";"), ("%AZP25", "%")):
        text = text.replace(escaped, plain)
    return text


def test_an_issue(finding: Make, rendered: Render) -> None:
    (line,) = rendered("azure", finding(severity=Severity.WARNING))
    assert line.startswith("##vso[task.logissue type=warning;sourcepath=train.py;linenumber=2;")
    assert parsed(line) == (
        "task.logissue",
        {"type": "warning", "sourcepath": "train.py", "linenumber": "2", "columnnumber": "5", "code": "SYNC101"},
        "`loss.item()` waits for the device\nthe loop iterates a DataLoader\nKeep the tensor. [item-call]",
    )


def test_a_note_is_a_plain_line(finding: Make, rendered: Render) -> None:
    assert rendered("azure", finding(severity=Severity.NOTE)) == [
        "train.py:2:5: note: `loss.item()` waits for the device [SYNC101 item-call]"
    ]


def test_what_is_escaped_is_read_again(finding: Make, rendered: Render) -> None:
    name, message = "a;b]c=%0A%AZP25.py", "x[0]; 100% %5D %0A"
    hostile = finding(span=Span(name, 1, 1, 1, 2), message=message, instead="", frequency=Frequency(Level.UNKNOWN))
    _, properties, text = parsed(*rendered("azure", hostile))
    assert (properties["sourcepath"], text) == (name, f"{message} [item-call]")
