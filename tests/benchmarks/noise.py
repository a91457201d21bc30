"""How much the linter says about published packages, and in which words, so that a person can read them.

    python tests/benchmarks/noise.py PACKAGE... [--texts N] [--output FILE]

Each PACKAGE is the directory of an installed or unpacked package. It is linted on its own, without configuration.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from record import Package, add_output, heading, lines_of, write
from synclint.lint.finding import Finding, Severity, Span
from synclint.lint.run.engine import run
from synclint.lint.run.file import File
from synclint.lint.run.result import Result
from synclint.lint.settings.config import Settings
from synclint.lint.settings.selection import chosen_rules

LOUD: Final = Severity.WARNING
"""What a user sees without asking for more."""

SHOWN: Final = (Severity.ERROR, Severity.WARNING, Severity.NOTE)
"""The columns of the table."""

_QUOTED: Final = re.compile(r"`[^`]*`")
_SPACE: Final = re.compile(r"\s+")


@dataclass
class Noise:
    """What was said about one package."""

    package: Package
    files: int
    lines: int
    severities: Counter[Severity]
    said: list[Said]
    failures: int


@dataclass(frozen=True)
class Said:
    """One loud finding: its words without what they quote of the program, its words, and where it stands."""

    code: str
    text: str
    message: str
    place: str


@dataclass
class Text:
    """One text and the findings that have it."""

    code: str
    text: str
    said: list[Said] = field(default_factory=list)


def noise_of(package: Package, jobs: int | None) -> Noise:
    """Lint one package."""
    names = package.files()
    result = run([File(name) for name in names], Settings(root=Path.cwd()), chosen_rules([]), jobs=jobs)
    said = [_said(each, result, package) for each in result.findings if each.severity >= LOUD]
    severities = Counter(each.severity for each in result.findings)
    return Noise(package, len(names), sum(map(lines_of, names)), severities, said, len(result.failures))


def _said(finding: Finding, result: Result, package: Package) -> Said:
    span = finding.span
    path = Path(span.filename).resolve().relative_to(package.path.resolve().parent)
    place = f"{path.as_posix()}:{span.row}"
    return Said(finding.code, normalised(finding.message, _marked(span, result)), finding.message, place)


def _marked(span: Span, result: Result) -> str:
    """The program's text at a place."""
    marked = list(result.texts.lines(span.filename)[span.row - 1 : span.end_row])
    if marked:
        marked[-1] = marked[-1][: span.end_column - 1]
        marked[0] = marked[0][span.column - 1 :]
    return "\n".join(marked)


def normalised(message: str, source: str) -> str:
    """The message with `…` for what it quotes of the source, which comes first; its own words stay."""
    quoted = _QUOTED.search(message)
    if quoted is None:
        return message
    program, parts = _SPACE.sub("", source), _SPACE.sub("", quoted[0].strip("`")).split("…")
    return _QUOTED.sub("`…`", message, count=1) if all(part in program for part in parts) else message


def texts_of(noises: Iterable[Noise]) -> list[Text]:
    """The texts of all packages, the most frequent first."""
    found: dict[tuple[str, str], Text] = {}
    for noise in noises:
        for said in noise.said:
            found.setdefault((said.code, said.text), Text(said.code, said.text)).said.append(said)
    return sorted(found.values(), key=lambda each: (-len(each.said), each.code, each.text))


def packages_table(noises: Sequence[Noise]) -> Iterator[str]:
    """A row for each package, and one for all."""
    yield "| package | version | files | lines | errors | warnings | notes | errors and warnings per 1,000 lines |"
    yield "|---|---|---:|---:|---:|---:|---:|---:|"
    for each in noises:
        yield _row(each.package.name, each.package.version, each)
    yield _row("all", "", *noises)
    yield ""
    for each in noises:
        if each.failures:
            yield f"{each.package.name}: {each.failures} files were not fully checked, by an error of the linter."


def _row(name: str, version: str, *noises: Noise) -> str:
    """The sums of the figures of some packages."""
    files, lines = (sum(numbers) for numbers in zip(*((each.files, each.lines) for each in noises)))
    counts = [sum(each.severities[severity] for each in noises) for severity in SHOWN]
    rate = 1000 * (counts[0] + counts[1]) / max(1, lines)
    numbers = " | ".join(f"{number:,}" for number in (files, lines, *counts))
    return f"| {name} | {version} | {numbers} | {rate:.2f} |"


def texts_table(texts: Sequence[Text], most: int) -> Iterator[str]:
    """A row for each of the most frequent texts, with one of the findings in the middle as its example."""
    total = sum(len(each.said) for each in texts)
    yield f"## The {min(most, len(texts))} most frequent of {len(texts)} texts"
    yield ""
    yield f"Of {total:,} errors and warnings; what a text quotes of the program is `…`."
    yield ""
    yield "| | rule | text | example |"
    yield "|---:|---|---|---|"
    for each in texts[:most]:
        example = each.said[len(each.said) // 2]
        yield f"| {len(each.said):,} | {each.code} | {_cell(each.text)} | {example.place}<br>{_cell(example.message)} |"


def _cell(text: str) -> str:
    """The text on one line, with nothing in it that ends a cell."""
    return _SPACE.sub(" ", text).replace("|", "\\|")


def rules_table(texts: Sequence[Text]) -> Iterator[str]:
    """How often each rule reports."""
    counts = Counter(dict.fromkeys(sorted({each.code for each in texts}), 0))
    for each in texts:
        counts[each.code] += len(each.said)
    yield "## By rule"
    yield ""
    yield "| rule | errors and warnings | texts |"
    yield "|---|---:|---:|"
    for code, count in counts.most_common():
        yield f"| {code} | {count:,} | {sum(each.code == code for each in texts)} |"
    yield ""


def main() -> int:
    """Lint what the command line names and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="+", type=Path, metavar="PACKAGE", help="directories of packages")
    parser.add_argument("--texts", type=int, default=50, metavar="N", help="how many texts to list (default: 50)")
    parser.add_argument("--jobs", type=int, help="how many processes to use")
    add_output(parser)
    given = parser.parse_args()
    noises = []
    for path in given.packages:
        noises.append(noise_of(Package(path), given.jobs))
        print(f"{path}: {len(noises[-1].said)} errors and warnings", file=sys.stderr)
    texts = texts_of(noises)
    tables = (*packages_table(noises), *rules_table(texts), *texts_table(texts, given.texts))
    write([*heading("How much is said about published packages"), *tables], given.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
