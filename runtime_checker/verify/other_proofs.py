"""Proofs other than a wait: an exception, a wrong value, advice."""

from __future__ import annotations

from collections.abc import Callable
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


OTHER_PROOFS: Final[dict[str, Callable[[Example, Means], tuple[list[str], list[str]]]]] = {
    "SYNC304": reads_too_early,
    "SYNC404": raises_without_backend,
    "SYNC408": waits_more,
}
"""How else a rule is proven; the result is what it was seen by, and what is wrong."""
