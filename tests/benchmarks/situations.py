"""What people wait for: a copy of a project that is linted, changed and linted again, with and without a cache."""

from __future__ import annotations

import itertools
import re
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from costs import Command
from record import Package, lines_of
from synclint.lint.files.source import Source, read

METHOD: Final = re.compile(r"(?<=\n)    def (?!__)\w+\(self(?:, [^()\n]*)?\)(?: -> [^\n]*)?:\n")
BASES: Final = re.compile(r"(?<=\n)class \w+\((?=[\w.]+\))")
PLAIN: Final = "plain.py"
"""A file that has nothing to do with tensors."""


@dataclass
class Copy:
    """A project of copied packages with a configuration, and a cache of its own, in an empty directory.

    `before` is a folder with another synclint, which is measured beside this one.
    """

    folder: Path
    packages: Sequence[Package]
    before: Path | None = None
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

    def _with_classes(self) -> list[Path]:
        """The files that can matter and have a class with a base and a method, from those in the middle by lines on."""
        mattering = {
            path: source.text for path in self.names if isinstance(source := read(str(path), str(path)), Source)
        }
        fitting = [
            path
            for path, text in mattering.items()
            if METHOD.search(text) and BASES.search(text) and "\nimport torch\n" in text
        ]
        return sorted(fitting, key=lambda path: (lines_of(str(path)), str(path)))[len(fitting) // 2 :]

    def forget(self) -> None:
        """Remove the cache."""
        shutil.rmtree(self.cache, ignore_errors=True)
        shutil.rmtree(self.folder / "cache before", ignore_errors=True)

    def change(self, path: Path) -> None:
        """Give a file a last line that it never had before."""
        with path.open("a") as file:
            file.write(f"\n# change {next(self._numbers)}\n")

    def _edit(self, pattern: re.Pattern[str], added: str) -> None:
        """Write something new (`#` is a number) behind the first match in the file of classes."""
        path, number = self.classes, next(self._numbers)
        text = path.read_text()
        match = pattern.search(text)
        assert match is not None
        path.write_text(text[: match.end()] + added.replace("#", str(number)) + text[match.end() :])

    def edits(self) -> dict[str, Callable[[], object]]:
        """What is done before each run: edits that tell other files nothing, a little, and more."""
        signature = re.compile(METHOD.pattern.removesuffix(r"(?:, [^()\n]*)?\)(?: -> [^\n]*)?:\n"))
        added, removed = self.classes.with_name("added.py"), self.removed.read_text()
        text = f"import torch\nfrom .{self.classes.stem} import *\n\ndef first(x: torch.Tensor):\n    return x.item()\n"

        def begin() -> None:
            self.forget()
            self.removed.write_text(removed)
            added.unlink(missing_ok=True)

        return {
            "nothing kept": begin,
            "nothing changed": lambda: None,
            "a comment added": lambda: self.classes.write_text(f"# {next(self._numbers)}\n{self.classes.read_text()}"),
            "a function's body changed": lambda: self._edit(METHOD, "        probe_# = None\n"),
            "a signature changed": lambda: self._edit(signature, ", probe_#"),
            "a base class changed": lambda: self._edit(BASES, "torch.nn.Probe#, "),
            "a file added": lambda: added.write_text(text),
            "a file removed": self.removed.unlink,
        }

    def edited(self) -> dict[str, Command]:
        """The command for all files after each edit, and that of the other synclint."""
        self.classes, self.removed, *_ = self._with_classes()
        found = {}
        for name, ready in self.edits().items():
            found[name] = self._command(".", ready=ready)
            if self.before:
                found[f"{name}, before"] = self._command(".", before=self.before)
        return found

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

    def _command(self, *words: str, ready: Callable[[], object] = lambda: None, before: Path | None = None) -> Command:
        cache = self.folder / "cache before" if before else self.cache
        kept = [] if "--no-cache" in words else ["--cache-dir", str(cache)]
        python = ["env", f"PYTHONPATH={before}", sys.executable, "-P"] if before else [sys.executable]
        check = [*python, "-m", "synclint", "check", "--exit-zero", "--quiet", "--jobs", "1"]
        return Command([*check, *kept, *words], self.project, ready=ready)
