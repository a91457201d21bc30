"""The text shown for an expression: why it is reported, its value and device, and how often the line runs."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence

from ..finding import Finding, Frequency, Reason
from ..inference.explain import Known
from ..output.text import escape

_PLAIN = str.maketrans({each: f"\\{each}" for each in "\\*_[]<>#|~`"})
"""Names in programs are not markup."""

_CODE = re.compile(r"(`[^`]+`)")
"""Quotations in our messages; no backslash escapes anything in there."""


def hover(findings: Sequence[Finding], known: Known | None, uri_of: Callable[[str], str]) -> str:
    """Return the text in Markdown; empty if there is nothing to say. The message itself is in the diagnostic."""
    lines: list[str] = []
    for each in findings:
        sure = f"{each.severity.words}, {each.confidence.words}"
        lines += ["", f"[{each.code} {each.name}]({each.url}): {sure}", "", *_items(each.reasons, uri_of)]
        lines += [f"- {_markdown(escape(each.measured.words))}"] if each.measured is not None else []
    if known is not None:
        value = f"{escape(known.text)}  # {escape(str(known.value))}"
        lines += ["", "```python", value, "```", "", *_items(known.reasons, uri_of)]
    often = findings[0].frequency if findings else known.frequency if known else None
    return "\n".join((*lines, "", *_often(often, uri_of))).strip() if often else ""


def _often(frequency: Frequency, uri_of: Callable[[str], str]) -> Iterator[str]:
    yield f"This line runs: {_markdown(escape(frequency.words))}"
    yield ""
    yield from _items(frequency.reasons, uri_of)


def _items(reasons: Sequence[Reason], uri_of: Callable[[str], str]) -> Iterator[str]:
    for each in reasons:
        words = _markdown(escape(each.message))
        if each.span is not None:
            place = each.span.on_disk
            name = f"{os.path.basename(place.filename)}:{each.span.line}"
            words += f" ([{_markdown(escape(name))}]({uri_of(place.filename)}#L{place.row}))"
        yield f"- {words}"


def _markdown(text: str) -> str:
    """Return the text as Markdown that shows it verbatim, with what is in backticks as code."""
    parts = _CODE.split(text)
    return "".join(part if at % 2 else part.translate(_PLAIN) for at, part in enumerate(parts))
