"""Every warning of torch's sync debug mode, seen where it is raised, whatever the program does to warnings.

C code emits a warning in three steps: it asks `warnings.filters`, remembers what it has shown, and calls
`warnings._showwarnmsg`. So three things are needed to see each one:

- a filter "always" in front, which also keeps Python from remembering. It is put back in front when the program adds
  filters, resets them or leaves a `catch_warnings`: these three are wrapped while we watch. A program that writes to
  the list `warnings.filters` itself is answered at the next wait (see `rearm`), where the GPU trace announces it.
- the hook in `_showwarnmsg`, not in `showwarning`: `catch_warnings(record=True)`, `logging.captureWarnings` and
  pytest replace the latter, and Python only reaches it through the former.
- the hook runs in the thread that called the operator, while that call is on the stack: its frames are the answer.
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable
from types import FrameType
from typing import Any, Final

SYNCHRONIZES: Final = "called a synchronizing CUDA operation"
"""The prefix of the debug mode's message."""
_PROTOTYPE: Final = "Synchronization debug mode is a prototype feature"
_PATTERN: Final = f"{SYNCHRONIZES}|{_PROTOTYPE}"
_FILTER: Final = ("always", re.compile(_PATTERN, re.IGNORECASE), UserWarning, None, 0)


def _filters() -> list[Any]:
    """Return the filters in force; since Python 3.14 they can belong to a context instead of the process."""
    of_context = getattr(warnings, "_get_filters", None)
    return of_context() if of_context else warnings.filters  # type: ignore[return-value]


class WarningHook:
    """Calls `seen` with the innermost frame at each warning of the debug mode; all others are passed on.

    `forward` passes these warnings on as well: someone else had switched the debug mode on before.
    """

    def __init__(self, seen: Callable[[FrameType], None]) -> None:
        self.forward = False
        self._seen = seen
        self._undo: list[Callable[[], None]] = []
        self._armed: list[list[Any]] = []

    def install(self) -> None:
        """Start seeing warnings."""
        names = warnings.filterwarnings.__globals__  # where `filterwarnings` and `simplefilter` look for it
        self._wrap_item(names, "_add_filter")
        self._replace(warnings, "resetwarnings", self._rearming(warnings.resetwarnings))
        self._replace(warnings.catch_warnings, "__exit__", self._leaving(warnings.catch_warnings.__exit__))
        shown = warnings._showwarnmsg  # type: ignore[attr-defined]
        self._replace(warnings, "_showwarnmsg", self._shower(shown))
        self.rearm()

    def uninstall(self) -> None:
        """Restore everything; what somebody else has wrapped since stays, and passes everything on."""
        while self._undo:
            self._undo.pop()()
        for filters in (*self._armed, _filters()):
            while _FILTER in filters:
                filters.remove(_FILTER)
        self._armed.clear()

    def rearm(self) -> None:
        """Move the filter to the front again if it is not there."""
        filters = _filters()
        if self._undo and (not filters or filters[0] != _FILTER):
            warnings.filterwarnings("always", _PATTERN, UserWarning)
            if not any(each is filters for each in self._armed):
                self._armed.append(filters)

    def _shower(self, shown: Callable[[Any], None]) -> Callable[[Any], None]:
        def show(message: Any) -> None:
            text = str(message.message)
            if self._undo and text.startswith(SYNCHRONIZES):
                self._seen(sys._getframe(1))
                if not self.forward:
                    return
            elif self._undo and text.startswith(_PROTOTYPE) and not self.forward:
                return
            shown(message)

        return show

    def _rearming(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            result = original(*args, **kwargs)
            # Our own filter comes through here as well, and is in front by now.
            self.rearm()
            return result

        return wrapper

    def _leaving(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """Return a wrapper for leaving a `catch_warnings`, which restores an older list of filters."""

        def wrapper(*args: Any, **kwargs: Any) -> Any:
            left = _filters()
            result = original(*args, **kwargs)
            self._armed = [each for each in self._armed if each is not left]
            self.rearm()
            return result

        return wrapper

    def _replace(self, owner: Any, name: str, replacement: object) -> None:
        original = getattr(owner, name)
        setattr(owner, name, replacement)

        def undo() -> None:
            if getattr(owner, name) is replacement:
                setattr(owner, name, original)

        self._undo.append(undo)

    def _wrap_item(self, names: dict[str, Any], name: str) -> None:
        original = names.get(name)
        if original is None:
            return
        replacement = names[name] = self._rearming(original)

        def undo() -> None:
            if names[name] is replacement:
                names[name] = original

        self._undo.append(undo)
