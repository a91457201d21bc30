"""How much processor time linting takes, against LibCST's bare parsing of the same files in the same run.

    python tests/benchmarks/speed.py PATH... [--runs N]
    python tests/benchmarks/speed.py --small [FILE]

Every measurement is a fresh process; the rounds go through all measurements in turn, so that a busy machine slows
each of them alike, and the median counts. LibCST is needed for the comparison only.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import gc
import json
import os
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

COMMAND: Final = (sys.executable, "-m", "synclint", "check", "--isolated", "--exit-zero")
SMALL: Final = Path(__file__).parents[2] / "examples" / "item-call" / "hazard.py"
SMALL_RUNS: Final = 9


@dataclass(frozen=True)
class Cost:
    """What one process cost: seconds of work, seconds of the whole process (user and system), wall, peak memory."""

    work: float
    process: float
    wall: float
    megabytes: float


@dataclass(frozen=True)
class Files:
    """The files of one benchmark."""

    names: Sequence[str]

    def contents(self) -> list[bytes]:
        """The bytes of all files."""
        return [Path(name).read_bytes() for name in self.names]

    def lines(self) -> int:
        """How many lines the files have together."""
        return sum(data.count(b"\n") for data in self.contents())

    def parsed(self) -> int:
        """How many lines are in files that the linter has to parse."""
        from synclint.lint.source import Source, read

        sources = (read(name, name) for name in self.names)
        return sum(source.text.count("\n") for source in sources if isinstance(source, Source))


def reading(names: Sequence[str]) -> float:
    """Open and read the files."""
    started = time.process_time()
    Files(names).contents()
    return time.process_time() - started


def parsing_with_ast(names: Sequence[str]) -> float:
    """The standard library's parser, without reading."""
    return _each(names, ast.parse)


def parsing_with_libcst(names: Sequence[str]) -> float:
    """LibCST's `parse_module`, without reading."""
    import libcst

    return _each(names, libcst.parse_module)


def _each(names: Sequence[str], parse: Callable[[bytes], object]) -> float:
    warnings.simplefilter("ignore")
    contents = Files(names).contents()
    started = time.process_time()
    for data in contents:
        with contextlib.suppress(Exception):  # a file that one parser refuses costs what it costs until then
            parse(data)
    return time.process_time() - started


def _collect_rarely() -> None:
    """What the command does at its start, without which the phases would cost more than the whole."""
    gc.set_threshold(100_000, 50, 50)


def sources(names: Sequence[str]) -> float:
    """The linter's reading and parsing."""
    from synclint.lint.source import read

    _collect_rarely()
    started = time.process_time()
    for name in names:
        read(name, name)
    return time.process_time() - started


def analysing(names: Sequence[str]) -> float:
    """The linter's work on each file on its own."""
    from synclint.lint.project import File, check_files

    files = [File(name) for name in names]
    _collect_rarely()
    started = time.process_time()
    done = list(check_files(files, 1))
    seconds = time.process_time() - started
    assert len(done) == len(files)
    return seconds


def linting(names: Sequence[str]) -> float:
    """The linter from files to findings."""
    from synclint.lint.config import Settings
    from synclint.lint.engine import run
    from synclint.lint.project import File
    from synclint.lint.selection import chosen_rules

    files = [File(name) for name in names]
    _collect_rarely()
    started = time.process_time()
    run(files, Settings(), chosen_rules([]), jobs=1)
    return time.process_time() - started


MEASUREMENTS: Final[dict[str, Callable[[Sequence[str]], float]]] = {
    "reading": reading,
    "ast.parse": parsing_with_ast,
    "LibCST": parsing_with_libcst,
    "sources": sources,
    "analysing": analysing,
    "linting": linting,
}


def cost_of(command: Sequence[str], text: str = "") -> Cost:
    """Run a command in a fresh process; what it prints last may be its own seconds of work."""
    started = time.perf_counter()
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin
    assert process.stdout
    process.stdin.write(text.encode())
    process.stdin.close()
    output = process.stdout.read().decode(errors="replace")
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    process_seconds = usage.ru_utime + usage.ru_stime
    unit = 2**20 if sys.platform == "darwin" else 2**10
    work = json.loads(output) if text else process_seconds
    return Cost(work, process_seconds, wall, usage.ru_maxrss / unit)


