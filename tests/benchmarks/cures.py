"""What `check --fix --unsafe-fixes` does to published packages: how much it cures, and whether it does any harm.

    python tests/benchmarks/cures.py PACKAGE... [--draw N] [--seed N] [--output FILE]

Each PACKAGE is the directory of an unpacked package, which is copied and stays as it is. What must hold: every file
parses, no finding comes that was not there, a second run changes nothing, and what `--diff` prints is what `--fix`
writes. The exit code is 1 where something of that does not hold. Of all fixes, N are drawn at random for a person to
judge, of each rewriting as many as of the others.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from record import Package, add_output, heading, write

CHECK: Final = (sys.executable, "-m", "synclint", "check", "--isolated", "--no-cache", "--show-notes")
FIX: Final = ("--fix", "--unsafe-fixes", "--quiet")
BROUGHT: Final = frozenset(("SYNC102", "SYNC103", "SYNC104", "SYNC201", "SYNC302"))
"""The rules that report the one wait that is left of several, or that a race should have had."""


@dataclass
class Cured:
    """What became of one package; `wrong` says in words what should not have been."""

    package: Package
    found: list[dict[str, Any]]
    left: int = 0
    files: int = 0
    seconds: tuple[float, float] = (0.0, 0.0)
    wrong: list[str] = field(default_factory=list)
    hunks: list[tuple[str, str]] = field(default_factory=list)

    def share(self, *kinds: str) -> str:
        """How many findings have a fix of these kinds."""
        number = sum(bool(each["fix"]) and each["fix"]["applicability"] in kinds for each in self.found)
        return f"{number} ({100 * number / max(len(self.found), 1):.0f} %)"


def cured(package: Package) -> Cured:
    """Fix a copy of a package, and look at what was done to it."""
    with tempfile.TemporaryDirectory() as directory:
        copies = [Path(directory, kind) for kind in ("before", "after", "patched")]
        for each in copies:
            shutil.copytree(package.path, each / package.name, ignore=shutil.ignore_patterns("__pycache__"))
        before, after, patched = copies
        started = time.perf_counter()
        result = Cured(package, findings(before, package.name))
        checked = time.perf_counter()
        patch = synclint(before, package.name, "--diff", "--unsafe-fixes", "--quiet")
        started_fixing = time.perf_counter()
        synclint(after, package.name, *FIX)
        result.seconds = (checked - started, time.perf_counter() - started_fixing)
        _apply(patched, patch)
        result.hunks = list(_hunks(result.found, before))
        result.wrong = list(_wrong(result, before, after, patched))
    return result


def _wrong(result: Cured, before: Path, after: Path, patched: Path) -> Iterator[str]:
    """Say what is not as it must be."""
    written, shown, was = contents(after), contents(patched), contents(before)
    changed = [name for name in written if written[name] != was[name]]
    result.files = len(changed)
    yield from (f"`--diff` and `--fix` differ in {name}" for name in written if written[name] != shown[name])
    yield from (f"{name} is no longer Python" for name in changed if not _parses(written[name]))
    left = findings(after, result.package.name)
    result.left = len(left)
    counts = [Counter((each["filename"], each["code"]) for each in rows) for rows in (left, result.found)]
    new = {key: number for key, number in (counts[0] - counts[1]).items() if key[1] not in BROUGHT}
    yield from (f"{number} × {code} came in {name}" for (name, code), number in new.items())
    synclint(after, result.package.name, *FIX)
    again = contents(after)
    yield from (f"a second run changes {name}" for name in again if again[name] != written[name])


def _parses(data: bytes) -> bool:
    try:
        ast.parse(data)
    except (SyntaxError, ValueError):
        return False
    return True


def contents(folder: Path) -> dict[str, bytes]:
    """Return the Python files of a folder."""
    return {str(each.relative_to(folder)): each.read_bytes() for each in sorted(folder.rglob("*.py"))}


def synclint(folder: Path, *words: str) -> str:
    """Return what the command line prints in a folder."""
    done = subprocess.run([*CHECK, *words], cwd=folder, capture_output=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr.decode())
    return done.stdout.decode()


def findings(folder: Path, name: str) -> list[dict[str, Any]]:
    """Return the findings of a package, with their fixes."""
    rows: list[dict[str, Any]] = json.loads(synclint(folder, name, "--output-format", "json"))
    return rows


def _apply(folder: Path, patch: str) -> None:
    """Apply a patch, which may be empty."""
    if patch.strip():
        words = ["git", "apply", "--unidiff-zero", "--whitespace=nowarn", "-p0", "-"]
        done = subprocess.run(words, cwd=folder, input=patch.encode(), capture_output=True, check=False)
        if done.returncode:
            print(f"the patch cannot be applied: {done.stderr.decode()}", file=sys.stderr)


def _hunks(found: Sequence[dict[str, Any]], folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the kind of each fix, and its lines before and after."""
    for each in found:
        if each["fix"]:
            kind = f"{each['code']}: {each['fix']['title']} ({each['fix']['applicability']})"
            place = f"{each['filename']}:{each['location']['row']}"
            yield kind, f"{place}\n{_shown(each['fix'], folder / each['filename'])}"


