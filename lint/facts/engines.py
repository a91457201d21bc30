"""Engines of Ignite: what they call for each batch, and after which of their events.

Source: Ignite 0.5 `ignite/engine/engine.py` (`Engine.__init__`, `on`, `add_event_handler`, `_run_once_on_dataset`)
and `ignite/engine/events.py` (`Events`, `CallableEventWithFilter.__call__`).
"""

from __future__ import annotations

from typing import Final

from ..finding import Level
from .callbacks import Callback

_STEP: Final = Callback(0, "process_function", ("unknown", "loaded"), "batch", "an engine calls it for each batch")

ENGINES: Final[dict[str, Callback]] = {f"ignite.engine.{name}": _STEP for name in ("Engine", "engine.Engine")}
"""Class -> how its objects call the function they are given."""

LISTENING: Final = frozenset(("on", "add_event_handler"))
"""Methods of an engine that take an event, and what is called after it."""

EVENT_CLASSES: Final = ("ignite.engine.Events.", "ignite.engine.events.Events.")

EVENTS: Final[dict[str, Level]] = {
    name: level
    for level, names in (
        (Level.EVERY_STEP, ("ITERATION_STARTED", "ITERATION_COMPLETED", "GET_BATCH_STARTED", "GET_BATCH_COMPLETED")),
        (
            Level.EVERY_EPOCH,
            ("EPOCH_STARTED", "EPOCH_COMPLETED", "DATALOADER_STOP_ITERATION", "TERMINATE_SINGLE_EPOCH"),
        ),
        (Level.ONCE, ("STARTED", "COMPLETED", "TERMINATE", "INTERRUPT", "EXCEPTION_RAISED")),
    )
    for name in names
}
"""Event -> how often it comes while an engine runs."""

FILTERS: Final[dict[str, Level]] = {
    "every": Level.EVERY_N_STEPS,
    "event_filter": Level.EVERY_N_STEPS,
    "once": Level.ONCE,
}
"""Keyword of a call of an event -> how often it is let through at most."""
