"""What is shown over an expression: why it is reported, its value, where that lives, and how often the line runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..finding import Finding, Frequency
from ..inference.explain import Known
from ..output.text import escape, reason_line


def hover(findings: Sequence[Finding], known: Known | None) -> str:
    """The text in Markdown; empty where there is nothing to say. The message itself stands in the diagnostic."""
    parts = ["\n".join(_why(each)) for each in findings]
    if known is not None:
        parts.append("\n".join(_about(known)))
    return "\n\n---\n\n".join(parts)


def _why(finding: Finding) -> Iterator[str]:
    sure = finding.confidence.words
    yield f"[{finding.code} {finding.name}]({finding.url}): {finding.severity.words}, {sure}"
    yield ""
    yield from _items([reason_line(each) for each in finding.reasons])
    yield from _often(finding.frequency)


def _about(known: Known) -> Iterator[str]:
    yield f"```python\n{escape(known.text)}  # {escape(str(known.value))}\n```"
    yield from _items([reason_line(each) for each in known.reasons])
    yield from _often(known.frequency)


def _often(frequency: Frequency) -> Iterator[str]:
    assumed = " (assumed)" if frequency.assumed else ""
    yield f"- runs: {frequency.level.words}{assumed}"
    yield from (f"  {line}" for line in _items([reason_line(each) for each in frequency.reasons]))


def _items(lines: Sequence[str]) -> Iterator[str]:
    """A list in Markdown; what a program says in its own names is no markup."""
    yield from (f"- {each.translate(_PLAIN)}" for each in lines)


_PLAIN = str.maketrans({each: f"\\{each}" for each in "\\*_[]<>#|~"})
