"""How right the linter is about real packages: their code is run on a device without a GPU, and each line is judged.

    python tests/benchmarks/accuracy.py [--device emulated|simulated] [--package NAME…]
                                        [--list none|disagreements|all] [--json FILE]

Recall is the share of the waiting lines that are reported, precision the share of the reported lines that wait, among
the lines that ran; `README.md` beside this file defines both. A package that is not installed is skipped.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from accuracy_programs.judge import Line, Said, judge

HERE: Final = Path(__file__).parent
PACKAGES: Final = ("torchmetrics", "torch_geometric", "kornia", "diffusers", "timm")
SECONDS: Final = 500
"""No package may run longer; what was run until then counts."""
DEATHS: Final = 5
"""How many programs may take the process with them before the rest of the package is given up."""


@dataclass(frozen=True)
class Measured:
    """What came of one package. `skipped` are the programs that could not be run, with the reasons."""

    package: str
    version: str
    programs: int
    skipped: dict[str, str]
    lines: list[Line]

    @property
    def ran(self) -> int:
        """How many programs were run."""
        return self.programs - len(self.skipped)

    def count(self, verdict: str) -> int:
        """How many lines have a verdict."""
        return sum(line.verdict == verdict for line in self.lines)


def main() -> int:
    """Measure the packages and print what came of it."""
    options = arguments()
    if options.lint:
        return lint(*options.lint)
    installed = [name for name in options.package or PACKAGES if importlib.util.find_spec(name)]
    for name in sorted({*(options.package or PACKAGES)} - {*installed}):
        print(f"{name} is not installed and is left out")
    with ThreadPoolExecutor(max_workers=2) as pool:
        measured = list(pool.map(partial(measure, device=options.device), installed))
    print("\n".join((*table(measured), *rules(measured), *unreported(measured), *listed(measured, options.list))))
    if options.json:
        found = [{**asdict(each), "lines": [line.as_row() for line in each.lines]} for each in measured]
        Path(options.json).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


def arguments() -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", choices=("emulated", "simulated"), default="simulated")
    parser.add_argument("--package", action="append", choices=PACKAGES, help="one of the packages; may be repeated")
    parser.add_argument("--list", choices=("none", "disagreements", "all"), default="disagreements")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--lint", nargs=2, help=argparse.SUPPRESS)
    return parser.parse_args()


def measure(package: str, device: str) -> Measured:
    """Run a package's programs and lint it, each in a process of its own, and compare."""
    spec = importlib.util.find_spec(package)
    root = Path(spec.origin or "").parent if spec else Path()
    with tempfile.TemporaryDirectory() as directory:
        findings = Path(directory) / "findings.json"
        start([__file__, "--lint", str(root), str(findings)])
        seen = run_programs(package, device, Path(directory) / "seen.jsonl")
        said = [Said(**each) for each in json.loads(findings.read_text())]
    skipped = {each["program"]: each["error"] for each in seen if "error" in each}
    lines = judge(seen, said)
    return Measured(package, version_of(package), len(seen), skipped, lines)


def start(words: Sequence[str], seconds: float | None = None) -> None:
    """A child of ours; what it prints on the way is of no interest unless it fails."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE), *filter(None, sys.path)])}
    subprocess.run(
        [sys.executable, *words], env=environment, timeout=seconds, check=True, stdout=subprocess.DEVNULL, cwd=HERE
    )


def run_programs(package: str, device: str, file: Path) -> list[dict[str, Any]]:
    """What the package's programs did; a program that ends the process is skipped, and the rest is run."""
    for _ in range(DEATHS):
        try:
            start(["-m", "accuracy_programs", package, str(file), device], SECONDS)
        except subprocess.CalledProcessError:
            continue
        except subprocess.TimeoutExpired:
            print(f"{package}: stopped after {SECONDS} seconds", file=sys.stderr)
        break
    records = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    ended = {each["program"]: each for each in records if "begun" not in each}
    died = [each["program"] for each in records if each["program"] not in ended]
    return [*ended.values(), *({"program": name, "error": "the process ended"} for name in dict.fromkeys(died))]


def version_of(package: str) -> str:
    """The installed version."""
    from importlib.metadata import packages_distributions, version

    return version((packages_distributions().get(package) or [package])[0])


