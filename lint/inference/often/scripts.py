"""Scripts that use a model and train nothing: they generate, evaluate, measure or convert."""

from __future__ import annotations

from ...facts import naming
from ...finding import Frequency, Level, Reason
from ...regex import regex

_COMMAND_LINE = regex(naming.COMMAND_LINES)
_TRAINS = regex(naming.TRAINING_WORDS)


def only_uses(text: str) -> Frequency | None:
    """Return evaluation for a script of whose text nothing speaks of training; None for anything else."""
    if "__main__" not in text or _COMMAND_LINE.search(text) is None or _TRAINS.search(text) is not None:
        return None
    return Frequency(Level.EVALUATION, (Reason("it is in a script that trains nothing: taken for inference"),), True)
