"""Looks for programs that make the linter fail.

    python tests/fuzz/fuzz.py [--seconds N] [--seed N] [--files FOLDER]... [--keep FOLDER]

Half of the programs are made up from a grammar, half are files of the folders (by default Python's own library) that
were changed a little. The seed is printed; the same seed gives the same programs, in the same order. What fails is made
smaller, printed, and kept in a folder of its own below `--keep`. The exit code is 1 where something failed.
"""

from __future__ import annotations

import argparse
import multiprocessing
import secrets
import sys
import sysconfig
import time
from collections import Counter
from collections.abc import Mapping
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any, Final

from grammar import program
from judge import SECONDS, judged, limit_this_process
from minimise import kind, minimised
from mutation import corpus, mutated

WITH_WORKERS: Final = 25
"""Every so many programs are checked by worker processes, too."""
CONTEXT: Final[Any] = multiprocessing.get_context("fork")


def case(seed: int, number: int, files: list[Path]) -> dict[str, str]:
    """The program of that number."""
    random = Random(f"{seed} {number}")
    return mutated(random, files) if files and number % 2 else program(random)


def judge_alone(project: Mapping[str, str]) -> str:
    """What is wrong, found out by a process of its own, which may die of it."""
    ours, theirs = CONTEXT.Pipe()
    process = CONTEXT.Process(target=_judge_one, args=(theirs, project))
    process.start()
    theirs.close()
    try:
        return str(ours.recv()) if ours.poll(20 * SECONDS) else "hang outside of Python"
    except EOFError:
        return "the process died"
    finally:
        process.kill()
        process.join()
        ours.close()


def _judge_one(pipe: Connection, project: Mapping[str, str]) -> None:
    limit_this_process()
    pipe.send(judged(project))


def _judge_many(pipe: Connection, seed: int, start: int, files: list[Path]) -> None:
    """Tell of each program's number before it is judged, and what is wrong with it."""
    limit_this_process()
    number = start
    while True:
        pipe.send((number, None))
        if problem := judged(case(seed, number, files), number % WITH_WORKERS == 0):
            pipe.send((number, problem))
        number += 1


class Search:
    """One search: the programs so far, and the first that failed in each way."""

    def __init__(self, seed: int, seconds: float, files: list[Path]) -> None:
        self.seed = seed
        self.end = time.monotonic() + seconds
        self.files = files
        self.done = 0
        self.kinds: Counter[str] = Counter()
        self.first: dict[str, int] = {}

    def run(self) -> None:
        """Search until the time is over."""
        while time.monotonic() < self.end:
            self._run_process()

    def _run_process(self) -> None:
        """Have a process judge programs until it dies, hangs or the time is over."""
        ours, theirs = CONTEXT.Pipe(duplex=False)
        process = CONTEXT.Process(target=_judge_many, args=(theirs, self.seed, self.done, self.files))
        process.start()
        theirs.close()
        number = self.done
        try:
            while (left := self.end - time.monotonic()) > 0:
                if not ours.poll(min(left, 20 * SECONDS)):
                    if left > 20 * SECONDS:
                        self._note(number, "hang outside of Python")
                    break
                number, problem = ours.recv()
                if problem:
                    self._note(number, problem)
        except EOFError:
            self._note(number, "the process died")
        finally:
            self.done = number + 1
            process.kill()
            process.join()
            ours.close()

    def _note(self, number: int, problem: str) -> None:
        self.kinds[kind(problem)] += 1
        if self.first.setdefault(kind(problem), number) == number:
            print(f"program {number}: {problem}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=None, help="by default a fresh one, which is printed")
    parser.add_argument("--files", type=Path, action="append", metavar="FOLDER", help="where the real files are")
    parser.add_argument("--keep", type=Path, default=Path("fuzz-failures"), help="where what fails is kept")
    options = parser.parse_args()
    seed = secrets.randbelow(1 << 32) if options.seed is None else options.seed
    print(f"seed {seed}", flush=True)
    search = Search(seed, options.seconds, corpus(options.files or [Path(sysconfig.get_path("stdlib"))]))
    search.run()
    for problem, number in search.first.items():
        small = minimised(case(seed, number, search.files), judge_alone, options.seconds)
        _keep(options.keep / f"{seed}-{number}", small)
        print(f"\n{search.kinds[problem]} times, first program {number}: {problem}")
        print(
            "\n".join(f"--- {name}\n{text.encode(errors='backslashreplace').decode()}" for name, text in small.items())
        )
    print(f"{search.done} programs, {len(search.first)} ways to fail")
    return int(bool(search.first))


def _keep(folder: Path, project: Mapping[str, str]) -> None:
    for name, text in project.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8", "surrogatepass")


if __name__ == "__main__":
    sys.exit(main())
