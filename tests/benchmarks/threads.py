"""Says how many lines of small programs after public threads are judged rightly; see `README.md` here.

Run: python tests/benchmarks/threads.py [--sealed] [--list]
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from synclint.lint.finding import Severity
from synclint.lint.rule import all_rules
from synclint.lint.run.engine import run
from synclint.lint.run.file import File
from synclint.lint.settings.config import Settings

PROGRAMS: Final = Path(__file__).parent / "threads"
JUDGED: Final = re.compile(r"  # (waits|clean)$")


@dataclass(frozen=True)
class Line:
    """A line that somebody has judged, and whether it is reported as a warning or an error."""

    place: str
    text: str
    waits: bool
    is_reported: bool

    @property
    def is_right(self) -> bool:
        """Whether it is reported if and only if it waits."""
        return self.waits is self.is_reported


def judged(path: Path) -> Iterator[Line]:
    """Yield the judged lines of a program."""
    findings = run([File(path.name, named=True, data=path.read_bytes())], Settings(), all_rules(), jobs=1).findings
    loud = {each.span.row for each in findings if each.span is not None and each.severity >= Severity.WARNING}
    for row, text in enumerate(path.read_text().splitlines(), 1):
        if (mark := JUDGED.search(text)) is not None:
            yield Line(f"{path.name}:{row}", text.strip(), mark[1] == "waits", row in loud)


def main() -> None:
    """Print how many lines that wait are reported, and how many that do not; `--list` shows which are wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sealed", action="store_true", help="the half that no cure is made by")
    parser.add_argument("--list", action="store_true", help="print the lines that are judged wrongly")
    options = parser.parse_args()
    if options.sealed and options.list:
        parser.error("nobody reads which lines of the sealed half are wrong")
    kind = "sealed" if options.sealed else "read"
    lines = [line for path in sorted(PROGRAMS.glob(f"{kind}_*.py")) for line in judged(path)]
    waiting = [line for line in lines if line.waits]
    clean = [line for line in lines if not line.waits]
    for line in lines if options.list else ():
        if not line.is_right:
            print(f"{line.place}: {'missed' if line.waits else 'wrong'}: {line.text}")
    found, wrong = (sum(line.is_reported for line in each) for each in (waiting, clean))
    print(f"{kind}: {found} of {len(waiting)} waiting lines reported, {wrong} of {len(clean)} others")


if __name__ == "__main__":
    main()
