"""Fixes that are kept between runs: those of a run depend on what is reported, and on the text of the files."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from ..finding import Finding
from ..offers import Fix
from ..run.cache import Cache, findings_store
from ..run.file import Project
from ..store.digests import digest
from ..store.encoding import StoreError
from ..store.folder import FILES
from ..task import Task

_NAME: Final = f"{digest(['fixes'])}.json"


class Kept:
    """The fixes of findings, by their places among these."""

    def __init__(self, task: Task, lines: Callable[[str], Sequence[str]], findings: Sequence[Finding]) -> None:
        self._folder = Cache(Project(str(task.settings.top.absolute()), cache=str(task.cache or ""))).folder
        files = dict.fromkeys(each.span.filename for each in findings)
        asked = (repr((each.span, each.offers)) for each in findings)
        self._digest = digest([*("\n".join(lines(name)) for name in files), *asked]) if self._folder else ""

    def get(self) -> dict[int, Fix] | None:
        """Return what an earlier run made; None if that is unknown."""
        head, _, text = self._folder.read(FILES, _NAME).partition("\n") if self._folder else ("", "", "")
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
            self._folder.write(FILES, _NAME, [f"{self._digest}\n{text}"])
