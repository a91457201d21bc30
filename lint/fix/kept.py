"""Fixes that are kept between runs: what a file's fixes are depends on its text and on what is reported there alone."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any

from ..files.paths import relative
from ..finding import Finding, Fix
from ..run.cache import Cache, findings_store
from ..store.digests import digest
from ..store.encoding import StoreError
from ..store.folder import FILES


class Kept:
    """The fixes of one file's findings, by their places among these."""

    def __init__(self, cache: Cache, filename: str, lines: Sequence[str], findings: Sequence[Finding]) -> None:
        self._folder = cache.folder
        self._name = f"{digest(['fixes', relative(filename, cache.project.root)])}.json"
        asked = (repr((each.span, each.offers)) for each in findings)
        self._digest = digest(["\n".join(lines), *asked]) if self._folder else ""

    def get(self) -> dict[int, Fix] | None:
        """Return what an earlier run made; None if that is unknown."""
        head, _, text = self._folder.read(FILES, self._name).partition("\n") if self._folder else ("", "", "")
        if not head or head != self._digest:
            return None
        try:
            found: Any = findings_store().read(text, "")
        except StoreError:
            return None
        return {at: fix for at, fix in found if isinstance(fix, Fix)} if isinstance(found, tuple) else None

    def keep(self, fixes: Mapping[int, Fix]) -> None:
        """Store what was made; if that fails, it is made again next time."""
        if self._folder is None:
            return
        with contextlib.suppress(StoreError, OSError):
            text = findings_store().write(tuple(fixes.items()), "")
            self._folder.write(FILES, self._name, [f"{self._digest}\n{text}"])
