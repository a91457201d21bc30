"""Whether runs after random edits of real projects find what runs from nothing find, and what they cost.

    python tests/benchmarks/edits.py FOLDER... [--edits N] [--seed N] [--whole N] [--output FILE]

Each folder is copied, linted, then edited and linted again, one random edit after the other: lines are inserted,
repeated and deleted; names, annotations and base classes change; files come, go, move and change their names; syntax
breaks and is mended. After each edit the report must be that of a run which has nothing but the analyses of files, and
after every `--whole` edits that of a run without any cache. The exit code is 1 where it is another.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from record import add_output, heading, write
from synclint.lint.cli import cli
from synclint.lint.run import again
from synclint.lint.store.folder import RUNS

DEFINED: Final = re.compile(r"(?m)^\s*(?:def|class) (\w{3,})")
ANNOTATION: Final = re.compile(r": (torch\.Tensor|Tensor|int|float|bool|str)\b")
BASE: Final = re.compile(r"(?m)^class \w+\(([\w.]+)\)")
METHOD: Final = re.compile(r"(?m)^    def \w+\(self")
DEVICE: Final = re.compile(r"\.item\(\)|\.cpu\(\)|\.to\([\w.]+\)|\.detach\(\)|\.float\(\)")


class Project:
    """A copy of a folder, whose files are edited."""

    def __init__(self, original: Path, seed: int) -> None:
        self.original = original
        self.chance = random.Random(seed)

    def file(self) -> Path:
        """One of its files."""
        return self.chance.choice(sorted(Path().rglob("*.py")))

    def edit(self) -> str:
        """Make an edit; return its name."""
        made = self.chance.choice(EDITS)
        path = self.file()
        made(self, path)
        return f"{made.__name__} {path}"

    def _replace(self, pattern: re.Pattern[str], path: Path, make: Callable[[re.Match[str]], str]) -> None:
        text = path.read_text(encoding="utf-8")
        if found := list(pattern.finditer(text)):
            match = self.chance.choice(found)
            path.write_text(text[: match.start()] + make(match) + text[match.end() :], encoding="utf-8")

    def _lines(self, path: Path, change: Callable[[list[str], int], object]) -> None:
        lines = path.read_text(encoding="utf-8").split("\n")
        change(lines, self.chance.randrange(len(lines)))
        path.write_text("\n".join(lines), encoding="utf-8")

    def remark(self, path: Path) -> None:
        self._lines(path, lambda lines, row: lines.insert(0, "# a remark"))

    def repeat(self, path: Path) -> None:
        self._lines(path, lambda lines, row: lines.insert(row, lines[row]))

    def delete(self, path: Path) -> None:
        self._lines(path, lambda lines, row: lines.pop(row))

    def break_syntax(self, path: Path) -> None:
        self._lines(path, lambda lines, row: lines.insert(row, "def ("))

    def rename_definition(self, path: Path) -> None:
        self._replace(DEFINED, path, lambda match: match[0].replace(match[1], f"{match[1]}_{self.chance.randrange(3)}"))

    def rename_everywhere(self, path: Path) -> None:
        names = DEFINED.findall(path.read_text(encoding="utf-8"))
        if names:
            name = self.chance.choice(names)
            for each in sorted(path.parent.glob("*.py")):
                text = each.read_text(encoding="utf-8")
                if name in text:
                    each.write_text(re.sub(rf"\b{name}\b", f"{name}_new", text), encoding="utf-8")

    def annotate(self, path: Path) -> None:
        self._replace(ANNOTATION, path, lambda _: self.chance.choice([": torch.Tensor", ": int", ": str", ": 'Other'"]))

    def inherit(self, path: Path) -> None:
        base = self.chance.choice(["torch.nn.Module", "object", "Unknown", "Base"])
        self._replace(BASE, path, lambda match: match[0].replace(f"({match[1]})", f"({base})"))

    def add_parameter(self, path: Path) -> None:
        self._replace(METHOD, path, lambda match: f"{match[0]}, more=None")

    def change_device(self, path: Path) -> None:
        self._replace(DEVICE, path, lambda _: self.chance.choice([".item()", ".cpu()", ".cuda()", ".sum()", ""]))

    def mend(self, path: Path) -> None:
        """Let every file of a folder be what it was."""
        for each in sorted((self.original / path.parent).glob("*.py")):
            shutil.copyfile(each, path.parent / each.name)

    def add(self, path: Path) -> None:
        path.with_name(f"more_{self.chance.randrange(9)}.py").write_bytes(path.read_bytes())

    def rename(self, path: Path) -> None:
        path.rename(path.with_name(f"other_{self.chance.randrange(9)}.py"))

    def move(self, path: Path) -> None:
        path.rename(self.file().with_name(path.name))

    def remove(self, path: Path) -> None:
        path.unlink()


EDITS: Final = (
    *(Project.remark, Project.repeat, Project.delete, Project.delete, Project.break_syntax, Project.rename_definition),
    *(Project.rename_everywhere, Project.annotate, Project.annotate, Project.inherit, Project.add_parameter),
    *(Project.change_device, Project.change_device, Project.mend, Project.mend, Project.mend),
    *(Project.add, Project.rename, Project.move, Project.remove),
)


@dataclass
class Told:
    """What became of a project's edits; `partly` are those after which not all was linked."""

    edits: int = 0
    partly: int = 0
    files: int = 0
    after: list[float] = field(default_factory=list)
    anew: list[float] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)