def median(costs: Sequence[Cost]) -> Cost:
    """The median of each figure."""
    return Cost(*(statistics.median(each) for each in zip(*(vars(cost).values() for cost in costs), strict=True)))


def measure(files: Files, paths: Sequence[str], names: Sequence[str], runs: int) -> dict[str, Cost]:
    """The costs of the measurements with these names, and of the whole command."""
    text = json.dumps(files.names)
    commands = {name: [sys.executable, __file__, "--measure", name] for name in names}
    costs: dict[str, list[Cost]] = {}
    for number in range(runs):
        print(f"round {number + 1} of {runs}", file=sys.stderr)
        for name, command in commands.items():
            costs.setdefault(name, []).append(cost_of(command, text))
        costs.setdefault("command", []).append(cost_of([*COMMAND, "--quiet", "--jobs", "1", *paths]))
    return {name: median(each) for name, each in costs.items()}


def benchmark(paths: Sequence[str], runs: int) -> None:
    """Measure the files below the paths and print the table."""
    from synclint.lint.discovery import discover

    files = Files(tuple(name for name in discover(paths, Path.cwd(), ()).files if name.endswith(".py")))
    names = [name for name in MEASUREMENTS if name != "LibCST" or _has_libcst()]
    costs = measure(files, paths, names, runs)
    lines = files.lines()
    print(f"{len(files.names)} files, {lines} lines, {files.parsed()} of them in files that can matter; {runs} rounds")
    print(f"{'':34}{'CPU s':>8}{'k lines/CPU s':>15}{'peak MB':>9}")
    _row("reading", costs["reading"].work, lines, costs["reading"])
    _row("ast.parse", costs["ast.parse"].work, lines, costs["ast.parse"])
    if "LibCST" in costs:
        _row("LibCST parse_module", costs["LibCST"].work, lines, costs["LibCST"])
    read, analysed, linted = (costs[name].work for name in ("sources", "analysing", "linting"))
    _row("synclint: read and parse", read, lines, costs["sources"])
    _row("synclint: analyse", analysed - read, lines, costs["analysing"])
    _row("synclint: link and rules", linted - analysed, lines, costs["linting"])
    _row("synclint: these together", linted, lines)
    _row("synclint: command with start-up", costs["command"].process, lines, costs["command"])
    if "LibCST" in costs:
        bare = costs["LibCST"].work
        print(f"ratio to LibCST parse_module: {linted / bare:.2f}, command {costs['command'].process / bare:.2f}")


def _has_libcst() -> bool:
    import importlib.util

    found = importlib.util.find_spec("libcst") is not None
    if not found:
        print("libcst is not installed (pip install libcst): no comparison", file=sys.stderr)
    return found


def _row(title: str, seconds: float, lines: int, cost: Cost | None = None) -> None:
    rate = f"{lines / seconds / 1000:.1f}" if seconds > 0 else "-"
    print(f"{title:34}{seconds:8.2f}{rate:>15}{f'{cost.megabytes:.0f}' if cost else '':>9}")


def small(file: str) -> None:
    """Print the wall time of the command on one small file, and of a Python that does nothing."""
    commands = {f"synclint check {Path(file).name}": [*COMMAND, file], "python -c pass": [sys.executable, "-c", "pass"]}
    for title, command in commands.items():
        cost_of(command)  # the first run writes the bytecode
        walls = [cost_of(command).wall * 1000 for _ in range(SMALL_RUNS)]
        print(f"{title:34}{statistics.median(walls):6.0f} ms wall  (of {min(walls):.0f} to {max(walls):.0f})")


def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files and directories to lint")
    parser.add_argument("--runs", type=int, default=5, help="rounds of measurements (default: 5)")
    parser.add_argument("--small", nargs="?", const=str(SMALL), metavar="FILE", help="time one small file")
    parser.add_argument("--measure", choices=MEASUREMENTS, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure:
        print(json.dumps(MEASUREMENTS[given.measure](json.load(sys.stdin))))
    elif not given.paths and not given.small:
        parser.error("give a PATH or --small")
    if given.paths:
        benchmark(given.paths, given.runs)
    if given.small:
        small(given.small)


if __name__ == "__main__":
    main()
