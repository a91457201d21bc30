"""The figures of what was observed: by line, and with identical statements counted once."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from accuracy_programs.judge import Line, Said, Source, judge
from record import machine, versions
from synclint.lint.files.statement import normalised

from .packages import Suite, is_test

MAKERS: Final = frozenset({"tensor", "as_tensor", "asarray", "scalar_tensor"})
"""What makes a tensor of values of the host on the default device."""
OF_THE_HOST: Final = frozenset({"SYNC209", "SYNC301", "SYNC302"})
"""The rules that say of a tensor that it is on the host, which what was made on another default device is not."""
REASONS: Final = ("missed: note", "missed: default", "wrong: host", "wrong: default")
JUDGED: Final = frozenset({"right", "missed", "wrong"})


@dataclass(frozen=True)
class Count:
    """How many lines, or statements, are which."""

    found: int
    waiting: int
    sound: int
    reported: int

    def cells(self) -> str:
        """Recall and precision, as two cells of a table."""
        return f"{_share(self.found, self.waiting)} | {_share(self.sound, self.reported)}"


@dataclass(frozen=True)
class Figures:
    """What came of one package."""

    suite: Suite
    version: str
    outcomes: Counter[str]
    seconds: float
    lines: list[Line]
    reached: frozenset[tuple[str, int]]

    @cached_property
    def statements(self) -> dict[str, set[str]]:
        """The verdicts of the lines with the same text."""
        found: dict[str, set[str]] = {}
        sources: dict[str, Source] = {}
        for line in self.lines:
            if line.verdict in JUDGED:
                source = sources[line.filename] if line.filename in sources else Source(line.filename)
                sources[line.filename] = source
                found.setdefault(_text(source, line), set()).add(line.verdict)
        return found

    def is_reached(self, line: Line) -> bool:
        """Whether data of the device were at hand when the line ran."""
        return (line.filename, line.row) in self.reached

    @property
    def apart(self) -> Counter[str]:
        """How many of the lines that are missed or wrong are so for a reason that is known."""
        return Counter(reason for reason in map(self.reason, self.lines) if reason)

    def reason(self, line: Line) -> str:
        """Why a line is missed or wrong, as far as that can be told without reading it."""
        if line.verdict == "wrong":
            of_the_host = OF_THE_HOST.issuperset(each.code for each in line.reported)
            return "wrong: host" if not self.is_reached(line) else "wrong: default" if of_the_host else ""
        if line.verdict != "missed":
            return ""
        made = all(operator in MAKERS and kind == "copy to device" for operator, kind, _ in line.waits)
        return "missed: note" if line.findings else "missed: default" if made and "device" not in line.source else ""


def judged(
    suite: Suite, version: str, root: Path, records: Sequence[Mapping[str, Any]], said: Sequence[Said]
) -> Figures:
    """Compare what the tests did with what was said. Tests that lie in the package are no part of it."""
    outcomes: Counter[str] = Counter()
    for each in records:
        outcomes.update(each.get("outcomes", {}))
        outcomes[str(each.get("end", "ended")).partition(" ")[0]] += "file" in each
    programs = [_of_package(each, root) for each in records if "rows" in each]
    lines = [line for line in judge(programs, said) if not line.source.startswith("raise ")]
    heads = {line.filename: Source(line.filename) for line in lines}
    reached = {
        (filename, heads[filename].head(row)[0])
        for each in programs
        for filename, rows in each["reached"].items()
        for row in rows
        if filename in heads
    }
    seconds = sum(each.get("seconds", 0) for each in records)
    return Figures(suite, version, outcomes, seconds, lines, frozenset(reached))


def _of_package(record: Mapping[str, Any], root: Path) -> dict[str, Any]:
    def counts(filename: str) -> bool:
        return not is_test(Path(filename), root)

    rows, reached = ({name: each for name, each in record[key].items() if counts(name)} for key in ("rows", "reached"))
    return {**record, "rows": rows, "reached": reached, "waits": [each for each in record["waits"] if counts(each[0])]}


def _text(source: Source, line: Line) -> str:
    first, last = source.head(line.row)
    rows = source.rows(first, last)
    return normalised(rows, 0, len(rows[0]) - len(rows[0].lstrip()) + 1)


def _count(verdicts: Iterable[Iterable[str]]) -> Count:
    """Count lines, or statements with all the verdicts of their lines: found where none is missed, and so on."""
    sets = [set(each) for each in verdicts]
    waiting = [each for each in sets if each & {"right", "missed"}]
    reported = [each for each in sets if each & {"right", "wrong"}]
    found, sound = sum("missed" not in each for each in waiting), sum("wrong" not in each for each in reported)
    return Count(found, len(waiting), sound, len(reported))


def _merged(figures: Iterable[Figures]) -> Iterator[set[str]]:
    """The verdicts of each statement in several packages."""
    merged: dict[str, set[str]] = {}
    for each in figures:
        for text, verdicts in each.statements.items():
            merged.setdefault(text, set()).update(verdicts)
    yield from merged.values()


def _share(part: int, whole: int) -> str:
    return f"{part}/{whole} {100 * part / whole:.1f} %" if whole else "0/0"


HEAD: Final = (
    "| package | kind | tests passed | lines that ran | recall | precision | once: recall | once: precision "
    "| missed: noted | missed: default device | wrong: host data | wrong: default device |\n|---|---|---|" + "---:|" * 9
)


def paragraphs(figures: Sequence[Figures], device: str) -> Iterator[str]:
    """All that is published: two tables side by side in their last rows, and what the read half says by operator."""
    yield from heading(figures, device)
    for group in ("read", "sealed"):
        members = [each for each in figures if each.suite.group == group]
        yield from ("", f"### {group.capitalize()} packages", "", HEAD)
        for each in members:
            yield row(each)
        yield total(members, f"all {group}")
    yield from ("", "### Side by side", "", HEAD, *(total(part, name) for name, part in _groups(figures)))
    yield from operators([each for each in figures if not each.suite.is_sealed])


def heading(figures: Sequence[Figures], device: str) -> Iterator[str]:
    """When, with what and for how long."""
    seconds = sum(each.seconds for each in figures)
    files = sum(each.outcomes["ended"] + each.outcomes["signal"] for each in figures)
    killed = sum(each.outcomes["signal"] for each in figures)
    yield f"Written by `python tests/benchmarks/suites.py report DIR --device {device}` on {datetime.date.today()}."
    yield ""
    yield f"- machine: {machine()}"
    yield f"- {', '.join(versions(['torch', 'numpy', 'pytest']))}"
    ended = f"{killed} of them ended by a limit or a crash"
    yield f"- {files} files of tests, {ended}; {seconds / 60:.0f} minutes of the processor"


def _groups(figures: Sequence[Figures]) -> Iterator[tuple[str, list[Figures]]]:
    yield "read", [each for each in figures if not each.suite.is_sealed]
    yield "sealed", [each for each in figures if each.suite.is_sealed]
    yield "both", [*figures]


def row(each: Figures) -> str:
    """One package."""
    passed = each.outcomes["passed"]
    tests = _share(passed, passed + each.outcomes["failed"] + each.outcomes["error"])
    name = f"{each.suite.package} {each.version}"
    return _row((name, each.suite.kind, tests), [each], _count(each.statements.values()))


def total(figures: Sequence[Figures], name: str) -> str:
    """Several packages; a statement in several of them counts once."""
    return _row((f"**{name}**", f"{len(figures)} packages", ""), figures, _count(_merged(figures)))


def _row(first: Sequence[str], figures: Sequence[Figures], once: Count) -> str:
    lines = _count([line.verdict] for each in figures for line in each.lines)
    apart = sum((each.apart for each in figures), Counter[str]())
    ran = sum(len(each.lines) for each in figures)
    known = (str(apart[reason]) for reason in REASONS)
    return f"| {' | '.join((*first, str(ran), lines.cells(), once.cells(), *known))} |"


def operators(figures: Sequence[Figures]) -> Iterator[str]:
    """For each kind of operator the share of the lines it waits on that are reported; and of each rule's lines."""
    waited: Counter[str] = Counter()
    found: Counter[str] = Counter()
    reported: Counter[str] = Counter()
    sound: Counter[str] = Counter()
    for line in (line for each in figures for line in each.lines):
        for operator in {name for name, _, _ in line.waits}:
            waited[operator] += 1
            found[operator] += line.verdict == "right"
        for code in {each.code for each in line.reported} if line.verdict in JUDGED else ():
            reported[code] += 1
            sound[code] += line.verdict == "right"
    yield from (
        "",
        "### Read packages, by operator",
        "",
        "| operator | waiting lines that are reported |",
        "|---|---:|",
    )
    yield from (f"| {name} | {_share(found[name], count)} |" for name, count in waited.most_common(30))
    yield from ("", "### Read packages, by rule", "", "| rule | reported lines that wait |", "|---|---:|")
    yield from (f"| {code} | {_share(sound[code], count)} |" for code, count in sorted(reported.items()))
