"""What people wait for: a copy of a project that is linted, changed and linted again, with and without a cache."""

from __future__ import annotations

import itertools
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from costs import Command
from record import Package, lines_of
from synclint.lint.files.source import Source, read

PLAIN: Final = "plain.py"
"""A file that has nothing to do with tensors."""


@dataclass
class Copy:
    """A project of copied packages with a configuration, and a cache of its own, in an empty directory."""

    folder: Path
    packages: Sequence[Package]
    _numbers: itertools.count[int] = field(default_factory=itertools.count)

    def __post_init__(self) -> None:
        self.names = [name for package in self.packages for name in self._copied(package)]
        self.project.joinpath("pyproject.toml").write_text("[tool.synclint]\n")
        self.project.joinpath(PLAIN).write_text("def double(number):\n    return 2 * number\n" * 50)
        self.changing = self._middle()

    @property
    def project(self) -> Path:
        """Where the project lies."""
        return self.folder / "project"

    @property
    def cache(self) -> Path:
        """What runs keep."""
        return self.folder / "cache"

    def _copied(self, package: Package) -> list[Path]:
        made = []
        for name in package.files():
            path = self.project / package.name / Path(name).resolve().relative_to(package.path.resolve())
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(name, path)
            made.append(path)
        return made

    def _middle(self) -> Path:
        """The file in the middle, by its lines, of those that can matter."""
        mattering = [path for path in self.names if isinstance(read(str(path), str(path)), Source)]
        ordered = sorted(mattering, key=lambda path: (lines_of(str(path)), str(path)))
        return ordered[len(ordered) // 2]

    def forget(self) -> None:
        """Remove the cache."""
        shutil.rmtree(self.cache, ignore_errors=True)

    def change(self, path: Path) -> None:
        """Give a file a last line that it never had before."""
        with path.open("a") as file:
            file.write(f"\n# change {next(self._numbers)}\n")

    def commands(self) -> dict[str, Command]:
        """The situations, in order: each leaves the cache that the next one finds."""
        packages = [package.name for package in self.packages]
        named = ["--force-exclude", str(self.changing.relative_to(self.project))]
        plain = ["--force-exclude", PLAIN]
        place, other = self.changing, self.project / PLAIN
        return {
            "all files, nothing kept (`--no-cache`)": self._command("--no-cache", *packages),
            "all files, first run": self._command(*packages, ready=self.forget),
            "all files, nothing changed": self._command(*packages),
            "all files, one changed": self._command(*packages, ready=lambda: self.change(place)),
            "one named file, changed": self._command(*named, ready=lambda: self.change(place)),
            "one named file, not changed": self._command(*named),
            "one named file that cannot matter, changed": self._command(*plain, ready=lambda: self.change(other)),
            "one named file, nothing kept (`--no-cache`)": self._command("--no-cache", *named),
        }

    def _command(self, *words: str, ready: Callable[[], object] = lambda: None) -> Command:
        kept = [] if "--no-cache" in words else ["--cache-dir", str(self.cache)]
        check = [sys.executable, "-m", "synclint", "check", "--exit-zero", "--quiet", "--jobs", "1"]
        return Command([*check, *kept, *words], self.project, ready=ready)
