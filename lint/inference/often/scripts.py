"""Scripts that may run a Trainer of Lightning, which then calls the hooks of modules."""

from __future__ import annotations

from ...facts import lightning
from ...regex import regex

_FITS = regex(lightning.FITS)
_FITS_BY_TRAINER = regex(lightning.FITS_BY_TRAINER)


def fits(text: str) -> bool:
    """Whether a file may run a Trainer of Lightning: it names one, or fits what is no estimator of another library."""
    if "lightning" in text and any(each in text for each in lightning.TRAINERS):
        return True
    if "fit" not in text or _FITS.search(text) is None:
        return False
    return not any(each in text for each in lightning.OTHERS_THAT_FIT) or _FITS_BY_TRAINER.search(text) is not None
