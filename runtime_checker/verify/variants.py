"""Circumstances in which a fixed program has to compute what it did: other devices, no rows, half precision, traces."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any, Final, NamedTuple

from .examples import loaded, quietly, same
from .means import Means


class Variant(NamedTuple):
    """Circumstances: the device that the program is given, the number of rows, and what else holds meanwhile."""

    name: str
    device: str = "cuda"
    rows: int | None = None
    around: Callable[[], AbstractContextManager[object]] = nullcontext


@contextmanager
def _half() -> Iterator[None]:
    import torch

    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float16)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


@contextmanager
def _on_device() -> Iterator[None]:
    import torch

    with torch.device("cuda"):
        yield


VARIANTS: Final = (
    Variant("data on the device", around=_on_device),
    Variant("host as the target", "cpu"),
    Variant("no rows", rows=0),
    Variant("half precision", around=_half),
)
TRACED: Final = "traced"


def harmed(before: Path, after: Path, means: Means) -> list[str]:
    """Return the circumstances in which a program computes something else after it was fixed, or fails.

    Those in which it failed before tell nothing, nor those that a program does not take.
    """
    found = [each.name for each in VARIANTS if not _agree(before, after, lambda path: _result(path, each, means))]  # noqa: B023
    return found + ([] if _agree(before, after, _traced) else [TRACED])


def _agree(before: Path, after: Path, run: Callable[[Path], Any]) -> bool:
    try:
        wanted = run(before)
    except Exception:
        return True
    try:
        return same(wanted, run(after))
    except Exception:
        return False


def _result(path: Path, variant: Variant, means: Means) -> Any:
    """Return what a step of a program computes in some circumstances."""
    import torch

    with quietly(), means.device(), loaded(path) as module, variant.around():
        given = () if variant.rows is None else (variant.rows,)
        state = module.setup(torch.device(variant.device), *given)
        return _on_host(module.step(state))


def _on_host(value: Any) -> Any:
    """Return a result as it is without the device; numbers as tensors, of which NaN is equal to itself."""
    import torch

    if isinstance(value, (torch.Tensor, float)):
        return torch.as_tensor(value, device="cpu").detach()
    return [*map(_on_host, value)] if isinstance(value, (list, tuple)) else value


def _traced(path: Path) -> Any:
    """Return what a trace computes on the host that was made where no data is, of a program that takes rows."""
    import torch

    with quietly(), loaded(path) as module, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if "rows" not in inspect.signature(module.setup).parameters:
            return None
        state = module.setup(torch.device("cpu"))
        trace: Any = torch.jit.trace  # which has no annotations
        traced = trace(module.step, state.to("meta"), check_trace=False)
        return _on_host(traced(state))
