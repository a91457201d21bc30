"""Proofs other than a wait: an exception, a wrong value, advice."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from .examples import Example, loaded, quietly, same

if TYPE_CHECKING:
    from .means import Means, Watch

NO_BACKEND: Final = "No backend type associated with device type cpu"
STEPS: Final = 4
BUSY: Final = 500_000_000
"""The clock cycles for which a GPU is kept busy: about a quarter of a second."""


def raises_without_backend(example: Example, means: Means) -> tuple[list[str], list[str]]:
    """Check that the hazard fails because the process group has no CPU backend, and that the fix runs."""
    why = []
    error = _failure(example.hazard.path, means)
    if error is None or NO_BACKEND not in str(error):
        why.append(f"hazard.py should fail with `{NO_BACKEND}`, but {_said(error)}")
    error = _failure(example.fixed.path, means)
    if error is not None:
        why.append(f"fixed.py should run, but {_said(error)}")
    return ["exception"], why


def waits_more(example: Example, means: Means) -> tuple[list[str], list[str]]:
    """Check that the hazard waits more often than the fix, at least once per marked line: both wait during set-up."""
    first = next(iter(means.ways.values()))
    hazard, fixed = (_count(program.path, first, means) for program in (example.hazard, example.fixed))
    marked = sum(not mark.wait for mark in example.hazard.marks)
    found = f"{hazard - fixed} waits more"
    return [found], ([] if hazard - fixed >= marked else [f"hazard.py waits {hazard} times, fixed.py {fixed} times"])


def reads_too_early(example: Example, means: Means) -> tuple[list[str], list[str]]:
    """Check that the hazard reads without waiting and the fix waits; on a busy GPU the hazard's values are old."""
    first = next(iter(means.ways.values()))
    hazard, fixed = (_count(program.path, first, means) for program in (example.hazard, example.fixed))
    why = [] if hazard == 0 < fixed else [f"hazard.py should not wait, but waits {hazard} times"]
    if not means.lags:
        return ["no wait before the read"], why
    early, late = (_result_when_busy(program.path, means) for program in (example.hazard, example.fixed))
    if same(early, late):
        why.append("hazard.py should read old values")
    return ["wrong value"], why


def _result_when_busy(path: Path, means: Means) -> object:
    """Return what a step returns that finds the GPU busy."""
    import torch

    with quietly(), means.device(), loaded(path) as module:
        state = module.setup(torch.device("cuda"))
        for _ in range(STEPS):
            module.step(state)
        torch.cuda.synchronize()
        torch.cuda._sleep(BUSY)  # type: ignore[no-untyped-call]
        return module.step(state)


def _count(path: Path, watch: Watch, means: Means) -> int:
    """Return how often the second step of a program waits."""
    import torch

    with quietly(), means.device(), loaded(path) as module:
        state = module.setup(torch.device("cuda"))
        module.step(state)
        with watch((str(path),)) as watcher:
            module.step(state)
    return len(watcher.waits)


def _said(error: Exception | None) -> str:
    return "ran" if error is None else f"raised {type(error).__name__}: {error}"


def _failure(path: Path, means: Means) -> Exception | None:
    """Return the exception of a program's steps, with its process group destroyed again."""
    import torch

    with quietly(), means.device(), loaded(path) as module:
        try:
            state = module.setup(torch.device("cuda"))
            for _ in range(STEPS):
                module.step(state)
        except ImportError:
            raise
        except Exception as error:
            return error
        finally:
            if torch.distributed.is_available() and torch.distributed.is_initialized():
                torch.distributed.destroy_process_group()
    return None


def fails_in_capture(example: Example, means: Means) -> tuple[list[str], list[str]]:
    """Check that the hazard raises at a marked line while a CUDA graph is captured, and that the fix runs."""
    error, why = _failure(example.hazard.path, means), []
    rows = {row for each in _chain(error) for row in _rows(each, example.hazard.path)}
    if not rows & {mark.row for mark in example.hazard.marks}:
        why.append(f"hazard.py should fail at a marked line, but {_said(error)}")
    if (error := _failure(example.fixed.path, means)) is not None:
        why.append(f"fixed.py should run, but {_said(error)}")
    return ["exception"], why


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an exception, and those that were being handled when it was raised: the end of a capture raises again."""
    while error is not None:
        yield error
        error = error.__context__


def _rows(error: BaseException, path: Path) -> Iterator[int]:
    """Yield the rows of a file that an exception went through."""
    return (row for frame, row in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == str(path))


def replays_old(example: Example, means: Means) -> tuple[list[str], list[str]]:
    """Check that replays in the hazard compute with what was captured, so that it computes something else."""
    old, right = (_result(program.path, means) for program in (example.hazard, example.fixed))
    return ["wrong value"], ["hazard.py and fixed.py compute the same"] if same(old, right) else []


def _result(path: Path, means: Means) -> object:
    """Return what the first step of a program returns."""
    import torch

    with quietly(), means.device(), loaded(path) as module:
        return module.step(module.setup(torch.device("cuda")))


OTHER_PROOFS: Final[dict[str, Callable[[Example, Means], tuple[list[str], list[str]]]]] = {
    "SYNC304": reads_too_early,
    "SYNC404": raises_without_backend,
    "SYNC408": waits_more,
    **dict.fromkeys(("SYNC701", "SYNC702", "SYNC703", "SYNC704", "SYNC705"), fails_in_capture),
    **dict.fromkeys(("SYNC706", "SYNC707"), replays_old),
}
"""How else a rule is proven; the result is what it was seen by, and what is wrong."""