def _shown(fix: dict[str, Any], file: Path) -> str:
    """Return the lines that a fix changes, before and after, with three others around them."""
    lines = file.read_text(encoding="utf-8").split("\n")
    edits = fix["edits"]
    first = min(each["location"]["row"] for each in edits)
    last = max(each["end_location"]["row"] for each in edits)
    after = "\n".join(lines)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    for each in sorted(edits, key=lambda edit: (edit["location"]["row"], edit["location"]["column"]), reverse=True):
        start, end = (starts[each[key]["row"] - 1] + each[key]["column"] - 1 for key in ("location", "end_location"))
        after = after[:start] + each["content"] + after[end:]
    grown = after.count("\n") + 1 - len(lines)
    above, below = lines[max(first - 4, 0) : first - 1], lines[last : last + 3]
    old, new = lines[first - 1 : last], after.split("\n")[first - 1 : last + grown]
    rows = [*(f"  {line}" for line in above), *(f"- {line}" for line in old), *(f"+ {line}" for line in new)]
    return "\n".join([*rows, *(f"  {line}" for line in below)])


def drawn(results: Sequence[Cured], number: int, seed: int) -> Iterator[tuple[str, str]]:
    """Draw fixes, one of each kind in turn."""
    kinds: defaultdict[str, list[str]] = defaultdict(list)
    for result in results:
        for kind, text in result.hunks:
            kinds[kind].append(text)
    chance = random.Random(seed)
    for kind in kinds:
        chance.shuffle(kinds[kind])
    while number > 0 and any(kinds.values()):
        for kind in sorted(each for each in kinds if kinds[each])[:number]:
            yield kind, kinds[kind].pop()
            number -= 1


def report(results: Sequence[Cured], draw: int, seed: int) -> Iterator[str]:
    """Yield the record in Markdown."""
    yield from heading("Fixes of packages", modules=["libcst"])
    yield "| package | findings | safe fix | unsafe fix | left | files changed | check | fix | wrong |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    for each in results:
        numbers = f"{len(each.found)} | {each.share('safe')} | {each.share('unsafe')} | {each.left} | {each.files}"
        seconds = " | ".join(f"{number:.1f} s" for number in each.seconds)
        yield f"| {each.package.title} | {numbers} | {seconds} | {len(each.wrong)} |"
    yield ""
    yield from (f"- {each.package.name}: {why}" for each in results for why in each.wrong)
    kinds = Counter(kind for each in results for kind, _ in each.hunks)
    yield ""
    yield "| rule and rewriting | fixes |"
    yield "|---|---:|"
    yield from (f"| {kind} | {number} |" for kind, number in sorted(kinds.items()))
    for at, (kind, text) in enumerate(drawn(results, draw, seed), start=1):
        yield f"\n### {at}. {kind}\n\n```\n{text}\n```"


def main() -> int:
    """Fix the packages and write the record."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="+", metavar="PACKAGE", type=Path)
    parser.add_argument("--draw", type=int, default=0, help="fixes to show, drawn at random")
    parser.add_argument("--seed", type=int, default=1)
    add_output(parser)
    options = parser.parse_args()
    results = [cured(Package(each)) for each in options.packages]
    write(report(results, options.draw, options.seed), options.output)
    return int(any(each.wrong for each in results))


if __name__ == "__main__":
    sys.exit(main())
