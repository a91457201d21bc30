"""How a program is run."""

from __future__ import annotations

from dataclasses import dataclass

from ...lint.output.targets import Target
from .limits import Limits


@dataclass(frozen=True, slots=True)
class Options:
    """How to run: the device, after how many steps to stop, how many not to count, and the outputs by format."""

    device: str = "auto"
    steps: int | None = None
    warmup: int = 3
    outputs: tuple[Target, ...] = ()
    trace: str = ""
    record: str = ""
    limits: Limits = Limits()