def examine(folder: Path, edits: int, seed: int, whole: int) -> Told:
    """Edit a copy of a folder, and lint it after each edit."""
    told = Told()
    with copied(folder), tempfile.TemporaryDirectory() as kept, tempfile.TemporaryDirectory() as analysed:
        project = Project(folder, seed)
        found("--cache-dir", kept)
        done = count_partial_runs()
        for number in range(1, edits + 1):
            edit = project.edit()
            before = len(done)
            began = time.process_time()
            one = found("--cache-dir", kept)
            told.after.append(time.process_time() - began)
            told.partly += len(done) > before
            for each in Path(analysed).glob(f"*/{RUNS}/*.json"):
                each.unlink()
            began = time.process_time()
            other = found("--cache-dir", analysed)
            told.anew.append(time.process_time() - began)
            if one != other or (number % whole == 0 and one != found("--no-cache")):
                told.differences.append(f"{folder.name}, edit {number}: {edit}")
                print(told.differences[-1], flush=True)
        told.edits, told.files = edits, len(list(Path().rglob("*.py")))
    return told


def count_partial_runs() -> list[int]:
    """A list that grows with each run in which not all was linked."""
    done: list[int] = []
    original = again.Again.found

    def counted(self: again.Again, *given: object) -> object:
        result = original(self, *given)  # type: ignore[arg-type]
        if result is not None:
            done.append(1)
        return result

    again.Again.found = counted  # type: ignore[assignment,method-assign]
    return done


@contextmanager
def copied(folder: Path) -> Iterator[None]:
    """Stand in a copy of a folder that is a project."""
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as place:
        for each in folder.rglob("*.py"):
            path = Path(place) / each.relative_to(folder)
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(each, path)
        Path(place, "pyproject.toml").touch()
        os.chdir(place)
        try:
            yield
        finally:
            os.chdir(here)


def found(*options: str) -> str:
    """The report about all files."""
    told = io.StringIO()
    words = ["check", "--output-format", "json", "--select", "ALL", "--jobs", "1", "--exit-zero", ".", *options]
    with redirect_stdout(told):
        cli.main(words, standalone_mode=False)
    return told.getvalue()


def main() -> int:
    """Examine what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--edits", type=int, default=1000, help="edits of each folder (default: 1000)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--whole", type=int, default=50, help="compare with runs without any cache so often (50)")
    add_output(parser)
    given = parser.parse_args()
    rows = ["| | files | edits | of which not all was linked | CPU s after an edit | linking all | differences |"]
    rows.append("|---|---:|---:|---:|---:|---:|---:|")
    every = []
    for folder in given.folders:
        told = examine(folder.resolve(), given.edits, given.seed, given.whole)
        every.append(told)
        after, anew = (sum(each) / max(1, len(each)) for each in (told.after, told.anew))
        words = (folder.name, told.files, told.edits, told.partly, f"{after:.2f}", f"{anew:.2f}", len(told.differences))
        rows.append(f"| {' | '.join(map(str, words))} |")
    differences = [f"- {each}" for told in every for each in told.differences]
    write([*heading("Random edits", *(each.name for each in given.folders)), *rows, "", *differences], given.output)
    return int(bool(differences))


if __name__ == "__main__":
    sys.exit(main())
