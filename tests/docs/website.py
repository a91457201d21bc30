"""Writes the sources of the documentation's site: what is written to be read in the repository, with links for a site.

    python tests/docs/website.py DIRECTORY && mkdocs build --strict --config-file DIRECTORY/mkdocs.yml

The README is the first page, each rule has its place in the navigation, and links that leave `docs/` lead to the
repository. The site is in DIRECTORY/site.
"""

from __future__ import annotations

import json
import posixpath
import re
import sys
from pathlib import Path

from synclint.lint.home import HOME, SITE
from synclint.lint.rule import all_rules

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#|/)([^)#\s]*)(#[^)\s]*)?(?=\))")
README = "README.md"
INDEX = "docs/index.md"
GUIDES = (
    "getting-started", "configuration", "fixes", "adoption", "ci", "build-systems", "editors", "notebooks", "agents",
    "runtime-checker", "how-it-knows", "glossary", "security", "plugins", "writing-a-rule", "releasing",
)  # fmt: skip
"""The pages, in the order in which somebody new reads them."""


def rewritten(text: str, name: str) -> str:
    """Return a document whose links lead to pages of the site, or else to the repository."""
    here = posixpath.dirname(INDEX if name == README else name)

    def lead(match: re.Match[str]) -> str:
        place = posixpath.normpath(posixpath.join(posixpath.dirname(name), match[1]))
        inner = INDEX if place == README else place
        is_page = inner.startswith("docs/") and (inner == INDEX or (ROOT / inner).is_file())
        return (posixpath.relpath(inner, here) if is_page else f"{HOME}/blob/main/{place}") + (match[2] or "")

    return LINK.sub(lead, text)


def settings() -> str:
    """Return the configuration of MkDocs, as JSON, which is YAML."""
    measured = sorted(f"benchmarks/{page.name}" for page in (ROOT / "docs/benchmarks").glob("*.md"))
    rules = [f"rules/{each.name}.md" for each in all_rules()]
    chosen = {
        "site_name": "synclint",
        "site_description": "Finds the lines of PyTorch code that make the CPU wait for the GPU.",
        "site_url": SITE,  # or the map of the site for search engines is empty
        "repo_url": HOME,
        "edit_uri": "edit/main/docs/",
        "nav": ["index.md", *(f"{guide}.md" for guide in GUIDES), {"Measured": measured}, {"Rules": rules}],
        "theme": {
            "name": "material",
            "font": False,  # nothing is loaded from elsewhere
            "features": ["content.code.copy", "navigation.footer", "navigation.instant", "search.highlight"],
            "palette": [
                {"media": "(prefers-color-scheme: light)", "scheme": "default", "toggle": _toggle("night", "Dark")},
                {"media": "(prefers-color-scheme: dark)", "scheme": "slate", "toggle": _toggle("sunny", "Light")},
            ],
        },
        "markdown_extensions": ["tables", "pymdownx.highlight", "pymdownx.superfences", {"toc": {"permalink": True}}],
        "validation": {"links": {"anchors": "warn", "absolute_links": "warn", "unrecognized_links": "warn"}},
    }
    return json.dumps(chosen, indent=1)


def _toggle(icon: str, name: str) -> dict[str, str]:
    return {"icon": f"material/weather-{icon}", "name": name}


def write(folder: Path) -> None:
    """Write the sources to a folder that is made for them."""
    folder.mkdir(parents=True)
    (folder / "mkdocs.yml").write_text(settings(), encoding="utf-8")
    for source in (ROOT / README, *sorted((ROOT / "docs").rglob("*"))):
        name = source.relative_to(ROOT).as_posix()
        target = folder / (INDEX if name == README else name)
        if source.is_dir():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.suffix == ".md":
            target.write_text(rewritten(source.read_text(encoding="utf-8"), name), encoding="utf-8")
        else:
            target.write_bytes(source.read_bytes())


if __name__ == "__main__":
    write(Path(sys.argv[1]))
