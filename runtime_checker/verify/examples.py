"""The examples of the rules: what their markers say, and how to run one step of them."""

from __future__ import annotations

import importlib.util
import io
import logging
import math
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any, Final

EXAMPLES: Final = Path(__file__).resolve().parents[2] / "examples"
NOT_RULES: Final = frozenset({"articles"})
MARKER: Final = re.compile(r"# (expect|waits): ([A-Z]+\d+(?:\[[^\]]*\])?(?:, [A-Z]+\d+(?:\[[^\]]*\])?)*)")
NEEDS: Final = re.compile(r"# needs: (\w+)(<=|>=|==|<|>)([\d.]+)")
CONDITION: Final = re.compile(r"([A-Z]+\d+)(?:\[(\w+)(<=|>=|==|<|>)([\d.]+)\])?")


@dataclass(frozen=True, slots=True)
class Mark:
    """The expectation of a comment for its line; `wait` says that the wait is here but is reported elsewhere."""

    row: int
    code: str
    wait: bool
    library: str = ""
    comparison: str = ""
    version: str = ""

    def applies(self, versions: Callable[[str], str | None]) -> bool:
        """Whether the mark applies to the installed version of the library."""
        if not self.library:
            return True
        installed = versions(self.library)
        return installed is not None and _compare(_numbers(installed), self.comparison, _numbers(self.version))

    @property
    def condition(self) -> str:
        """The condition as written, for people."""
        return f"{self.library}{self.comparison}{self.version}"


def _numbers(version: str) -> tuple[int, ...]:
    found = [int(part) for part in re.findall(r"\d+", version.partition("+")[0])[:3]]
    return tuple(found + [0] * (3 - len(found)))


def _compare(left: tuple[int, ...], comparison: str, right: tuple[int, ...]) -> bool:
    answers = {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right, "==": left == right}
    return answers[comparison]


def installed_version(library: str) -> str | None:
    """Return the version of a library, or None if it is not installed."""
    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return None


def marks_of(source: str) -> list[Mark]:
    """Return the marks of a program, line by line."""
    found = []
    for row, line in enumerate(source.splitlines(), start=1):
        for kind, codes in MARKER.findall(line):
            found += [Mark(row, code, kind == "waits", *rest) for code, *rest in CONDITION.findall(codes)]
    return found


@dataclass(frozen=True, slots=True)
class Program:
    """One program of an example: `hazard` or `fixed`."""

    path: Path
    marks: tuple[Mark, ...]
    body: frozenset[int]
    """The rows of all functions except `setup` and `main`: where a wait would be paid every step."""


@dataclass(frozen=True, slots=True)
class Example:
    """The folder of one rule."""

    name: str
    hazard: Program
    fixed: Program

    @property
    def code(self) -> str:
        """The rule that the example is about: the one marked most often and named first."""
        codes = [mark.code for mark in self.hazard.marks]
        return max(dict.fromkeys(codes), key=codes.count) if codes else "SYNC???"


def program(path: Path) -> Program:
    """Return a program with its marks."""
    import ast

    source = path.read_text(encoding="utf-8")
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    outside = [node for node in functions if node.name in ("setup", "main")]
    rows = {row for node in functions for row in range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    rows -= {row for node in outside for row in range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    return Program(path, tuple(marks_of(source)), frozenset(rows))


def all_examples(*others: Path) -> list[Example]:
    """Return the examples of all rules, by code; `others` are the folders in which plugins have theirs."""
    paths = (path for root in (EXAMPLES, *others) for path in root.iterdir())
    folders = [path for path in paths if (path / "hazard.py").exists() and path.name not in NOT_RULES]
    found = [Example(path.name, program(path / "hazard.py"), program(path / "fixed.py")) for path in folders]
    return sorted(found, key=lambda example: (example.code, example.name))


def libraries_of(example: Example) -> dict[str, str]:
    """The libraries that an example names besides torch, and their versions, as far as they are installed."""
    needs = {
        found[0] for each in (example.hazard, example.fixed) for found in NEEDS.findall(each.path.read_text("utf-8"))
    }
    names = needs | {mark.library for mark in example.hazard.marks}
    found = {name: installed_version(name) for name in sorted(names - {"", "torch"})}
    return {name: version for name, version in found.items() if version}


class MissingLibraryError(Exception):
    """An example needs a library, or a version of one, that is not installed."""


def unmet(source: str, versions: Callable[[str], str | None] = installed_version) -> list[str]:
    """Return what a program needs that is not installed."""
    needs = [Mark(0, "", False, *found) for found in NEEDS.findall(source)]
    return [mark.condition for mark in needs if not mark.applies(versions)]


@contextmanager
def loaded(path: Path) -> Iterator[ModuleType]:
    """Load an example as a module while entered, with its folder importable."""
    if lacking := unmet(path.read_text(encoding="utf-8")):
        raise MissingLibraryError(_needs(path, lacking))
    name = f"synclint_example_{path.parent.name.replace('-', '_')}_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
        yield module
    except ImportError as error:
        raise MissingLibraryError(_needs(path, [error.name]) if error.name else str(error)) from error
    except SystemExit as error:
        raise MissingLibraryError(str(error)) from error
    finally:
        sys.modules.pop(name, None)


def _needs(path: Path, libraries: Sequence[str]) -> str:
    """Return which libraries an example lacks, and what would make it run."""
    quoted = " ".join(f"'{each}'" for each in libraries)
    return f"{path.name} needs {', '.join(libraries)}: `pip install {quoted}`, or an environment of its own that has it"


@contextmanager
def quietly() -> Iterator[None]:
    """Work in a temporary directory with nothing printed and torch's defaults: examples write files and print."""
    handler = logging.lastResort
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(io.StringIO()), _inside(folder), validating():
        logging.lastResort = logging.StreamHandler(io.StringIO())
        try:
            yield
        finally:
            logging.lastResort = handler


@contextmanager
def validating() -> Iterator[None]:
    """Let distributions validate while entered, as by default; compiling anything turns that off for the process.

    Source: torch 2.13 `torch/_dynamo/eval_frame.py`, `TorchPatcher.patch`.
    """
    from torch.distributions import Distribution

    before = Distribution._validate_args
    Distribution.set_default_validate_args(__debug__)
    try:
        yield
    finally:
        Distribution.set_default_validate_args(before)


@contextmanager
def _inside(folder: str) -> Iterator[None]:
    import os

    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def same(left: Any, right: Any, tolerance: float = 1e-4) -> bool:
    """Whether two results of a step are equal up to rounding, wherever they are."""
    import torch

    if isinstance(left, torch.Tensor) or isinstance(right, torch.Tensor):
        first, second = (torch.as_tensor(value).detach().cpu().double() for value in (left, right))
        close = (
            torch.allclose(first, second, tolerance, tolerance, equal_nan=True) if first.shape == second.shape else 0
        )
        return bool(close)
    if isinstance(left, (list, tuple)):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, float) or isinstance(right, float):
        return math.isclose(left, right, rel_tol=tolerance, abs_tol=tolerance)
    return bool(left == right)
