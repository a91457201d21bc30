"""What the linter says about whole programs, against what torch's CUDA code does when they run.

    python tests/benchmarks/scripts.py scripts.json --clones DIR [--device emulated|simulated] [--name NAME…]
                                       [--list none|disagreements|all] [--seconds N] [--json FILE]

The file names scripts of public repositories: repository, commit, path, licence, arguments. They are read from clones
below DIR into a temporary folder, and run by `synclint run`, which compares. `README.md` beside this file has more.
"""

from __future__ import annotations

import argparse
import json
import os
import struct
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from history import Clones, MissingError

TOKENS: Final = bytes(range(0, 64, 2)) * 4096
"""Tokens of 16 bits below 64, for programs that read their data from a binary file."""
DIGITS: Final = struct.pack(">4i", 0x803, 640, 28, 28) + bytes(range(256)) * (640 * 28 * 28 // 256)
LABELS: Final = struct.pack(">2i", 0x801, 640) + bytes(range(10)) * 64
"""Images and labels as the files of MNIST have them."""
INPUTS: Final = {
    "tokens": TOKENS,
    "text": b"the quick brown fox jumps over the lazy dog .\n" * 2000,
    "digits": DIGITS,
    "labels": LABELS,
}

Script = Mapping[str, Any]


@dataclass
class Outcome:
    """What became of one script: the rows of its report, or why there is none."""

    name: str
    kind: str
    rows: Sequence[Mapping[str, Any]] = ()
    steps: int = 0
    failure: str = ""
    counts: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.counts = Counter(row["verdict"] for row in self.rows if not _is_asked_for(row))

    @property
    def cells(self) -> tuple[str, ...]:
        """The script's row of the table: waits seen, reported, missed; reports that ran and did not wait."""
        right, missed, wrong = (self.counts[each] for each in ("confirmed", "missed", "refuted"))
        if self.failure:
            return (self.name, self.kind, "-", "-", "-", "-", "-", self.failure)
        return (
            self.name, self.kind, str(self.steps), str(right + missed), str(right), str(missed), str(wrong), "",
        )  # fmt: skip


def _is_asked_for(row: Mapping[str, Any]) -> bool:
    """Whether the program itself asks for the wait, by `torch.cuda.synchronize()` before it takes the time."""
    return bool(row["verdict"] == "missed" and row["kinds"] == ["synchronize"])


HEAD: Final = ("script", "kind", "steps", "lines that wait", "reported", "missed", "wrong", "")


def unpacked(script: Script, clones: Clones, folder: Path) -> None:
    """Write the repository's Python files, and what else the script needs, below a folder."""
    repo, commit = script["repo"], script["commit"]
    for name, content in clones.python_files(repo, commit):
        _write(folder / name, content)
    for name in script.get("files", ()):
        _write(folder / name, clones.read(repo, commit, name))
    for name, kind in script.get("inputs", {}).items():
        _write(folder / name, INPUTS[kind])


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def run(script: Script, clones: Clones, device: str, seconds: int) -> Outcome:
    """Run one script for some steps, and return what `synclint run` says."""
    name, kind = script["name"], script["kind"]
    with tempfile.TemporaryDirectory(prefix="scripts-") as made:
        folder = Path(made).resolve()
        try:
            unpacked(script, clones, folder / "repo")
        except MissingError as error:
            return Outcome(name, kind, failure=f"not there: {error}")
        report = folder / "report.json"
        path = folder / "repo" / script["path"]
        steps = str(script.get("steps", 6))
        command = [sys.executable, "-m", "synclint", "run", "--device", device, "--steps", steps]
        command += ["--output", f"json={report}", str(path), *script.get("arguments", ())]
        where = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (_root(script, folder), _search_path())))}
        where |= {"MPLBACKEND": "Agg", "WANDB_MODE": "disabled", "HF_HUB_OFFLINE": "1", **script.get("environment", {})}
        try:
            done = subprocess.run(command, cwd=path.parent, env=where, capture_output=True, text=True, timeout=seconds)
        except subprocess.TimeoutExpired:
            return Outcome(name, kind, failure=f"took longer than {seconds} s")
        if not report.exists():
            return Outcome(name, kind, failure=_trouble(done.stderr))
        told = json.loads(report.read_text())
        for row in told["lines"]:
            row["text"] = (path.parent / row["filename"]).read_text().splitlines()[row["line"] - 1].strip()
        outcome = Outcome(name, kind, told["lines"], told["steps"])
        if not told["steps"] and not outcome.counts["confirmed"] + outcome.counts["missed"]:
            outcome.failure = _trouble(done.stderr)
        return outcome


def _root(script: Script, folder: Path) -> str:
    """Return where the repository's own packages are imported from."""
    return str(folder / "repo" / script["imports"]) if "imports" in script else ""


def _search_path() -> str:
    return os.environ.get("PYTHONPATH", "")


def _trouble(text: str) -> str:
    """Return what a program stopped with, as `synclint run` says it, or its last line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()] or ["it failed"]
    stopped = [line.partition("the program stopped with ")[2] for line in lines if "the program stopped with " in line]
    return (stopped or lines)[-1][:100]


def table(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yield the lines of the table, and the two figures below it."""
    yield "| " + " | ".join(HEAD) + " |"
    yield "|" + "---|" * len(HEAD)
    for outcome in outcomes:
        yield "| " + " | ".join(outcome.cells) + " |"
    ran = [each for each in outcomes if not each.failure]
    right, missed, wrong = (sum(each.counts[kind] for each in ran) for kind in ("confirmed", "missed", "refuted"))
    yield ""
    yield f"{len(ran)} scripts: recall {_share(right, right + missed)}, precision {_share(right, right + wrong)}."


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole}, {part / whole:.1%}" if whole else "of none"


def disagreements(outcomes: Sequence[Outcome], everything: bool) -> Iterator[str]:
    """Yield the lines that were missed, or reported wrongly, or all of them."""
    for outcome in outcomes:
        for row in outcome.rows:
            if everything or row["verdict"] in ("missed", "refuted"):
                waits = ", ".join(row["kinds"])
                place = f"{row['filename']}:{row['line']}"
                yield f"{row['verdict']:10} {outcome.name}  {place}  {row['code'] or ''}  {waits}"
                yield f"           | {row['text']}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the scripts and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scripts", type=Path)
    parser.add_argument("--clones", type=Path, required=True)
    parser.add_argument("--device", default="emulated", choices=["emulated", "simulated", "cuda"])
    parser.add_argument("--name", action="append", help="run this script only")
    parser.add_argument("--list", default="disagreements", choices=["none", "disagreements", "all"])
    parser.add_argument("--seconds", type=int, default=300, help="of each script")
    parser.add_argument("--json", type=Path, help="write the rows of all reports there")
    given = parser.parse_args(arguments)
    scripts = [each for each in json.loads(given.scripts.read_text()) if not given.name or each["name"] in given.name]
    outcomes = []
    for script in scripts:
        outcomes.append(run(script, Clones(given.clones), given.device, given.seconds))
        print("  ".join(filter(None, outcomes[-1].cells)), file=sys.stderr, flush=True)
    print("\n".join(table(outcomes)))
    if given.list != "none":
        print("\n".join(disagreements(outcomes, given.list == "all")))
    if given.json:
        rows = [{"name": each.name, "failure": each.failure, "lines": list(each.rows)} for each in outcomes]
        given.json.write_text(json.dumps(rows, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
