"""A page from its template: everything is escaped, and the page may run the scripts that it came with and no other."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import jinja2
from markupsafe import Markup, escape

from ..text import valid

TEMPLATES: Final = Path(__file__).parent / "templates"


def page(name: str, parts: Sequence[str], **content: Any) -> Iterator[str]:
    """Yield the lines of the page that a template makes of the content.

    `NAME.html` extends `base.html`; `parts` are the style sheets and scripts that it needs besides `base.css`.
    """
    loader = jinja2.FileSystemLoader(TEMPLATES)
    environment = jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters["code"] = _with_code
    style = "".join(_text(part) for part in (*parts, "base.css") if part.endswith(".css"))
    script = "".join(_text(part) for part in parts if part.endswith(".js"))
    policy = f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}"
    made = environment.get_template(f"{name}.html").render(style=style, script=script, policy=policy, **content)
    yield from valid(made).split("\n")


def _with_code(text: str) -> Markup:
    """Return a sentence whose parts between backticks are code."""
    parts = text.split("`")
    whole = len(parts) % 2
    return Markup().join(
        Markup("<code>{}</code>").format(part) if at % 2 and whole else escape(part) for at, part in enumerate(parts)
    )


def _text(name: str) -> str:
    """Return a part as a page holds it: that of a library comes after its license, which asks for that."""
    file = TEMPLATES / name
    text, notice = file.read_text(encoding="utf-8"), file.with_suffix(".LICENSE")
    return f"/*!\n{notice.read_text(encoding='utf-8')}*/\n{text}" if notice.exists() else text


def _hash(text: str) -> str:
    """Return what a content security policy calls an inline style or script by."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
