"""Analyses of files as they are stored, and what they tell others: all of it, its places, and what else there is."""

from __future__ import annotations

import json
import marshal
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from types import ModuleType
from typing import Any, Final, TypeAlias

from ..store.encoding import Store, StoreError
from .file import Checked
from .moved import Place

Rows: TypeAlias = list[Any]
"""The rows of an analysis that are no late ones, as they are stored (see `encoding`)."""
_WITHOUT_REFERENCES: Final = 2
"""A version of the format whose bytes depend on nothing but the values."""


@cache
def analyses_store() -> Store:
    """Return the store for analyses."""
    from .. import finding, offers
    from ..files import source
    from ..inference.notes import mentions, operations, summary
    from ..inference.often import local
    from ..inference.values import lattice, ops, union
    from ..settings import versions
    from ..suppression import suppress
    from . import file

    plain = (file, finding, offers, source, suppress, versions)
    of_inference = (local, lattice, mentions, operations, summary, ops, union)
    classes = [each for module in (*plain, *of_inference) for each in data_classes(module)]
    return Store(classes, [union.UNKNOWN])


def data_classes(module: ModuleType) -> Iterator[type]:
    """Yield the classes that a module defines."""
    for each in vars(module).values():
        if isinstance(each, type) and each.__module__ == module.__name__:
            yield each


def analysis_in(text: str, name: str) -> Checked | None:
    """Return the analysis of a file by that name; None if the text is not what was stored."""
    try:
        checked: Checked = analyses_store().read(text, name)
    except StoreError:
        return None
    return checked


def without_places(rows: Rows) -> bytes:
    """Return what an analysis with these rows exports, without the rows and columns of places."""
    place = _kind_of_places()
    return marshal.dumps([row[:2] if _is_of(place, row) else row for row in _told(rows)], _WITHOUT_REFERENCES)


def places_in(text: str) -> list[Place] | None:
    """Return the places in what an analysis tells others, in their order; None if there is no analysis."""
    if not text:
        return None
    place, rows = _kind_of_places(), json.loads(text.partition("\n")[0])
    return [(row[2], row[3], row[4], row[5]) for row in _told(rows) if _is_of(place, row) and not row[1]]


def _told(rows: Rows) -> Rows:
    """Return the part of an analysis that is exported to other files."""
    summary = rows[-1][[field.name for field in fields(Checked)].index("summary") + 1]
    return rows[: summary + 1]


def _is_of(kind: int, row: Any) -> bool:
    return type(row) is not str and row is not None and row[0] == kind


@cache
def _kind_of_places() -> int:
    from ..finding import Span

    return analyses_store().kinds[Span]
