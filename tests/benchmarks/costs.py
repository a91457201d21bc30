"""What commands cost, each in a fresh process.

Rounds go through all commands in turn, so that a busy machine slows each of them alike, and the median counts.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

UNIT: Final = 2**20 if sys.platform == "darwin" else 2**10
"""How many of the system's units of memory make a megabyte."""

LAUNCH: Final = Path(__file__).with_name("launch.py")

UNUSUAL: Final = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")
"""Variables with which every start compiles all modules, and every line of a report is written on its own."""


@dataclass(frozen=True)
class Cost:
    """What one command cost: its processor time (user and system, with its children) and wall time in seconds, and
    the peak memory of its largest process.
    """

    processor: float
    wall: float
    megabytes: float
    output: str = ""


@dataclass(frozen=True)
class Command:
    """What to run, where, and what it reads; `ready` is called before each run and is not measured."""

    words: Sequence[str]
    folder: Path | None = None
    text: str = ""
    codes: Collection[int] = (0,)
    ready: Callable[[], object] = lambda: None

    def cost(self) -> Cost:
        """Run it once. Raises SystemExit where it ends with another exit code than those that count as success."""
        self.ready()
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder, "cost")
            words = [sys.executable, "-I", "-S", str(LAUNCH), str(place), *self.words]
            usual = {name: value for name, value in os.environ.items() if name not in UNUSUAL}
            done = subprocess.run(words, input=self.text.encode(), capture_output=True, cwd=self.folder, env=usual)
            if done.returncode:
                raise SystemExit(f"{self.words[0]} does not start: {done.stderr.decode(errors='replace')}")
            code, processor, wall, memory = json.loads(place.read_text())
        if code not in self.codes:
            message = done.stderr.decode(errors="replace").strip()
            raise SystemExit(f"{' '.join(self.words)[:200]} ended with {code}: {message}")
        return Cost(processor, wall, memory / UNIT, done.stdout.decode(errors="replace"))


def costs_of(commands: Mapping[str, Command], rounds: int) -> dict[str, Cost]:
    """The medians of what the commands cost in some rounds."""
    costs: dict[str, list[Cost]] = {name: [] for name in commands}
    for number in range(rounds):
        for name, command in commands.items():
            print(f"round {number + 1} of {rounds}: {name}", file=sys.stderr)
            costs[name].append(command.cost())
    return {name: median(each) for name, each in costs.items()}


def median(costs: Iterable[Cost]) -> Cost:
    """The median of each figure, with the output of the first run."""
    costs = list(costs)
    return Cost(
        statistics.median(each.processor for each in costs),
        statistics.median(each.wall for each in costs),
        statistics.median(each.megabytes for each in costs),
        costs[0].output,
    )
