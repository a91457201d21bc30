"""Links of the documents lead to pages of the site, or else to the repository."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from synclint.lint.home import HOME, SITE

from .website import GUIDES, ROOT, rewritten, settings, write


@pytest.mark.parametrize(
    ("name", "link", "expected"),
    [
        ("README.md", "docs/ci.md", "ci.md"),
        ("README.md", "docs/rules/item-call.md#why", "rules/item-call.md#why"),
        ("README.md", "LICENSE", f"{HOME}/blob/main/LICENSE"),
        ("README.md", "#rules", "#rules"),
        ("docs/ci.md", "../README.md#rules", "index.md#rules"),
        ("docs/rules/item-call.md", "../ci.md", "../ci.md"),
        ("docs/rules/item-call.md", "../../tests/a.py", f"{HOME}/blob/main/tests/a.py"),
        ("docs/ci.md", "https://example.org/a.md", "https://example.org/a.md"),
    ],
)
def test_links(name: str, link: str, expected: str) -> None:
    assert rewritten(f"see [this]({link})", name) == f"see [this]({expected})"


def test_all_pages_are_written(tmp_path: Path) -> None:
    write(tmp_path / "out")
    pages = {page.relative_to(tmp_path / "out/docs").as_posix() for page in (tmp_path / "out/docs").rglob("*.md")}
    named = set(re.findall(r'"([^"]+\.md)"', (tmp_path / "out/mkdocs.yml").read_text()))
    assert pages == named


def test_the_map_of_the_site_has_its_address() -> None:
    assert json.loads(settings())["site_url"] == SITE


def test_no_guide_is_forgotten() -> None:
    assert {page.stem for page in (ROOT / "docs").glob("*.md")} == set(GUIDES)
