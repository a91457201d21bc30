"""Parts of the linter's work, and bare parsers, each measured in a process of its own by `speed.py`.

    python tests/benchmarks/phases.py NAME    (the names of the files as a list in JSON on standard input)

Prints the seconds of processor time of the work itself, without imports.
"""

from __future__ import annotations

import ast
import contextlib
import gc
import json
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final


def reading(names: Sequence[str]) -> float:
    """Open and read the files."""
    started = time.process_time()
    _contents(names)
    return time.process_time() - started


def _contents(names: Sequence[str]) -> list[bytes]:
    return [Path(name).read_bytes() for name in names]


def parsing_with_ast(names: Sequence[str]) -> float:
    """The standard library's parser, without reading."""
    return _each(names, ast.parse)


def parsing_with_libcst(names: Sequence[str]) -> float:
    """LibCST's `parse_module`, without reading."""
    import libcst

    return _each(names, libcst.parse_module)


def _each(names: Sequence[str], parse: Callable[[bytes], object]) -> float:
    warnings.simplefilter("ignore")
    contents = _contents(names)
    started = time.process_time()
    for data in contents:
        with contextlib.suppress(Exception):  # a file that one parser refuses costs what it costs until then
            parse(data)
    return time.process_time() - started


def _collect_rarely() -> None:
    """What the command does at its start, without which the phases would cost more than the whole."""
    gc.set_threshold(100_000, 50, 50)


def sources(names: Sequence[str]) -> float:
    """The linter's reading and parsing."""
    from synclint.lint.files.source import read

    _collect_rarely()
    started = time.process_time()
    for name in names:
        read(name, name)
    return time.process_time() - started


def analysing(names: Sequence[str]) -> float:
    """The linter's work on each file on its own."""
    from synclint.lint.run.file import File
    from synclint.lint.run.project import check_files

    files = [File(name) for name in names]
    _collect_rarely()
    started = time.process_time()
    done = list(check_files(files, 1))
    seconds = time.process_time() - started
    assert len(done) == len(files)
    return seconds


def linting(names: Sequence[str]) -> float:
    """The linter from files to findings."""
    from synclint.lint.run.engine import run
    from synclint.lint.run.file import File
    from synclint.lint.settings.config import Settings
    from synclint.lint.settings.selection import chosen_rules

    files = [File(name) for name in names]
    _collect_rarely()
    started = time.process_time()
    run(files, Settings(), chosen_rules([]), jobs=1)
    return time.process_time() - started


PHASES: Final[dict[str, Callable[[Sequence[str]], float]]] = {
    "reading": reading,
    "ast.parse": parsing_with_ast,
    "LibCST": parsing_with_libcst,
    "sources": sources,
    "analysing": analysing,
    "linting": linting,
}


if __name__ == "__main__":
    print(json.dumps(PHASES[sys.argv[1]](json.load(sys.stdin))))
