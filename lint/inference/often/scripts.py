"""Scripts that use a model and train nothing: they generate, evaluate, measure or convert."""

from __future__ import annotations

import re

from ...facts import naming
from ...finding import Frequency, Level, Reason

_COMMAND_LINE = re.compile(naming.COMMAND_LINES)
_TRAINS = re.compile(naming.TRAINING_WORDS)


def only_uses(text: str) -> Frequency | None:
    """Return evaluation for a script of whose text nothing speaks of training; None for anything else."""
    if "__main__" not in text or _COMMAND_LINE.search(text) is None or _TRAINS.search(text) is not None:
        return None
    return Frequency(Level.EVALUATION, (Reason("it is in a script that trains nothing: taken for inference"),), True)
