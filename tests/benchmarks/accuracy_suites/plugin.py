"""What pytest does besides running the tests: each has its time, and what it is the first to run is written down."""

from __future__ import annotations

import json
import random
import signal
from collections import Counter
from collections.abc import Iterator
from types import FrameType
from typing import IO, Any, Final

import pytest
import torch
from synclint.runtime_checker.observe import Wait, Watcher

from .trace import CONSTRUCTORS, Rows, Tracer

PARAMETERS: Final = 3
"""How many sets of parameters of one test function are run; more of them seldom run other lines."""


class TooLongError(BaseException):
    """A test took too long. Not an Exception, so that no test goes on."""


class Plugin:
    """Writes a JSON object for each test: the rows that no test of the file had run before, and all waits."""

    def __init__(self, watcher: Watcher, tracer: Tracer, root: str, file: IO[str], seconds: int) -> None:
        self._watcher, self._tracer, self._root, self._file, self._seconds = watcher, tracer, root, file, seconds
        self._told: dict[str, set[tuple[str, int]]] = {"rows": set(), "reached": set()}
        self._outcomes: dict[str, str] = {}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Of each test function only some sets of parameters run: first one of each, then the next of each."""
        count: Counter[str] = Counter()
        order = []
        for item in items:
            name = item.nodeid.partition("[")[0]
            order.append(count[name])
            count[name] += 1
        chosen = [(at, item) for at, item in zip(order, items) if at < PARAMETERS]
        items[:] = [item for _, item in sorted(chosen, key=lambda each: each[0])]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: object) -> Iterator[None]:
        """A test with its fixtures."""
        torch.manual_seed(0)
        random.seed(0)
        signal.signal(signal.SIGPROF, _stop)
        signal.setitimer(signal.ITIMER_PROF, self._seconds)
        self._tracer.start()
        try:
            return (yield)
        finally:
            self._tracer.stop()
            signal.setitimer(signal.ITIMER_PROF, 0)
            self._write(item.nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A part of a test has ended: the worst counts."""
        if report.when == "call" or report.outcome != "passed":
            self._outcomes[report.nodeid] = report.outcome

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A file that cannot be collected has no tests; what went wrong is told."""
        if report.failed:
            self._outcomes[report.nodeid] = "error"
            error = str(report.longrepr).strip().rpartition("\n")[2][:300]
            print(json.dumps({"program": report.nodeid, "error": error}), file=self._file, flush=True)

    def pytest_sessionfinish(self) -> None:
        """All tests of the file have ended."""
        print(json.dumps({"outcomes": Counter(self._outcomes.values())}), file=self._file, flush=True)

    def _write(self, name: str) -> None:
        waits = [each for each in self._watcher.waits if self._counts(each)]
        self._watcher.waits.clear()
        record = {
            "program": name,
            "rows": self._news("rows", self._tracer.ran),
            "reached": self._news("reached", self._tracer.reached),
            "waits": [(*key, count) for key, count in Counter(map(_key, waits)).items()],
        }
        print(json.dumps(record), file=self._file, flush=True)

    def _counts(self, wait: Wait) -> bool:
        """Whether a wait is in the package, and not in something that is being constructed."""
        return wait.filename.startswith(self._root) and not any(
            function in CONSTRUCTORS and filename.startswith(self._root) for filename, _, function in wait.stack
        )

    def _news(self, what: str, rows: Rows) -> dict[str, list[int]]:
        """The rows that were not written yet."""
        known, found = self._told[what], {}
        for filename, seen in [*rows.items()]:
            if news := sorted(row for row in [*seen] if (filename, row) not in known):
                found[filename] = news
                known.update((filename, row) for row in news)
        return found


def _key(wait: Wait) -> tuple[Any, ...]:
    return (*wait.place, wait.operator, wait.kind)


def _stop(_: int, __: FrameType | None) -> None:
    raise TooLongError("the test took too long")
