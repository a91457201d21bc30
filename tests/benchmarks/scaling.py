"""How the cost of a first run grows with the lines of a project.

    python tests/benchmarks/scaling.py PACKAGE... [--sizes N,N,...] [--rounds N] [--output FILE] [--plot FILE]

The projects are the first files of the packages, in their order, until there are enough lines. Where the packages have
too few, copies of them follow under other names, by which they import themselves.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, pairwise
from pathlib import Path
from typing import Final

from chart import Panel, chart
from costs import Command, Cost, costs_of
from record import Package, add_output, heading, lines_of, machine, write

SIZES: Final = "10000,30000,100000,300000,1000000"
CHECK: Final = (sys.executable, "-m", "synclint", "check", "--isolated", "--exit-zero", "--no-cache", "--quiet")


@dataclass(frozen=True)
class Project:
    """A folder with so many files and lines of Python."""

    folder: Path
    files: int
    lines: int

    @classmethod
    def made(cls, folder: Path, packages: Sequence[Package], least: int) -> Project:
        """The shortest prefix of the packages and their copies that has the lines."""
        lines = files = 0
        for place, data in _endless(packages):
            if lines >= least:
                break
            path = folder / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            lines += data.count(b"\n")
            files += 1
        return cls(folder, files, lines)

    @property
    def command(self) -> Command:
        """Lint it as a user would without a cache, in one process."""
        return Command([*CHECK, "--jobs", "1", "."], self.folder)


def _endless(packages: Sequence[Package]) -> Iterator[tuple[Path, bytes]]:
    """The files of the packages, then of their first copies, and so on: where each belongs and its bytes."""
    for number in count(1):
        for package in packages:
            name = package.name if number == 1 else f"{package.name}_{number}"
            own = re.compile(rf"^(\s*(?:from|import)\s+){re.escape(package.name)}\b".encode(), re.MULTILINE)
            for file in package.files():
                inner = Path(file).resolve().relative_to(package.path.resolve())
                yield Path(name) / inner, own.sub(rb"\g<1>" + name.encode(), Path(file).read_bytes())


def table(projects: Sequence[Project], costs: Sequence[Cost]) -> Iterator[str]:
    """A row for each size."""
    yield "| lines | files | CPU s | wall s | thousand lines per CPU s | peak MB |"
    yield "|---:|---:|---:|---:|---:|---:|"
    for project, cost in zip(projects, costs):
        rate = project.lines / cost.processor / 1000
        figures = f"{cost.processor:.2f} | {cost.wall:.2f} | {rate:.1f} | {cost.megabytes:.0f}"
        yield f"| {project.lines:,} | {project.files:,} | {figures} |"
    yield ""
    for (before, less), (after, more) in list(pairwise(zip(projects, costs)))[-1:]:
        times = f"{after.lines / before.lines:.2f} times the lines cost {more.processor / less.processor:.2f} times"
        yield f"In the last step, {times} the CPU seconds and {more.megabytes / less.megabytes:.2f} times the memory."
        yield ""


def plot(projects: Sequence[Project], costs: Sequence[Cost]) -> str:
    """The table as a drawing."""
    lines = [float(project.lines) for project in projects]
    panels = (
        Panel("CPU seconds", lines, [cost.processor for cost in costs]),
        Panel("peak memory, MB", lines, [cost.megabytes for cost in costs]),
    )
    return chart(f"A first run, one process ({machine()})", "lines of Python", panels)


def main() -> int:
    """Measure the sizes that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="+", type=Path, metavar="PACKAGE", help="directories of packages")
    parser.add_argument("--sizes", default=SIZES, help=f"numbers of lines, with commas between (default: {SIZES})")
    parser.add_argument("--rounds", type=int, default=3, help="rounds of measurements (default: 3)")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the figures there, as SVG")
    add_output(parser)
    given = parser.parse_args()
    packages = [Package(path) for path in given.packages]
    if not sum(map(lines_of, (name for package in packages for name in package.files()))):
        parser.error("there are no lines of Python in these directories")
    sizes = sorted(map(int, given.sizes.split(",")))
    with tempfile.TemporaryDirectory() as folder:
        projects = [Project.made(Path(folder, str(size)), packages, size) for size in sizes]
        measured = costs_of({f"{project.lines:,} lines": project.command for project in projects}, given.rounds)
    costs = list(measured.values())
    lines = [*heading("How the cost grows with the project", *(each.title for each in packages))]
    lines += [f"First runs of `synclint check --no-cache --jobs 1`, the median of {given.rounds}.", ""]
    lines += table(projects, costs)
    if given.plot:
        given.plot.parent.mkdir(parents=True, exist_ok=True)
        given.plot.write_text(plot(projects, costs), encoding="utf-8")
        lines += [f"![the table as a drawing]({given.plot.name})"]
    write(lines, given.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
