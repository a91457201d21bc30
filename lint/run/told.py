"""Analyses of files as they are stored, and what they tell others: all of it, its places, and what else there is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from types import ModuleType
from typing import Any

from ..store.encoding import Store, StoreError
from .file import Checked
from .moved import Place


@cache
def analyses_store() -> Store:
    """Return the store for analyses."""
    from .. import finding
    from ..files import source
    from ..inference.notes import mentions, operations, summary
    from ..inference.often import regions
    from ..inference.values import lattice, ops, union
    from ..settings import versions
    from ..suppression import suppress
    from . import file

    modules = (file, finding, source, suppress, versions, regions, lattice, mentions, operations, summary, ops, union)
    return Store([each for module in modules for each in data_classes(module)], [union.UNKNOWN])


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


def without_places(text: str) -> str:
    """Return what an analysis tells others, without the rows and columns of places."""
    return json.dumps([row[:2] if _is_place(row) else row for row in _told(text)])


def places_in(text: str) -> list[Place] | None:
    """Return the places in what an analysis tells others, in their order; None if there is no analysis."""
    if not text:
        return None
    return [(row[2], row[3], row[4], row[5]) for row in _told(text) if _is_place(row) and not row[1]]


def _told(text: str) -> list[Any]:
    """Return the part of a stored analysis that tells others something, as it is stored."""
    rows = json.loads(text.partition("\n")[0])
    summary = rows[-1][[field.name for field in fields(Checked)].index("summary") + 1]
    told: list[Any] = rows[: summary + 1]
    return told


def _is_place(row: Any) -> bool:
    return type(row) is list and row[0] == _kind_of_places()


@cache
def _kind_of_places() -> int:
    from ..finding import Span

    return analyses_store().kinds[Span]
