"""Whether a project makes the linter fail: by an error of ours, by taking too long, or by saying different things."""

from __future__ import annotations

import os
import resource
import signal
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from synclint.lint.finding import Confidence
from synclint.lint.run.engine import run
from synclint.lint.run.file import File
from synclint.lint.run.project import check_file, check_files
from synclint.lint.run.result import Result
from synclint.lint.settings.config import Settings
from synclint.lint.settings.selection import Layer, chosen_rules

SECONDS: Final = 10
"""A project of a few small files that takes longer hangs."""
MEMORY: Final = 2 << 30


class Hang(BaseException):
    """It takes too long."""


def limit_this_process() -> None:
    """Give the process no more memory than MEMORY, for all cases that it judges."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGPROF, _hang)


def _hang(*_: object) -> None:
    raise Hang


def judged(project: Mapping[str, str], workers: bool = False) -> str:
    """What is wrong with how a project is checked; empty where nothing is."""
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as place:
        try:
            os.chdir(place)
            _begin(SECONDS)
            return _compared(_written(project), Path(place), workers)
        except Hang:
            return "hang"
        except Exception as error:
            return f"{type(error).__name__}: {error} at {_place(error)}"
        finally:
            _begin(0)
            os.chdir(here)


def _begin(seconds: int) -> None:
    """Let the hour-glass run from here on; 0: put it away."""
    signal.setitimer(signal.ITIMER_PROF, seconds)


def _written(project: Mapping[str, str]) -> list[str]:
    for name, text in project.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, "utf-8", "surrogatepass")
    return sorted(project)


def _compared(names: list[str], place: Path, workers: bool) -> str:
    settings = Settings(root=place, min_confidence=Confidence.POSSIBLE)
    rules = chosen_rules([Layer(select=("ALL",))])
    files = [File(name, named=True) for name in names]
    cache = place / "cache"
    first = run(files, settings, rules, jobs=1, cache=cache)
    if first.failures:
        failure = first.failures[0]
        return f"{failure.error} at {failure.trace.strip().splitlines()[-4:]}"
    for old in cache.glob("*/runs/*"):
        old.unlink()
    others = {
        "from the cache": run(files, settings, rules, jobs=1, cache=cache),
        "from the cache of the run": run(files, settings, rules, jobs=1, cache=cache),
        "in reverse": run(files[::-1], settings, rules, analyses=lambda todo, _: map(check_file, todo)),
    }
    if workers:
        others["with two workers"] = run(files, settings, rules, analyses=lambda todo, _: check_files(todo, 2))
    return next((f"another answer {how}" for how, other in others.items() if _said(other) != _said(first)), "")


def _said(result: Result) -> str:
    return repr(result.findings)


def _place(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else "?"


if __name__ == "__main__":  # what the minimised case in a folder does
    folder = Path(sys.argv[1])
    limit_this_process()
    print(
        judged(
            {str(each.relative_to(folder)): each.read_text("utf-8", "surrogatepass") for each in folder.rglob("*.py*")}
        )
    )
