"""How right the linter is about packages whose own tests run on the emulated device; each line is judged.

    python tests/benchmarks/suites.py run DIR [--package NAME…] [--device emulated|simulated|cuda] [--seconds N]
    python tests/benchmarks/suites.py report DIR [--device …] [--relint] [--list PACKAGE] [--output FILE]
                                                     [--default-device cuda|cpu]

DIR has a folder for each package, named as it is imported, with the tests in it; what they did is kept in
DIR/observed. `README.md` beside this file says what is counted. Half of the packages are sealed: of them only figures
are printed, and nothing lists their disagreements.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from accuracy import lint, start, version_of
from accuracy_programs.judge import Said
from accuracy_suites.figures import Figures, judged, paragraphs
from accuracy_suites.packages import SUITES, Suite

BEGIN: Final = "<!-- suites.py writes from here -->"
END: Final = "<!-- to here -->"


def main() -> int:
    """Run the tests, or report what came of them."""
    options = arguments()
    suites = [each for each in SUITES if not options.package or each.package in options.package]
    installed = [each for each in suites if importlib.util.find_spec(each.package)]
    for each in suites:
        if each not in installed:
            print(f"{each.package} is not installed and is left out", file=sys.stderr)
    if options.what == "run":
        for suite in installed:
            run(suite, options)
        return 0
    if options.list:
        return listed(next(each for each in installed if each.package == options.list), options)
    text = "\n".join(report(installed, options))
    print(text)
    if options.output:
        write(text, options.output)
    return 0


def arguments() -> argparse.Namespace:
    """The options. The disagreements of a sealed package cannot be asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("run", "report"))
    parser.add_argument("directory", type=Path, metavar="DIR")
    parser.add_argument("--package", action="append", choices=[each.package for each in SUITES])
    parser.add_argument("--device", choices=("emulated", "simulated", "cuda"), default="emulated")
    parser.add_argument("--seconds", type=int, default=120, help="of the processor for each package (default 120)")
    parser.add_argument("--relint", action="store_true", help="lint the packages again")
    parser.add_argument(
        "--default-device",
        choices=("cuda", "cpu"),
        default="cuda",
        help="what the linter is told by `default-device` (default cuda, as the tests run)",
    )
    parser.add_argument("--list", metavar="PACKAGE", choices=[each.package for each in SUITES])
    parser.add_argument("--output", type=Path, metavar="FILE", help="write the tables between the marks of this file")
    options = parser.parse_args()
    if options.list and next(each for each in SUITES if each.package == options.list).is_sealed:
        parser.error(f"{options.list} is sealed: only its figures are printed")
    return options


def run(suite: Suite, options: argparse.Namespace) -> None:
    """Run a package's tests; those that have run before are not run again."""
    observed = observations(suite, options)
    observed.parent.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    words = [suite.package, str(options.directory.resolve() / suite.package), options.device, str(observed)]
    try:
        start(["-W", "ignore", "-m", "accuracy_suites.execute", *words, str(options.seconds)])
    except subprocess.CalledProcessError as error:
        print(f"{suite.package}: the process ended with {error.returncode}", file=sys.stderr)
    print(f"{suite.package}: {time.monotonic() - began:.0f} seconds")


def observations(suite: Suite, options: argparse.Namespace) -> Path:
    """Where it is kept what the tests of a package did: the rows that ran, and the waits."""
    return Path(options.directory.resolve() / "observed" / options.device / f"{suite.package}.jsonl")


def findings(suite: Suite, options: argparse.Namespace) -> list[Said]:
    """What the linter says about a package. It is kept, for linting takes a while."""
    spec = importlib.util.find_spec(suite.package)
    default_device = "cpu" if suite.moves else options.default_device
    file = options.directory.resolve() / "findings" / default_device / f"{suite.package}.json"
    if options.relint or not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        lint(str(Path(spec.origin or "").parent if spec else Path()), str(file), default_device)
    return [Said(**each) for each in json.loads(file.read_text())]


def measured(suite: Suite, options: argparse.Namespace) -> Figures | None:
    """The figures of a package, if its tests have run."""
    observed = observations(suite, options)
    if not observed.exists():
        return None
    records = [json.loads(line) for line in observed.read_text().splitlines()]
    spec = importlib.util.find_spec(suite.package)
    root = Path(spec.origin or "").parent if spec else Path()
    return judged(suite, version_of(suite.package), root, records, findings(suite, options))


def report(suites: Sequence[Suite], options: argparse.Namespace) -> Iterator[str]:
    """The tables."""
    found = [each for each in (measured(suite, options) for suite in suites) if each]
    yield from paragraphs(found, options.device)


def listed(suite: Suite, options: argparse.Namespace) -> int:
    """Print the disagreements of a package that may be read."""
    figures = measured(suite, options)
    for verdict in ("missed", "wrong"):
        for line in sorted(figures.lines if figures else (), key=lambda line: (line.filename, line.row)):
            if line.verdict == verdict:
                reason = figures.reason(line) if figures else ""
                print("\n".join(("", *line.described(), *([f"    reason:  {reason}"] if reason else []))))
    return 0


def write(text: str, output: Path) -> None:
    """Put the tables into a page, between its marks."""
    page = output.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    output.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
