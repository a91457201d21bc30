"""Azure Pipelines logging commands: errors and warnings become build issues; notes have no counterpart there.

Source: learn.microsoft.com/azure/devops/pipelines/scripts/logging-commands (`task.logissue`); the escapes are those of
taskcommand.ts in microsoft/azure-pipelines-task-lib.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...finding import Finding, Severity
from ..locations import relative, root
from ..outcome import Outcome
from ..text import advice, escape, one_line

_TYPES: Final = {Severity.ERROR: "error", Severity.WARNING: "warning"}


def render(outcome: Outcome) -> Iterator[str]:
    """Yield a command for each finding, and a plain line for each note."""
    base = root()
    for each in outcome.shown:
        yield _command(each, base) if each.severity in _TYPES else one_line(each)


def _command(finding: Finding, base: str) -> str:
    span = finding.span.on_disk
    properties = {
        "type": _TYPES[finding.severity],
        "sourcepath": relative(span.filename, base),
        "linenumber": span.row,
        "columnnumber": span.column,
        "code": finding.code,
    }
    text = "".join(f"{name}={_property(escape(str(value)))};" for name, value in properties.items())
    return f"##vso[task.logissue {text}]{_data(f'{advice(finding)} [{finding.name}]')}"


def _data(text: str) -> str:
    return text.replace("%", "%AZP25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace("]", "%5D").replace(";", "%3B")
