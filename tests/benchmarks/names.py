"""How much each list of names decides: findings with all lists, against findings with one of them emptied.

    python tests/benchmarks/names.py PATH... [--only LIST…] [--json FILE]

Each list of `lint/facts/naming.py`, `places.py` and `states.py` is emptied in a process of its own, before anything
else is imported.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from synclint.lint.facts import naming, places, states

NOTHING = "\0"
"""A name that nothing has: an empty alternative of a pattern would match everything."""
PROGRAM = f"""
import sys
from synclint.lint.facts import naming, places, states
for name in filter(None, sys.argv.pop(1).split(",")):
    module = next(each for each in (naming, places, states) if hasattr(each, name))
    old = getattr(module, name)
    empty = "(?!)" if isinstance(old, str) else {{}} if isinstance(old, dict) else type(old)(({NOTHING!r},))
    setattr(module, name, empty)
from synclint.lint.cli import main
main()
"""
OPTIONS = ("--isolated", "--no-cache", "--exit-zero", "--quiet", "--jobs", "1", "--output-format", "json")
Found = dict[tuple[Any, ...], str]


@dataclass(frozen=True)
class Row:
    """What emptying a list does: findings that are lost, that come, and that have another severity."""

    name: str
    lost: int
    new: int
    changed: int

    @property
    def total(self) -> int:
        return self.lost + self.new + self.changed


def lists() -> list[str]:
    return [name for name in (*vars(naming), *vars(places), *vars(states)) if name.isupper()]


def found(paths: Iterable[str], emptied: Iterable[str]) -> Found:
    command = [sys.executable, "-c", PROGRAM, ",".join(emptied), "check", *paths, *OPTIONS]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return {
        (row["filename"], row["location"]["row"], row["location"]["column"], row["code"]): row["severity"]
        for row in json.loads(done.stdout)
        if row["location"]
    }


def compared(name: str, before: Found, after: Found) -> Row:
    both = before.keys() & after.keys()
    changed = sum(before[key] != after[key] for key in both)
    return Row(name, len(before) - len(both), len(after) - len(both), changed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--only", nargs="+", choices=lists(), default=lists())
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    before = found(options.paths, ())
    rows = [compared("all lists", before, found(options.paths, lists()))]
    rows += sorted(
        (compared(name, before, found(options.paths, [name])) for name in options.only), key=lambda row: -row.total
    )
    print(f"{len(before)} findings\n\n| list | lost | new | other severity |\n|---|---:|---:|---:|")
    for row in rows:
        print(f"| `{row.name}` | {row.lost} | {row.new} | {row.changed} |")
    if options.json:
        options.json.write_text(json.dumps([asdict(row) for row in rows], indent=2) + "\n")


if __name__ == "__main__":
    main()
