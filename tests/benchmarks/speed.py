"""How much time linting takes: cold, against LibCST's bare parsing; with what earlier runs kept; beside other linters.

    python tests/benchmarks/speed.py PACKAGE... [--rounds N] [--others PYTHON]... [--output FILE]
    python tests/benchmarks/speed.py PACKAGE... --edits [--before FOLDER]
    python tests/benchmarks/speed.py --small [FILE]

Every measurement is a fresh process; the rounds go through all measurements of a table in turn, so that a busy machine
slows each of them alike, and the median counts. The packages are copied before anything in them is changed, and the
cache is a temporary one. LibCST and the other linters are needed for the comparisons only; what is not installed is
left out.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from costs import Command, Cost, costs_of
from linters import commands_of
from phases import PHASES
from record import Package, add_output, heading, lines_of, write
from situations import Copy
from synclint.lint.files.source import Source, read

CHECK: Final = (sys.executable, "-m", "synclint", "check", "--isolated", "--exit-zero", "--no-cache", "--quiet")
SMALL: Final = Path(__file__).parents[2] / "examples" / "item-call" / "hazard.py"
SMALL_ROUNDS: Final = 9
ENOUGH: Final = 15_000
"""Lines of the sample that other linters get: some of them take a second for a thousand."""


def cold(names: Sequence[str], packages: Sequence[Package], rounds: int) -> Iterator[str]:
    """The table of a first run and of its parts."""
    phases = [name for name in PHASES if name != "LibCST" or _has_libcst()]
    commands = {name: _phase(name, names) for name in phases}
    commands["command"] = Command([*CHECK, "--jobs", "1", *(str(package.path) for package in packages)])
    costs = costs_of(commands, rounds)
    work = {name: float(json.loads(costs[name].output)) for name in phases}
    lines = sum(map(lines_of, names))
    yield f"## A first run, against bare parsing (rounds: {rounds})"
    yield ""
    yield f"{len(names):,} files, {lines:,} lines, {_mattering(names):,} of them in files that can matter."
    yield ""
    yield "| | CPU s | thousand lines per CPU s | peak MB |"
    yield "|---|---:|---:|---:|"
    yield _row("reading the files", work["reading"], lines, costs["reading"])
    yield _row("`ast.parse` of all", work["ast.parse"], lines, costs["ast.parse"])
    if "LibCST" in work:
        yield _row("`libcst.parse_module` of all", work["LibCST"], lines, costs["LibCST"])
    yield _row("synclint: read and parse", work["sources"], lines, costs["sources"])
    yield _row("synclint: analyse", work["analysing"] - work["sources"], lines, costs["analysing"])
    yield _row("synclint: link and rules", work["linting"] - work["analysing"], lines, costs["linting"])
    yield _row("synclint: these together", work["linting"], lines)
    yield _row("synclint: the command, with start-up", costs["command"].processor, lines, costs["command"])
    yield ""
    if "LibCST" in work:
        ratio, whole = work["linting"] / work["LibCST"], costs["command"].processor / work["LibCST"]
        yield f"Against `libcst.parse_module`: {ratio:.2f} times its time, the command {whole:.2f} times."
        yield ""


def _phase(name: str, names: Sequence[str]) -> Command:
    return Command([sys.executable, str(Path(__file__).with_name("phases.py")), name], text=json.dumps(names))


def _mattering(names: Sequence[str]) -> int:
    """How many lines are in files that the linter has to parse."""
    sources = (read(name, name) for name in names)
    return sum(source.text.count("\n") for source in sources if isinstance(source, Source))


def _has_libcst() -> bool:
    found = importlib.util.find_spec("libcst") is not None
    if not found:
        print("libcst is not installed (pip install libcst): no comparison", file=sys.stderr)
    return found


def _row(title: str, seconds: float, lines: int, cost: Cost | None = None) -> str:
    rate = f"{lines / seconds / 1000:.1f}" if seconds > 0 else ""
    return f"| {title} | {seconds:.2f} | {rate} | {f'{cost.megabytes:.0f}' if cost else ''} |"


def again(packages: Sequence[Package], rounds: int) -> Iterator[str]:
    """The table of what people wait for when they lint again."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(Path(folder), packages)
        changing = copy.changing
        title = f"`{changing.relative_to(copy.project).as_posix()}` ({lines_of(str(changing)):,} lines)"
        costs = costs_of(copy.commands(), rounds)
    first = next(iter(costs.values()))
    yield f"## Again, with what earlier runs kept (rounds: {rounds})"
    yield ""
    yield f"One process (`--jobs 1`). The file that is changed or named is {title}."
    yield ""
    yield "| | CPU s | wall s | of the first row | peak MB |"
    yield "|---|---:|---:|---:|---:|"
    for name, cost in costs.items():
        share = 100 * cost.processor / first.processor
        yield f"| {name} | {cost.processor:.2f} | {cost.wall:.2f} | {share:.0f} % | {cost.megabytes:.0f} |"
    yield ""


