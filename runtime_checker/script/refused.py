"""What captures of CUDA graphs forbid, place by place, while the program goes on."""

from __future__ import annotations

import os

from ..device import DeviceError, is_emulated
from ..observe import here


def refused_from_now_on(roots: tuple[str, ...]) -> list[str]:
    """Return a list that each place is added to where a capture fails, in words; the program goes on there.

    Raises DeviceError where the device is not the emulated one.
    """
    if not is_emulated():
        raise DeviceError("only the emulated device can keep going where a capture fails; add `--device emulated`")
    from ..emulated.load import forgive

    found: list[str] = []

    def heard(error: str) -> None:
        at = here(roots)
        why = error.partition(". ")[0].rstrip(".")
        words = f"{os.path.relpath(at.filename)}:{at.row}: fails in the capture of a CUDA graph: {why}."
        if words not in found:
            found.append(words)

    forgive(heard)
    return found
