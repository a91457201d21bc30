"""Python source as a browser shows it: in colors, with the finding marked."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

from markupsafe import Markup, escape
from pygments.lexer import Lexer
from pygments.lexers import PythonLexer
from pygments.token import STANDARD_TYPES

from ..excerpt import Row


def colored(row: Row) -> Markup:
    """Return a line in HTML; the neighbours of a finding, which would cost as much each, have no colors."""
    if row.start == row.stop:
        return Markup('<span class="near">{}</span>').format(row.text)
    parts = []
    for at, kind, text in _lexer().get_tokens_unprocessed(row.text):
        style = STANDARD_TYPES.get(kind, "")[:1]  # the classes of Pygments begin with the group that they refine
        cuts = sorted({at, at + len(text), *(cut for cut in (row.start, row.stop) if at < cut < at + len(text))})
        for first, last in pairwise(cuts):
            part = escape(row.text[first:last])
            part = Markup(f'<span class="{style}">{part}</span>') if style in _SHOWN else part
            parts.append(Markup(f"<mark>{part}</mark>") if row.start <= first < row.stop else part)
    return Markup("".join(parts))


_SHOWN = frozenset("kosmc")
"""Keywords, operators, strings, numbers and comments: what `base.css` has colors for."""


@cache
def _lexer() -> Lexer:
    lexer: Lexer = PythonLexer(stripnl=False, ensurenl=False)
    return lexer