def edited(packages: Sequence[Package], rounds: int, before: Path | None) -> Iterator[str]:
    """The table of what a run costs after each kind of edit, also that of a synclint in a folder `before`."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(Path(folder), packages, before)
        commands = copy.edited()
        title = f"`{copy.classes.relative_to(copy.project).as_posix()}`"
        lines, files = sum(lines_of(str(name)) for name in copy.names), len(copy.names)
        costs = costs_of(commands, rounds)
    yield f"## After an edit (rounds: {rounds})"
    yield ""
    yield f"{files:,} files, {lines:,} lines, one process (`--jobs 1`). The file that is edited is {title}."
    yield ""
    yield "| | CPU s | wall s | peak MB |"
    yield "|---|---:|---:|---:|"
    for name, cost in costs.items():
        yield f"| {name} | {cost.processor:.2f} | {cost.wall:.2f} | {cost.megabytes:.0f} |"
    yield ""


def beside(names: Sequence[str], pythons: Sequence[str], enough: int) -> Iterator[str]:
    """The table of other linters on a sample of the files."""
    chosen = sample(names, enough)
    lines = sum(map(lines_of, chosen))
    ours = {"synclint": Command([*CHECK, "--jobs", "1", *chosen])}
    costs = costs_of({**ours, **commands_of(pythons, chosen)}, 1)
    yield "## Beside other linters (rounds: 1)"
    yield ""
    yield f"{len(chosen)} files, {lines:,} lines; the whole command, one process where the tool lets us choose."
    yield ""
    yield "| | CPU s | thousand lines per CPU s | peak MB |"
    yield "|---|---:|---:|---:|"
    for name, cost in costs.items():
        yield _row(name, cost.processor, lines, cost)
    yield ""


def sample(names: Sequence[str], enough: int) -> list[str]:
    """Files from everywhere among the given, about so many lines in all."""
    total = sum(map(lines_of, names))
    step = max(1, round(total / enough))
    return list(names[step // 2 :: step])


def small(file: str) -> Iterator[str]:
    """The table of the wall time of the command on one small file, and of a Python that does nothing."""
    yield "## One small file"
    yield ""
    yield f"| {SMALL_ROUNDS} runs after the first | median ms wall | shortest | longest |"
    yield "|---|---:|---:|---:|"
    commands = {
        f"`synclint check {Path(file).name}`": Command([*CHECK, file]),
        "`python -c pass`": Command([sys.executable, "-c", "pass"]),
    }
    for title, command in commands.items():
        command.cost()  # the first run writes the bytecode
        walls = sorted(command.cost().wall * 1000 for _ in range(SMALL_ROUNDS))
        yield f"| {title} | {walls[len(walls) // 2]:.0f} | {walls[0]:.0f} | {walls[-1]:.0f} |"
    yield ""


def main() -> int:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="*", type=Path, metavar="PACKAGE", help="directories of packages to lint")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of measurements (default: 5)")
    parser.add_argument("--others", action="append", metavar="PYTHON", help="a Python that has other linters")
    parser.add_argument("--sample", type=int, default=ENOUGH, metavar="LINES", help=f"for other linters ({ENOUGH})")
    parser.add_argument("--small", nargs="?", const=str(SMALL), metavar="FILE", help="time one small file")
    parser.add_argument("--edits", action="store_true", help="measure nothing but runs after edits")
    parser.add_argument("--before", type=Path, metavar="FOLDER", help="a folder with another synclint to measure")
    add_output(parser)
    given = parser.parse_args()
    if not given.packages and not given.small:
        parser.error("give a PACKAGE or --small")
    packages = [Package(path) for path in given.packages]
    lines = list(heading("Speed", *(each.title for each in packages), modules=("libcst",)))
    if packages:
        lines += edited(packages, given.rounds, given.before)
    if packages and not given.edits:
        names = [name for package in packages for name in package.files()]
        lines += cold(names, packages, given.rounds)
        lines += again(packages, given.rounds)
        lines += beside(names, given.others or [sys.executable], given.sample)
    if given.small:
        lines += small(given.small)
    write(lines, given.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
