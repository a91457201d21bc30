"""Scripts that train nothing: they generate, evaluate, measure or convert, or try what a file defines."""

from __future__ import annotations

from ...facts import lightning, lookups, places
from ...finding import Frequency, Level, Reason
from ...regex import regex

_PAGE = regex(places.PAGES)
_COMMAND_LINE = regex(places.COMMAND_LINES)
_SPEAKS_OF_TRAINING = regex(places.TRAINING_WORDS)
_SELF_TEST = regex(lookups.SELF_TEST)
_NO_SELF_TEST = regex(lookups.NO_SELF_TEST)
_OPTIMIZES = regex(lookups.STEPS_OF_OPTIMIZER)
_FITS = regex(lightning.FITS)
_FITS_BY_TRAINER = regex(lightning.FITS_BY_TRAINER)
_MOVES = regex(lookups.MOVES_TO_DEVICE)


def only_uses(text: str) -> Frequency | None:
    """Return evaluation for a page, or a script, of whose text nothing speaks of training; None for anything else."""
    if _is_page(text) and _SPEAKS_OF_TRAINING.search(text) is None:
        return Frequency(Level.EVALUATION, (Reason("it is on a page on which people ask for results"),), True)
    if "__main__" not in text or _COMMAND_LINE.search(text) is None or _SPEAKS_OF_TRAINING.search(text) is not None:
        return None
    return Frequency(Level.EVALUATION, (Reason("it is in a script that trains nothing: taken for inference"),), True)


def trains(text: str) -> bool:
    """Whether a file trains something, or is part of what does, by its text without comments."""
    return any(each in text for each in places.TRAINING)


def fits(text: str) -> bool:
    """Whether a file may run a Trainer of Lightning: it names one, or fits what is no estimator of another library."""
    if "lightning" in text and any(each in text for each in lightning.TRAINERS):
        return True
    if "fit" not in text or _FITS.search(text) is None:
        return False
    return not any(each in text for each in lightning.OTHERS_THAT_FIT) or _FITS_BY_TRAINER.search(text) is not None


def _is_page(text: str) -> bool:
    return any(each in text for each in places.PAGE_LIBRARIES) and _PAGE.search(text) is not None  # seldom in the text


def tries_itself(text: str) -> bool:
    """Whether the text of `if __name__ == "__main__":` only tries what is in its file, on data that it makes up."""
    if _SELF_TEST.search(text) is None or _NO_SELF_TEST.search(text) is not None:
        return False
    return _OPTIMIZES.search(text) is None or _MOVES.search(text) is None
