"""Files analysed here and in worker processes, which may die or hang."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from synclint.lint.bounds import limit
from synclint.lint.run import project, workers
from synclint.lint.run.file import Checked, File
from synclint.lint.run.project import check_file, check_files

pytestmark = pytest.mark.usefixtures("inference")

timers = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no timers of processor time")
forks = pytest.mark.skipif(sys.platform != "linux", reason="the stand-in reaches workers by forking only")


def write(here: Path, **texts: str) -> list[File]:
    for name, text in texts.items():
        (here / f"{name}.py").write_text(text)
    return [File(f"{name}.py") for name in texts]


def by_name(results: Sequence[Checked]) -> dict[str, Checked]:
    assert len({each.filename for each in results}) == len(results)
    return {each.filename: each for each in results}


def test_one_file(here: Path) -> None:
    (file,) = write(here, a="import torch\nwait_101()\n")
    checked = check_file(file)
    assert checked.summary is not None
    assert len(checked.summary.operations) == 1


def test_a_file_that_cannot_matter(here: Path) -> None:
    (file,) = write(here, a="import numpy\n")
    assert check_file(file) == Checked("a.py")


def test_an_error_of_our_own_is_an_answer(here: Path) -> None:
    (file,) = write(here, a="import torch\nbug()\n")
    failure = check_file(file).failure
    assert failure is not None
    assert (failure.part, failure.error) == ("the analysis", "KeyError: 'a bug of ours'")
    assert "Traceback" in failure.trace


def test_deep_recursion_gets_a_deep_stack(here: Path) -> None:
    (file,) = write(here, a="import torch\ndeep()\nwait_101()\n")
    assert check_file(file).summary is not None


def test_recursion_without_end_is_a_diagnostic(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (file,) = write(here, a="import torch\ndeep()\n")
    monkeypatch.setattr(project, "in_deep_stack", lambda call: call())
    unreadable = check_file(file).unreadable
    assert unreadable is not None
    assert "nested too deeply" in unreadable.message


@forks
def test_workers_find_the_same(here: Path) -> None:
    texts = {f"f{number}": f"import torch\n{'wait_101()' * (number % 3)}\n" for number in range(30)}
    files = write(here, **texts)
    alone, together = by_name(list(check_files(files, 1))), by_name(list(check_files(files, 3)))
    assert repr(sorted(alone.items())) == repr(sorted(together.items()))


@forks
def test_a_worker_that_dies_costs_one_file(here: Path) -> None:
    files = write(here, a="import torch", b="import torch\ndie()", c="import torch", d="import torch\ndie()", e="torch")
    results = by_name(list(check_files(files, 2)))
    dead = {name for name, each in results.items() if each.unreadable}
    assert dead == {"b.py", "d.py"}
    assert len(results) == 5
    problem = results["b.py"].unreadable
    assert problem is not None
    assert "crashed the process that analysed it" in problem.message


@forks
def test_a_worker_that_hangs_costs_one_file(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "PATIENCE", 0.5)
    assert "took longer than 0.5 s" in what_became_of("hang()", here, jobs=2)


@forks
def test_a_worker_that_computes_too_long_costs_one_file(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "end_after_limit", lambda: limit.end_after_limit(1))
    assert "s of processor time" in what_became_of("compute()", here, jobs=2)


@timers
def test_a_file_that_computes_too_long_is_given_up_in_one_process_too(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limit, "SECONDS", 0)
    assert "took longer than 0 s of processor time" in what_became_of("compute()", here, jobs=1)


@timers
def test_the_limit_reaches_a_deep_stack(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limit, "SECONDS", 0)
    assert "took longer than" in what_became_of("deep()\ncompute()", here, jobs=1)


def what_became_of(text: str, here: Path, jobs: int) -> str:
    """What is said of a file with this text; its neighbours are not disturbed."""
    files = write(here, a="import torch", b=f"import torch\n{text}", c="import torch", d="torch")
    results = by_name(list(check_files(files, jobs)))
    assert {name for name, each in results.items() if each.unreadable} == {"b.py"}
    problem = results["b.py"].unreadable
    assert problem is not None
    return problem.message


def test_without_workers_the_work_is_done_here(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise BlockingIOError("no more processes")

    monkeypatch.setattr(workers, "Worker", refused)
    assert len(list(check_files(write(here, a="import torch", b="import torch"), 2))) == 2


@forks
def test_workers_that_die_at_once_are_done_without(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_serve", lambda pipe: None)
    results = list(check_files(write(here, a="import torch", b="import torch"), 2))
    assert all(each.summary for each in results)
    assert len(results) == 2


def test_few_files_start_no_process(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "Worker", lambda: pytest.fail("started a process"))
    assert len(list(check_files(write(here, a="import torch", b="import torch")))) == 2


@forks
@pytest.mark.parametrize("at", ["time.sleep(100)", "exec('while True: pass')"])
@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGTERM])
def test_workers_end_with_their_parent(here: Path, at: str, by: signal.Signals) -> None:
    write(here, **{f"f{number}": "import torch" for number in range(4)})
    program = (
        "import os, sys, time\nfrom synclint.lint import cli\nfrom synclint.lint.run import project, workers\n"
        f"def hang(file):\n    open(f'{{os.getpid()}}.pid', 'w')\n    {at}\n"
        "project.check_file = workers.check_file = hang\n"
        "sys.argv = ['synclint', 'check', '--jobs', '3', '.']\ncli.main()\n"
    )
    running = subprocess.Popen([sys.executable, "-c", program])
    until(lambda: len(list(here.glob("*.pid"))) == 3)
    running.send_signal(by)
    running.wait()
    until(lambda: not any(Path(f"/proc/{each.stem}").exists() for each in here.glob("*.pid")))


def until(condition: Callable[[], bool]) -> None:
    """Wait for a condition, and fail if it is not met for long."""
    for _ in range(300):
        if condition():
            return
        time.sleep(0.1)
    pytest.fail("waited for 30 s")
