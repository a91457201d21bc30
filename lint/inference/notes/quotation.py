"""Quotes an expression's source on one line; long ones are cut inside brackets, to keep the operation at the end."""

from __future__ import annotations

import re
from keyword import iskeyword
from typing import NamedTuple

from ...limits import LEAST_QUOTATION, LONGEST_QUOTATION, LONGEST_QUOTED
from ...regex import regex

CUT = "…"

_OPEN, _CLOSE = "([{", ")]}"
_TOKEN = regex(
    r"""(?P<text>'{3}(?:\\.|[^\\])*?'{3}|"{3}(?:\\.|[^\\])*?"{3}|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*")"""
    r"""|(?P<blank>(?:\s|\#[^\n]*|\\\n)+)|(?P<other>\w+|.)""",
    re.DOTALL,
)


class _Group(NamedTuple):
    """A pair of brackets in a text: where the inside begins and ends, and its comma-separated items."""

    start: int
    end: int
    items: tuple[str, ...]


def quotation(source: str, most: int = LONGEST_QUOTATION) -> str:
    """Return the source of an expression on one line, shortened."""
    if len(source) <= most and "\n" not in source:
        return " ".join(source.split())
    if len(source) > LONGEST_QUOTED:
        source = f"{source[: LONGEST_QUOTED // 2]}{CUT}{source[-LONGEST_QUOTED // 2 :]}"
    text = _fitted(one_line(source), most)
    tail = most // 2
    return text if len(text) <= most else text[: most - tail - 1] + CUT + text[-tail:]


def one_line(source: str) -> str:
    """Return the source as a formatter joins its lines: no comments, no spaces inside brackets, no trailing comma."""
    parts: list[str] = []
    commas: list[int] = []
    blank = False
    for token in _TOKEN.finditer(source):
        if token["blank"]:
            blank = True
            continue
        part = " ".join(token[0].split())
        if part in _OPEN:
            commas.append(-1 if part == ("[" if _follows_value(parts) else "(") else 0)
        elif part == "," and commas:
            commas[-1] += 1
        elif part in _CLOSE and commas and commas.pop() > 0 and blank and parts[-1] == ",":
            parts.pop()
        if blank and parts and parts[-1] not in _OPEN and part not in _CLOSE and not _continues(part, parts[-1]):
            parts.append(" ")
        parts.append(part)
        blank = False
    return "".join(parts)


def _follows_value(parts: list[str]) -> bool:
    """Whether an opening bracket here calls or subscripts something; otherwise `(` may start a tuple."""
    return bool(parts) and (parts[-1] in _CLOSE or (parts[-1].isidentifier() and not iskeyword(parts[-1])))


def _continues(part: str, before: str) -> bool:
    """Whether this is a method on a line of its own."""
    return part == "." and (before.isidentifier() or before in _CLOSE)


def _fitted(text: str, most: int) -> str:
    """Return the text with as much cut from its brackets, the longest first, as makes it fit, if possible."""
    excess, cut = len(text) - most, []
    for group in sorted(_groups(text), key=lambda each: each.start - each.end) if excess > 0 else ():
        length = group.end - group.start
        inside = _less(group.items, length - excess)
        cut.append((group, inside))
        excess -= length - len(inside)
        if excess <= 0:
            break
    for group, inside in sorted(cut, reverse=True):
        text = text[: group.start] + inside + text[group.end :]
    return text


def _less(items: tuple[str, ...], room: int) -> str:
    """Return the items of a bracket, of which the longest are shortened or omitted until they fit."""
    kept = list(items)
    for at in sorted(range(len(items)), key=lambda at: -len(items[at])):
        excess = len(inside := _joined(kept)) - room
        if excess <= 0:
            return inside
        least = len(kept[at]) - excess
        shorter = _fitted(kept[at], least) if least > LEAST_QUOTATION else CUT
        kept[at] = shorter if len(shorter) <= least else CUT
    return _joined(kept)


def _joined(items: list[str]) -> str:
    """Return the items joined by commas; several omitted in a row become one."""
    return ", ".join(each for at, each in enumerate(items) if each != CUT or at == 0 or items[at - 1] != CUT)


def _groups(text: str) -> list[_Group]:
    """Return the outermost brackets of a text that contain more than what would replace them."""
    groups: list[_Group] = []
    depth = start = 0
    commas: list[int] = []
    for token in _TOKEN.finditer(text):
        part = token[0]
        if part in _OPEN:
            depth += 1
            if depth == 1:
                start, commas = token.end(), []
        elif part in _CLOSE and depth:
            depth -= 1
            if not depth and token.start() > start + 1:
                ends = (*commas, token.start())
                begins = (start, *(each + 1 for each in commas))
                groups.append(_Group(start, token.start(), tuple(text[a:b].strip() for a, b in zip(begins, ends))))
        elif part == "," and depth == 1:
            commas.append(token.start())
    return groups
