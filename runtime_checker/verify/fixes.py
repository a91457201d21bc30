"""Runs the examples as they are and as `check --fix` writes them: what waits before and after, and what is computed.

Needs the linter and LibCST besides torch.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ..device import DeviceError
from .command import STEPS, run_program
from .examples import EXAMPLES, MissingLibraryError, all_examples, program, same, unmet
from .means import Means, choose
from .variants import harmed

HEAD: Final = ("program", "fixed", "waits", "values", "unsafe too", "waits", "values")
FIX: Final = ("check", "--isolated", "--no-cache", "--select", "ALL", "--show-notes", "--output-format", "json")

FAILING: Final = frozenset({"cpu-metric-under-ddp"})
"""Examples that show an exception, as they are."""
RACES: Final = frozenset({"unsynchronized-host-read"})
"""Examples that do not wait where they must."""


@dataclass(slots=True)
class Fixed:
    """One program: how many findings are gone, and waits per step and values, with safe fixes and with all of them."""

    name: str
    cells: tuple[str, ...]
    why: str = ""


def verify_fixes(rules: Sequence[str], device: str) -> int:
    """Fix the examples of the given rules, or of all, print a table; return 1 if a safe fix does harm."""
    try:
        means = choose(device)
    except DeviceError as error:
        print(error, file=sys.stderr)
        return 2
    rows = [_fixed(name, path, means) for name, path in _programs(rules)]
    changed = [each for each in rows if each.cells]
    table = [HEAD, *((each.name, *each.cells) for each in changed)]
    widths = [max(len(row[column]) for row in table) for column in range(len(HEAD))]
    for row in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    wrong = [each for each in rows if each.why]
    for each in wrong:
        print(f"{each.name}: {each.why}")
    print(f"{len(changed)} of {len(rows)} programs have fixes on {means.name()}; {len(wrong)} of them do harm")
    return int(bool(wrong))


def _programs(rules: Sequence[str]) -> Iterator[tuple[str, Path]]:
    """Yield the programs of the examples, and for rules whose example cannot be fixed, one that can."""
    for example in all_examples():
        if not rules or example.code in rules or example.name in rules:
            yield example.name, example.hazard.path
            if (other := EXAMPLES / "fixes" / f"{example.name}.py").exists():
                yield f"{example.name} (2)", other
    for path in sorted((EXAMPLES / "fixes").glob("*.py")):
        if path.stem in rules or (not rules and path.stem not in {each.name for each in all_examples()}):
            yield path.stem, path


def _fixed(name: str, path: Path, means: Means) -> Fixed:
    """Return what becomes of a program when it is fixed, in a folder of its own."""
    if name in FAILING or unmet(path.read_text(encoding="utf-8")):
        return Fixed(name, ())
    with tempfile.TemporaryDirectory(prefix="synclint-fixes-") as folder:
        try:
            return _compared(path, Path(folder), means, name)
        except MissingLibraryError:
            return Fixed(name, ())
        except Exception as error:  # a program that fails is a result like any other; the rest must still run
            return Fixed(name, (), f"raised {type(error).__name__}: {error}")


def _compared(path: Path, folder: Path, means: Means, name: str) -> Fixed:
    copies = []
    for kind in ("before", "safe", "all"):
        shutil.copytree(path.parent, folder / kind, ignore=shutil.ignore_patterns("__pycache__"))
        copies.append(folder / kind / path.name)
    before, safe, everything = copies
    counts = [len(_lint(before)), len(_lint(safe, "--fix")), len(_lint(everything, "--fix", "--unsafe-fixes"))]
    if everything.read_bytes() == before.read_bytes():
        return Fixed(name, ())
    runs = [run_program(program(each), means) for each in copies]
    waits = [len(run.waits) // STEPS for run in runs]
    values = ["equal" if same(runs[0].result, run.result) else "differ" for run in runs]
    cells = [
        (str(counts[0] - counts[at]), f"{waits[0]} → {waits[at]}", values[at])
        if each.read_bytes() != before.read_bytes()
        else ("-", "", "")
        for at, each in ((1, safe), (2, everything))
    ]
    harm = [
        *(["values differ"] * (values[1] != "equal")),
        *(["it waits more"] * (max(waits[1:]) > waits[0] and name not in RACES)),
        *(f"values differ, or it fails: {each}" for each in harmed(before, safe, means)),
    ]
    return Fixed(name, (*cells[0], *cells[1]), " and ".join(harm))


def _lint(path: Path, *options: str) -> list[object]:
    """Return what is reported on a program, after fixing it if the options say so."""
    command = [sys.executable, "-m", "synclint", *FIX, *options, path.name]
    printed = subprocess.run(command, cwd=path.parent, capture_output=True, text=True, check=False).stdout
    found: list[object] = json.loads(printed)
    return found
