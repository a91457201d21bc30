"""What happens on other people's code: errors of our own, slow files, memory, and whether results are always the same.

    python tests/benchmarks/corpus.py FOLDER... [--runs first|all] [--slow SECONDS] [--output FILE]

Every folder is checked as a project, as it is and once more with `import torch` in front of each file, so that
inference runs on all of them. `--runs all` also checks it again from the cache, in reverse order and with two workers,
and compares what they find. The exit code is 1 where there is an error, a slow file or a difference.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from record import add_output, heading, write
from synclint.lint.rule import Rule
from synclint.lint.run.cache import Cache
from synclint.lint.run.discovery import discover
from synclint.lint.run.engine import run
from synclint.lint.run.file import Checked, File
from synclint.lint.run.project import check_file, check_files
from synclint.lint.run.result import Result
from synclint.lint.settings.config import Settings
from synclint.lint.settings.configurations import Configurations
from synclint.lint.settings.selection import chosen_rules
from synclint.lint.store.folder import FILES, RUNS

BOM = b"\xef\xbb\xbf"


@dataclass
class Told:
    """What one process tells of a folder. `slow` are the files that took long, with their seconds."""

    files: int = 0
    findings: int = 0
    seconds: float = 0.0
    errors: list[str] = field(default_factory=list)
    slow: list[str] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)
    megabytes: int = 0


def examine(folder: Path, runs: str, slow: float) -> Told:
    """Check a folder in all ways."""
    told = Told()
    settings = Settings(root=folder)
    rules = chosen_rules([settings.layer])
    files = [File(name) for name in discover([str(folder)], Configurations(settings)).files]

    def timed(todo: Sequence[File], _: int | None) -> Iterator[Checked]:
        for file in todo:
            began = time.process_time()
            yield check_file(file)
            if (spent := time.process_time() - began) > slow:
                told.slow.append(f"{file.name}: {spent:.1f} s")

    began = time.process_time()
    with tempfile.TemporaryDirectory() as cache:
        first = run(files, settings, rules, cache=Path(cache), analyses=timed)
        told.seconds = time.process_time() - began
        others = {} if runs == "first" else {"cached": from_entries(files, settings, rules, Path(cache))}
    if runs == "all":
        others["reversed"] = run(files[::-1], settings, rules, analyses=lambda todo, _: map(check_file, todo))
        others["two workers"] = run(files, settings, rules, analyses=lambda todo, _: check_files(todo, 2))
    told.files, told.findings = len(files), len(first.findings)
    told.errors = [f"{each.filename}: {each.part}: {each.error}" for each in first.failures]
    told.differences = [line for name, other in others.items() for line in differences(name, first, other)]
    return told


def from_entries(files: Sequence[File], settings: Settings, rules: Sequence[Rule], cache: Path) -> Result:
    """The result that the entries of a cache lead to, without what it keeps of the whole run."""
    for kept in cache.glob(f"*/{RUNS}/*.json"):
        kept.unlink()
    asked: list[File] = []

    def read(todo: Sequence[File], _: int | None) -> Iterator[Checked]:
        asked.extend(todo)
        return check_files(todo, 1)

    result = run(files, settings, rules, cache=cache, analyses=read)
    assert asked or not files, "the kept result of the whole run was read"
    assert any(Cache(file.project).get(file) for file in asked) or not any(cache.glob(f"*/{FILES}/*.json"))
    return result


def differences(name: str, one: Result, other: Result) -> Iterator[str]:
    """The findings that only one of two runs has."""
    for each in set(one.findings) ^ set(other.findings):
        yield f"{name}: {each.span.filename}:{each.span.position} {each.code} {each.severity.words}"


def in_child(folder: Path, runs: str, slow: float) -> Told:
    """What a process of its own tells of a folder, with the memory it took."""
    import json

    read, write_end = os.pipe()
    if (child := os.fork()) == 0:
        gc.disable()
        try:
            with os.fdopen(write_end, "w") as stream:
                json.dump(vars(examine(folder, runs, slow)), stream)
        except BaseException:
            traceback.print_exc()
        os._exit(0)
    os.close(write_end)
    with os.fdopen(read) as stream:
        text = stream.read()
    _, status, used = os.wait4(child, 0)
    told = Told(**json.loads(text)) if text else Told(errors=[f"{folder}: the process died ({status})"])
    told.megabytes = used.ru_maxrss // 1024
    return told


def with_torch(folder: Path, place: Path) -> Path:
    """A copy of the folder's Python files, each with `import torch` in front."""
    copy = place / folder.name
    for file in folder.rglob("*.py"):
        if file.is_file():
            target = copy / file.relative_to(folder)
            target.parent.mkdir(parents=True, exist_ok=True)
            data = file.read_bytes()
            mark = BOM if data.startswith(BOM) else b""
            target.write_bytes(mark + b"import torch\n" + data.removeprefix(BOM))
    return copy


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--runs", choices=("first", "all"), default="all")
    parser.add_argument(
        "--slow", type=float, default=2.0, help="seconds of processor time from which on a file is slow"
    )
    add_output(parser)
    options = parser.parse_args()
    rows = ["| | files | findings | s | MB | errors | slow files | differences |", "|---|---|---|---|---|---|---|---|"]
    told: list[Told] = []
    for folder in options.folders:
        with tempfile.TemporaryDirectory() as place:
            for way, where in (("", folder.absolute()), (" + torch", with_torch(folder.absolute(), Path(place)))):
                each = in_child(where, options.runs, options.slow)
                told.append(each)
                rows.append(_row(f"{folder.name}{way}", each))
                print("\n".join((rows[-1], *each.errors, *each.slow, *each.differences[:20])), flush=True)
    rows.append(_row("all", _sum(told)))
    write([*heading("Other people's code", *(folder.name for folder in options.folders)), *rows], options.output)
    return int(any(each.errors or each.slow or each.differences for each in told))


def _row(name: str, told: Told) -> str:
    numbers = (told.files, told.findings, f"{told.seconds:.1f}", told.megabytes)
    return f"| {' | '.join(map(str, (name, *numbers, *map(len, (told.errors, told.slow, told.differences)))))} |"


def _sum(told: Sequence[Told]) -> Told:
    lists = {
        name: [line for each in told for line in getattr(each, name)] for name in ("errors", "slow", "differences")
    }
    files, findings = sum(each.files for each in told), sum(each.findings for each in told)
    peak = max((each.megabytes for each in told), default=0)
    return Told(files, findings, sum(each.seconds for each in told), megabytes=peak, **lists)


if __name__ == "__main__":
    sys.exit(main())
