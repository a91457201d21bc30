"""Summarizes files, each by itself, in one process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..files import regular
from ..files.modules import Modules
from ..output.text import escape
from .parts import PartError
from .summary import summarized


def summarize(paths: Mapping[str, str], others: Sequence[str]) -> tuple[bytes, list[str]]:
    """Return the summaries of files, whose paths are given by their names, and a line for each error of ours.

    `others` are names that imports may refer to; without any, those of a file do not depend on which files are
    summarized together. Raises PartError for a file that cannot be read.
    """
    every = Modules("", {*others, *paths}) if others else None
    records, failures = [], []
    for name in sorted(paths):
        record, checked = summarized(name, _content(paths[name]), every or Modules("", [name]))
        records.append(record)
        if checked.failure is not None:
            failures.append(
                f"{escape(name)}: internal error in {checked.failure.part}: {escape(checked.failure.error)}"
            )
    return b"".join(records), failures


def _content(path: str) -> bytes:
    try:
        return regular.read(path)
    except OSError as error:
        raise PartError(f"{path}: {error.strerror or error}") from error
