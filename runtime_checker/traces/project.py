"""The program whose runs were traced: its files, its operations, and the findings about it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from ...lint.finding import Finding, Kind
from ...lint.run.discovery import discover
from ...lint.run.engine import run as check_files
from ...lint.run.file import File
from ...lint.settings.configurations import Configurations
from ...lint.settings.files import find_settings
from ...lint.settings.selection import chosen_rules
from .joining import Joined, join
from .places import places_of
from .profiled import trace_of_profiler
from .waits import Trace


class Project:
    """A program, read once for all of its traces. Raises ConfigError."""

    def __init__(self, path: str) -> None:
        settings = find_settings(Path(path))
        self.top = settings.top
        self.files = discover([path], Configurations(settings)).files
        given = [File(name, named=True) for name in self.files]
        result = check_files(given, settings, chosen_rules([settings.layer], settings.plugins), jobs=1)
        self._places = cache(places_of)
        self.findings: list[Finding] = [each for each in result.findings if each.kind in (Kind.STALL, Kind.SETUP)]

    def join(self, trace: Trace) -> Joined:
        """Return where the waits of a trace are."""
        return join(trace, self.files, self._places, self.findings)


def join_profile(profiler: Any, project: str = ".") -> Joined:
    """Return what `synclint trace` tells of the trace that a `torch.profiler.profile` exports, without a file.

    The profiler has stopped, or is that of `on_trace_ready`, and was made `with_stack=True`. `project` is the directory
    or file of the program's source. A profiler knows more lines than its trace does, so more matches are exact.
    """
    trace = trace_of_profiler(profiler)  # at once: torch does not keep the names of all events for long
    return Project(project).join(trace)
