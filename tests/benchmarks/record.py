"""What every record of a measurement says first: command, day, machine and versions; and where it is written."""

from __future__ import annotations

import argparse
import contextlib
import datetime
import importlib.metadata
import os
import platform
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import synclint
from synclint.lint.run.discovery import discover
from synclint.lint.settings.config import Settings
from synclint.lint.settings.configurations import Configurations

ROOT: Final = Path(__file__).parents[2]


@dataclass(frozen=True)
class Package:
    """A package as it lies in a directory, beside the metadata of its installation, which know its version."""

    path: Path

    @property
    def name(self) -> str:
        """The name by which the package is imported."""
        return self.path.resolve().name

    @property
    def version(self) -> str:
        """The version of the distribution that the package belongs to; empty where nothing tells it."""
        found = sorted(self.path.resolve().parent.glob(f"{self.name}-*.dist-info"))
        return found[-1].name.removesuffix(".dist-info").rpartition("-")[2] if found else ""

    @property
    def title(self) -> str:
        """Name and version."""
        return f"{self.name} {self.version}".strip()

    def files(self) -> list[str]:
        """The Python files that the linter would check."""
        return [
            name
            for name in discover([str(self.path)], Configurations(Settings(root=Path.cwd()))).files
            if name.endswith(".py")
        ]


def lines_of(name: str) -> int:
    """How many lines a file has."""
    return Path(name).read_bytes().count(b"\n")


def heading(title: str, *inputs: str, modules: Sequence[str] = ()) -> Iterator[str]:
    """The first lines of a record in Markdown: what was measured, and the modules whose versions matter as well."""
    yield f"# {title}"
    yield ""
    yield f"Written by `{command()}` on {datetime.date.today().isoformat()}."
    yield ""
    yield f"- machine: {machine()}"
    yield f"- {', '.join(versions(modules))}"
    if inputs:
        yield f"- input: {', '.join(inputs)}"
    yield ""


def command() -> str:
    """The command line, with the last part of absolute paths only: where things lie says nothing about them."""
    words = [Path(word).name if os.path.isabs(word) else word for word in sys.argv[1:]]
    return " ".join(("python", f"tests/benchmarks/{Path(sys.argv[0]).name}", *words))


def machine() -> str:
    """The model of the processor, and how many of them this process may use."""
    model = platform.processor() or platform.machine()
    information = Path("/proc/cpuinfo")
    if information.is_file():
        named = (line.partition(":")[2].strip() for line in information.read_text().split("\n") if "model name" in line)
        model = next(named, model)
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{model}, {count} processors"


def versions(modules: Sequence[str] = ()) -> Iterator[str]:
    """Python, synclint with the commit of its checkout, and the distributions that are installed of those named."""
    yield f"Python {platform.python_version()}"
    git = ["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--exclude=*"]
    done = subprocess.run(git, capture_output=True, text=True)
    yield f"synclint {synclint.__version__}" + (f" ({done.stdout.strip()})" if not done.returncode else "")
    for name in modules:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            yield f"{name} {importlib.metadata.version(name)}"


def add_output(parser: argparse.ArgumentParser) -> None:
    """The option that says where the record goes."""
    parser.add_argument("--output", type=Path, metavar="FILE", help="write the record there as well")


def write(lines: Sequence[str], output: Path | None) -> None:
    """Print a record, and write it to a file if one is named."""
    text = "\n".join(lines).rstrip() + "\n"
    print(text)
    if output:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(text, encoding="utf-8")
