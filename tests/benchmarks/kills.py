"""Whether the store survives runs that are killed while they write it, and runs at the same time.

    python tests/benchmarks/kills.py FOLDER [--kills N] [--pairs N] [--seed N]

A copy of the folder is linted with a store. Then, again and again, one of its files is changed, or changed back, a run
begins and is killed after a random part of the time that a whole one takes, and the next run must find what a run
without any store finds. At last, after each of some changes, two runs begin at once. The exit code is 1 if any differs.
"""

from __future__ import annotations

import argparse
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

CHECK: Final = (sys.executable, "-m", "synclint", "check", "--exit-zero", "--output-format", "json", ".")
ADDED: Final = "\n\ndef added(x: 'torch.Tensor'):\n    return x.item()\n"
CHANGED: Final = 6
"""How many of the files change, one at a time, so that there are only so many reports to compare with."""


class Project:
    """A copy of a folder, in which one file at a time is longer than it was."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._folder = folder
        self.chance = random.Random(seed)
        self._texts = {path: path.read_text(encoding="utf-8") for path in self._some(sorted(folder.rglob("*.py")))}
        self._reports: dict[Path | None, str] = {}
        self._changed: Path | None = None
        self._number = 0
        self.store = folder.parent / "store"

    def _some(self, files: list[Path]) -> list[Path]:
        computing = [path for path in files if "import torch" in path.read_text(encoding="utf-8")]
        return self.chance.sample(computing, min(CHANGED, len(computing)))

    def change(self) -> None:
        """Change another file, and the last one back; or only that."""
        if self._changed is not None:
            self._changed.write_text(self._texts[self._changed], encoding="utf-8")
        self._changed = self.chance.choice([*self._texts, None])
        if self._changed is not None:
            self._number += 1  # a text that no run has seen
            text = f"{self._texts[self._changed]}{ADDED}# {self._number}\n"
            self._changed.write_text(text, encoding="utf-8")

    def start(self) -> subprocess.Popen[str]:
        """Begin a run with the store."""
        words = [*CHECK[:-1], "--cache-dir", str(self.store), CHECK[-1]]
        return subprocess.Popen(words, cwd=self._folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def is_right(self, report: str) -> bool:
        """Whether a report is that of a run without a store."""
        if self._changed not in self._reports:
            done = subprocess.run([*CHECK, "--no-cache"], cwd=self._folder, capture_output=True, text=True)
            self._reports[self._changed] = done.stdout
        return report == self._reports[self._changed]

    def stored(self) -> set[tuple[str, int, int]]:
        """The names, sizes and times of the files of the store."""
        states = ((str(path), path.stat()) for path in self.store.rglob("*") if path.is_file())
        return {(name, state.st_size, state.st_mtime_ns) for name, state in states}


def killed(project: Project, kills: int, whole: float) -> Iterator[tuple[bool, bool]]:
    """Yield of each killed run whether the store had changed, and whether the next run was right."""
    for _ in range(kills):
        project.change()
        before = project.stored()
        run = project.start()
        try:
            run.communicate(timeout=project.chance.uniform(0, 1.1 * whole))
        except subprocess.TimeoutExpired:
            run.send_signal(signal.SIGKILL)
            run.communicate()
        changed = project.stored() != before
        yield changed, project.is_right(project.start().communicate()[0])


def at_once(project: Project, pairs: int) -> Iterator[bool]:
    """Yield of each pair of runs at the same time whether both were right."""
    for _ in range(pairs):
        project.change()
        runs = [project.start(), project.start()]
        reports = [run.communicate()[0] for run in runs]
        yield all(map(project.is_right, reports))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        project = Project(Path(shutil.copytree(options.folder, Path(place, "project"))), options.seed)
        project.start().communicate()
        project.change()
        begun = time.perf_counter()
        project.start().communicate()
        runs = list(killed(project, options.kills, time.perf_counter() - begun))
        pairs = list(at_once(project, options.pairs))
    changed = sum(changed for changed, _ in runs)
    wrong = sum(not right for _, right in runs), sum(not right for right in pairs)
    print(f"{len(runs)} runs killed, {changed} of which had changed the store: {wrong[0]} differ")
    print(f"{len(pairs)} pairs of runs at once: {wrong[1]} differ")
    return 1 if any(wrong) else 0


if __name__ == "__main__":
    sys.exit(main())
