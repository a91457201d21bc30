"""What each heuristic is worth: what is found with all of them, against what is found with one that says nothing.

    python tests/benchmarks/ablation.py REPOSITORY... [--only LIST…] [--answer MODULE:FUNCTION=VALUE]... [--json FILE]

Each list of names in `lint/facts/naming.py`, `places.py` and `states.py` is emptied in turn; `--answer` replaces a
function of the linter by one that always returns a Python literal: `inference.often.memos:memoized=None`. Every run is
a process of its own, in which that is done before a file is read. A heuristic stays only if it changes at least three
findings for the better in at least two repositories that it was not written for.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from synclint.lint.facts import naming, places, states

TABLES = (naming, places, states)
PROGRAM = r"""
import ast, importlib, sys

changes = sys.argv.pop(1).split("\0")
for change in filter(None, changes):
    where, _, value = change.partition("=")
    module, _, name = where.partition(":")
    found = importlib.import_module(f"synclint.lint.{module}")
    if value:  # a function, which others may have imported by its name
        import synclint.lint.commands.check
        import synclint.lint.inference.linking.link
        import synclint.lint.inference.reading.interpreter
        old, answer = getattr(found, name), ast.literal_eval(value)
        for each in list(sys.modules.values()):
            for key in [key for key, held in vars(each).items() if held is old]:
                setattr(each, key, lambda *_, **__: answer)
    else:  # a list: nothing is named so, and an empty alternative of a pattern would match everything
        old = getattr(found, name)
        empty = "(?!)" if isinstance(old, str) else {} if isinstance(old, dict) else type(old)(("\0",))
        setattr(found, name, empty)
from synclint.lint.cli import main
main()
"""
OPTIONS = (".", "--isolated", "--no-cache", "--exit-zero", "--quiet", "--jobs", "1", "--output-format", "json")
LOUD = ("error", "warning")
KEPT = ("severity", "frequency", "per", "conditions")
Place = tuple[Any, ...]
Found = Mapping[Place, Mapping[str, Any]]


@dataclass(frozen=True)
class Row:
    """What a heuristic changes: findings, and of them those that enter or leave errors and warnings."""

    name: str
    lost: int = 0
    new: int = 0
    severity: int = 0
    frequency: int = 0
    conditions: int = 0
    loud: int = 0
    repositories: int = 0

    def with_(self, before: Found, after: Found) -> Row:
        """Return the row with what is changed in one more repository."""
        both = before.keys() & after.keys()

        def differing(*keys: str) -> int:
            return sum(any(before[at][key] != after[at][key] for key in keys) for at in both)

        told = [{at for at, each in found.items() if each["severity"] in LOUD} for found in (before, after)]
        return Row(
            self.name,
            self.lost + len(before) - len(both),
            self.new + len(after) - len(both),
            self.severity + differing("severity"),
            self.frequency + differing("frequency", "per"),
            self.conditions + differing("conditions"),
            self.loud + len(told[0] ^ told[1]),
            self.repositories + (before != after),
        )

    @property
    def total(self) -> int:
        return self.lost + self.new + self.severity + self.frequency + self.conditions


def lists() -> list[str]:
    """Return the lists of names, each as a change that empties it."""
    names = ((table.__name__.rpartition(".")[2], name) for table in TABLES for name in vars(table) if name.isupper())
    return [f"facts.{table}:{name}" for table, name in names]


def found(repository: str, changes: Iterable[str]) -> Found:
    """Return what is found in a repository where these changes are made."""
    command = [sys.executable, "-c", PROGRAM, "\0".join(changes), "check", *OPTIONS]
    done = subprocess.run(command, capture_output=True, text=True, cwd=repository)
    if done.returncode:
        raise SystemExit(f"{changes} in {repository}: {done.stderr.strip()}")
    return {
        (row["filename"], row["location"]["row"], row["location"]["column"], row["code"]): {
            key: row[key] for key in KEPT
        }
        for row in json.loads(done.stdout)
        if row["location"]
    }


def measured(name: str, changes: Sequence[str], before: Mapping[str, Found]) -> Row:
    """Return what changes do in all repositories."""
    row = Row(name)
    for repository, known in before.items():
        row = row.with_(known, found(repository, changes))
    return row


def main() -> None:
    """Measure, and print a table with the most telling heuristics first."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="+")
    parser.add_argument("--only", nargs="*", default=[each.rpartition(":")[2] for each in lists()])
    parser.add_argument("--answer", action="append", default=[], metavar="MODULE:FUNCTION=VALUE")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    before = {each: found(each, ()) for each in options.repositories}
    chosen = [each for each in lists() if each.rpartition(":")[2] in options.only]
    todo = [("all lists", chosen)] if len(chosen) > 1 else []
    todo += [(each, [each]) for each in (*chosen, *options.answer)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = list(pool.map(lambda each: measured(*each, before), todo))
    rows.sort(key=lambda row: (-row.loud, -row.total))
    columns = [key for key in asdict(rows[0]) if key != "name"]
    print(f"{sum(map(len, before.values()))} findings\n\n| heuristic | {' | '.join(columns)} |")
    print(f"|---|{'---:|' * len(columns)}")
    for row in rows:
        print(f"| `{row.name}` | {' | '.join(str(asdict(row)[key]) for key in columns)} |")
    if options.json:
        options.json.write_text(json.dumps([asdict(row) for row in rows], indent=2) + "\n")


if __name__ == "__main__":
    main()
