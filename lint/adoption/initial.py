"""Sets up a project: a short configuration, and a hook; files are only ever added to."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import Final

from ..files.regular import read
from ..home import HOME
from ..limits import LARGEST_SETTINGS
from ..output.text import escape
from ..settings.config import KEYS
from ..settings.files import ConfigError, read_toml
from ..store.rewrite import write

PYPROJECT: Final = Path("pyproject.toml")
OWN: Final = Path("synclint.toml")
PRE_COMMIT: Final = Path(".pre-commit-config.yaml")

HOOK: Final = """\
  - repo: local
    hooks:
      - id: synclint
        name: synclint
        entry: synclint check --force-exclude
        args: [--]
        language: system
        types_or: [python, pyi, jupyter]
        require_serial: true
"""

CHOICE: Final = "Errors make a run fail: certain waits in every step. Warnings rest on assumptions and are only shown."
_FIRST: Final = ("fail-on", "exclude", "gpu-names", "cold-functions", "torch")
_ALL: Final = f"{HOME}/blob/main/docs/configuration.md"

_REPOS: Final = re.compile(r"^repos:[ \t]*(?:#.*)?$", re.MULTILINE)
_TOP_LEVEL: Final = re.compile(r"^(?![ \t#-]|$).*", re.MULTILINE)
_ITEM: Final = re.compile(r"^([ ]*)- ", re.MULTILINE)
_OURS: Final = re.compile(r"\bid:[ \t]*['\"]?synclint\b")


def add_configuration() -> str:
    """Add the configuration to the working directory, and return where. Raises OSError."""
    for file in (OWN, PYPROJECT):
        if file.exists() and _is_ours(file):
            return f"{file} is already a synclint configuration; unchanged"
    if not PYPROJECT.exists():
        return _written(OWN, configuration(""))
    data = read(PYPROJECT, LARGEST_SETTINGS)
    longer = _appended(data, configuration("tool.synclint"))
    if longer is None:
        return _written(OWN, configuration("")) + f", because {PYPROJECT} cannot be added to"
    write(PYPROJECT, longer, Path.cwd())
    return f"added [tool.synclint] to {PYPROJECT}"


def _is_ours(file: Path) -> bool:
    if file == OWN:
        return True
    tools = (_document(read(file, LARGEST_SETTINGS)) or {}).get("tool")
    return isinstance(tools, dict) and "synclint" in tools


def _document(data: bytes) -> dict[str, object] | None:
    """Return a TOML document; None if it is broken."""
    try:
        return read_toml(PYPROJECT, data)
    except ConfigError:
        return None


def _appended(data: bytes, text: str) -> bytes | None:
    """Return a TOML document with one more table; None if appending the text does not yield that."""
    before = _document(data)
    end = b"\r\n" if b"\r\n" in data else b"\n"
    gap = b"" if not data.strip() else end if data.endswith(b"\n") else end * 2
    longer = data + gap + text.encode().replace(b"\n", end)
    after = _document(longer)
    if before is None or after is None:
        return None
    tools = after.get("tool")
    if not isinstance(tools, dict) or tools.pop("synclint", None) != {}:
        return None
    return longer if after == {"tool": {}, **before} else None


def _written(file: Path, text: str) -> str:
    write(file, text.encode(), Path.cwd())
    return f"wrote {file}"


def configuration(table: str) -> str:
    """Return the keys that projects set first, all commented out, in a table unless its name is empty."""
    prefix = f"{table}." if table else ""
    keys = (f"# {name} = {KEYS[name].metadata['example']}" for name in _FIRST)
    ignores = (f"# [{prefix}per-file-ignores]", f"# {KEYS['per-file-ignores'].metadata['example']}")
    return "\n".join((*([f"[{table}]"] if table else ()), f"# All keys: {_ALL}", f"# {CHOICE}", *keys, *ignores)) + "\n"


def add_hook() -> str:
    """Add the hook to the working directory's pre-commit configuration, and say so. Raises OSError."""
    if not PRE_COMMIT.exists():
        return _written(PRE_COMMIT, f"repos:\n{HOOK}")
    data = read(PRE_COMMIT, LARGEST_SETTINGS)
    text = data.decode("utf-8", errors="surrogateescape")
    if _OURS.search(text):
        return f"{PRE_COMMIT} already has the hook; unchanged"
    longer = _with_hook(text.replace("\r\n", "\n"))
    if longer is None:
        return f"{escape(str(PRE_COMMIT))} is not in a form that synclint can edit; add this to its `repos:`\n\n{HOOK}"
    end = "\r\n" if "\r\n" in text else "\n"
    write(PRE_COMMIT, longer.replace("\n", end).encode("utf-8", errors="surrogateescape"), Path.cwd())
    return f"added the hook to {PRE_COMMIT}"


def _with_hook(text: str) -> str | None:
    """Return the text with the hook as the last of its `repos:`, or None if these are not a plain list."""
    starts = list(_REPOS.finditer(text))
    if len(starts) != 1:
        return None
    start = starts[0].end()
    following = _TOP_LEVEL.search(text, start + 1)
    stop = following.start() if following else len(text)
    item = _ITEM.search(text, start, stop)
    if item is None:
        return None
    kept = text[:stop].rstrip()
    hook = textwrap.indent(textwrap.dedent(HOOK), item[1])
    rest = text[len(kept) :].lstrip("\n") if following else ""
    return f"{kept}\n{hook}" + (f"\n{rest}" if rest else "")
