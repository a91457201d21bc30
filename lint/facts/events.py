"""Names of methods that call-backs have, by the event after which they are called, and how often that comes.

Sources: PyTorch Lightning 2.6 `Callback`, fastai 2.8 `callback/core.py`, MMEngine 0.10 `hooks/hook.py`, Composer 0.32
`core/event.py`, Catalyst 22.4 `core/callback.py`, Keras; the same words are used in callbacks of projects.
"""

from __future__ import annotations

from typing import Final

from ..finding import Level

_WHEN: Final = r"^(?:on|before|after)_"
_END: Final = r"(?:_(?:start|begin|end))?$"

EVENTS: Final[tuple[tuple[str, Level, str], ...]] = (
    (
        rf"{_WHEN}(?:\w+_)?(?:val|valid|validate|validation|eval|evaluate|evaluation|test|predict|prediction)(?:_\w+)?$",
        Level.EVALUATION,
        "evaluation",
    ),
    (rf"{_WHEN}(?:train_|training_)?epoch{_END}", Level.EVERY_EPOCH, "each epoch"),
    (
        rf"{_WHEN}(?:fit|train|training|run|stage|experiment|exception|setup|init|sanity_check){_END}",
        Level.ONCE,
        "the whole run",
    ),
    (
        rf"{_WHEN}(?:train_|training_)?(?:batch|step|iter|iteration|backward|optimizer_step|loss|zero_grad){_END}",
        Level.EVERY_STEP,
        "each step",
    ),
)
"""Patterns for names of such methods, how often they run, and what they belong to."""
