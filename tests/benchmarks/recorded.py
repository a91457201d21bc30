"""What evidence makes of reports: programs are recorded on the emulated device and checked before and after.

    python tests/benchmarks/recorded.py [--device emulated|simulated] [PROGRAM.py…]

Without programs, those of `recorded/`. `README.md` beside this file has more.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
FIRST = 5
HEAD = ("program", "waits per step", "reported", "measured", "ran without a wait", "not in it", "new", "first five")


def synclint(*words: str, where: Path) -> str:
    """What the command prints."""
    command = [sys.executable, "-m", "synclint", *words]
    return subprocess.run(command, cwd=where, capture_output=True, text=True, timeout=600).stdout


def reports(where: Path, *words: str) -> list[dict[str, Any]]:
    """The rows of a check, without notes."""
    found: list[dict[str, Any]] = json.loads(
        synclint("check", ".", "--no-cache", "--output-format=json", *words, where=where)
    )
    return found


def row(program: Path, device: str, where: Path) -> Iterator[str]:
    """Yield the cells of a program's row."""
    (where / program.name).write_text(program.read_text(encoding="utf-8"), encoding="utf-8")
    before = [each for each in reports(where) if each["severity"] != "note"]
    synclint("run", "--device", device, "--record", "e.json", "--output=json=run.json", program.name, where=where)
    told = json.loads((where / "run.json").read_text())
    after = reports(where, "--evidence", "e.json", "--trust-evidence")
    seen = [each["measured"] for each in after]
    cost = {each["line"]: each["count_per_step"] or 0.0 for each in told["lines"] if each["operators"]}
    lines: dict[int, float] = {}
    for line in told["lines"]:
        lines[line["line"]] = lines.get(line["line"], 0.0) + (line["count_per_step"] or 0.0)
    worst = sorted(lines.values(), reverse=True)[:FIRST]
    worst = [each for each in worst if each]
    first = list(dict.fromkeys(_place(each) for each in _ranked(after)))[: len(worst)]
    right = sum(lines.get(line, 0.0) >= worst[-1] for line in first) if worst else 0
    yield from (
        program.stem,
        f"{told['summary']['waits_per_step']:.3g}" if cost else "0",
        str(len(before)),
        str(sum(bool(each and each["count"]) for each in seen) - _new(after)),
        str(sum(bool(each and not each["count"]) for each in seen)),
        str(sum(each is None for each in seen)),
        str(_new(after)),
        f"{right} of {len(worst)}, before {_right_before(before, lines, worst)}",
    )


def _right_before(before: Sequence[dict[str, Any]], lines: dict[int, float], worst: Sequence[float]) -> int:
    levels = {"error": 0, "warning": 1}
    ranked = sorted(before, key=lambda each: (levels[each["severity"]], each["confidence"] != "certain"))
    first = list(dict.fromkeys(map(_place, ranked)))[: len(worst)]
    return sum(lines.get(line, 0.0) >= worst[-1] for line in first) if worst else 0


def _new(rows: Sequence[dict[str, Any]]) -> int:
    return sum(each["code"] == "SYNC905" for each in rows)


def _place(each: dict[str, Any]) -> int:
    line: int = each["location"]["row"]
    return line


def _ranked(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows in the order in which people are shown them."""
    return sorted(
        (each for each in rows if each["measured"] and each["measured"]["count"]),
        key=lambda each: (-(each["measured"]["ms"] or 0.0), -each["measured"]["waits"]),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=Path, nargs="*")
    parser.add_argument("--device", default="emulated", choices=["emulated", "simulated", "cuda"])
    given = parser.parse_args(arguments)
    print(f"| {' | '.join(HEAD)} |")
    print("|---" * len(HEAD) + "|")
    for program in given.programs or sorted((HERE / "recorded").glob("*.py")):
        with tempfile.TemporaryDirectory(prefix="recorded-") as made:
            print(f"| {' | '.join(row(program, given.device, Path(made)))} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