def lint(root: str, path: str, default_device: str = "") -> int:
    """Write down what the linter says about a package with its default settings and the installed versions."""
    from importlib.metadata import version
    from importlib.util import find_spec

    from synclint.lint.finding import Kind
    from synclint.lint.run.engine import run
    from synclint.lint.run.file import File
    from synclint.lint.settings.config import Settings
    from synclint.lint.settings.selection import Layer, chosen_rules

    names = (name for name in ("torch", "torchmetrics", "transformers", "torchvision") if find_spec(name))
    pins = {name: "==" + version(name).partition("+")[0] for name in names}
    rules_in_use = chosen_rules([Layer()])
    kinds = {rule.code: rule.kind for rule in rules_in_use}
    files = [File(str(each), named=True) for each in sorted(Path(root).rglob("*.py"))]
    fitting = {name: text for name, text in pins.items() if hasattr(Settings, name)}
    settings = Settings(root=Path(root), default_device=default_device, **fitting)
    result = run(files, settings, rules_in_use, jobs=1)
    for failure in result.failures:
        print(f"{failure.filename}: {failure.part}: {failure.error}", file=sys.stderr)
    said = [
        {
            "filename": each.span.filename,
            "row": each.span.row,
            "column": each.span.column,
            "end": each.span.end_row,
            "code": each.code,
            "severity": each.severity.words,
            "message": each.message,
            "frequency": each.frequency.level.words,
        }
        for each in result.findings
        if kinds[each.code] is Kind.STALL
    ]
    Path(path).write_text(json.dumps(said))
    return 0


def share(part: int, whole: int) -> str:
    """`31/43 72.1 %`."""
    return f"{part}/{whole} {100 * part / whole:.1f} %" if whole else "0/0"


def table(measured: Sequence[Measured]) -> Iterator[str]:
    """A row for each package, and one for all."""
    yield "| package | version | programs run | lines that ran | recall | precision |"
    yield "|---|---|---:|---:|---:|---:|"
    for each in measured:
        right, missed, wrong = each.count("right"), each.count("missed"), each.count("wrong")
        cells = (each.version, share(each.ran, each.programs), str(len(each.lines)))
        found, sound = share(right, right + missed), share(right, right + wrong)
        yield f"| {each.package} | {' | '.join(cells)} | {found} | {sound} |"
    right, missed, wrong = (sum(each.count(verdict) for each in measured) for verdict in ("right", "missed", "wrong"))
    yield f"| all | | | | {share(right, right + missed)} | {share(right, right + wrong)} |"


def rules(measured: Sequence[Measured]) -> Iterator[str]:
    """For each rule the share of its reported lines that wait."""
    right: Counter[str] = Counter()
    reported: Counter[str] = Counter()
    for line in _lines(measured):
        for code in {each.code for each in line.reported} if line.verdict != "open" else ():
            reported[code] += 1
            right[code] += line.verdict == "right"
    yield from ("", "| rule | reported lines that wait |", "|---|---:|")
    for code in sorted(reported):
        yield f"| {code} | {share(right[code], reported[code])} |"


def unreported(measured: Sequence[Measured]) -> Iterator[str]:
    """For each kind of operator the share of the lines it waits on that are reported."""
    waited: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for line in _lines(measured):
        for operator in {name for name, _, _ in line.waits}:
            waited[operator] += 1
            right[operator] += line.verdict == "right"
    yield from ("", "| operator | waiting lines that are reported |", "|---|---:|")
    for operator, count in waited.most_common():
        yield f"| {operator} | {share(right[operator], count)} |"


def _lines(measured: Iterable[Measured]) -> Iterator[Line]:
    return (line for each in measured for line in each.lines)


def listed(measured: Sequence[Measured], which: str) -> Iterator[str]:
    """The lines for a reader, those that wait without a report first."""
    wanted = {"none": (), "disagreements": ("missed", "wrong"), "all": ("missed", "wrong", "open", "right")}[which]
    for verdict in wanted:
        for line in sorted(_lines(measured), key=lambda line: (line.filename, line.row)):
            if line.verdict == verdict:
                yield from ("", *line.described())


if __name__ == "__main__":
    sys.exit(main())
