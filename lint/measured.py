"""What a recorded run has seen of a line: plain data that a finding carries."""

from __future__ import annotations

from datetime import date

from .plain import dataclass


@dataclass(frozen=True, slots=True)
class Measured:
    """The waits of a line in a recorded run, or how often it ran without any.

    `waits` and `ms` are those of a measured step or, in a program without steps, of the whole run; `ms` is None where
    the device has no clock. `count` are the waits of the whole run, `reached` how often the line ran in it.
    """

    device: str
    date: str
    steps: int
    waits: float
    ms: float | None
    count: int
    reached: int

    @property
    def every_step(self) -> bool:
        """Whether the line waited in about every step."""
        return self.steps > 0 and self.waits >= 0.95

    @property
    def cost(self) -> tuple[float, ...]:
        """What orders findings, the most expensive first: by the time that the host was blocked, then by waits."""
        return (0, -(self.ms or 0.0), -self.waits) if self.count else NOT_MEASURED

    @property
    def words(self) -> str:
        """What was seen, in words: `measured: 3.1 ms/step, 1 wait/step on NVIDIA H100 (run of …)`."""
        day = date.fromisoformat(self.date)
        steps = f", {self.steps} step{'' if self.steps == 1 else 's'}" if self.steps else ""
        where = f"on {self.device} (run of {day.day} {day:%B} {day.year}{steps})"
        if not self.count:
            return f"it ran {self.reached} times without a wait {where}"
        if self.steps and not self.waits:
            return f"measured: {_waits(self.count)} outside of the steps {where}"
        per = "/step" if self.steps else ""
        times = "" if self.ms is None else f"{self.ms:.3g} ms{per}, "
        return f"measured: {times}{_waits(self.waits)}{per} {where}"


NOT_MEASURED = (1.0, 0.0, 0.0)
"""The cost of what no run has seen wait."""


def _waits(number: float) -> str:
    return f"{number:.4g} wait{'' if number == 1 else 's'}"
