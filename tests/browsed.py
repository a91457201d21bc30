"""What a browser would make of a page: its elements and its text."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from typing import Any

VOID = {"meta", "input", "link", "br", "img"}


class Page(HTMLParser):
    """What a browser would see: the elements with their attributes, and the text."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.text: dict[str, list[str]] = {}
        self.open: list[str] = []
        self.whole: dict[str, list[str]] = {}
        self.feed("\n".join(lines))
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open:
            self.whole.setdefault(self.open[-1], []).append(data)
        for tag in self.open:
            self.text.setdefault(tag, []).append(data)

    def all(self, tag: str, name: str = "") -> list[str]:
        return [attributes.get(name, "") for found, attributes in self.elements if found == tag]

    def said(self, tag: str) -> str:
        return "".join(self.text.get(tag, []))

    def assert_alone(self) -> None:
        """Nothing is loaded, and nothing is run but what the page's policy names."""
        assert [
            tag for tag, attributes in self.elements if "src" in attributes or tag in ("link", "iframe", "img")
        ] == []
        assert [name for _, attributes in self.elements for name in attributes if name.startswith("on")] == []
        policy = self.all("meta", "content")[self.all("meta", "http-equiv").index("Content-Security-Policy")]
        assert policy.startswith("default-src 'none'; ")
        for tag in ("style", "script"):
            allowed = re.search(rf"{tag}-src 'sha256-([^']+)'", policy)
            assert allowed is not None
            assert allowed[1] in [
                base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in self.whole[tag]
            ]
