"""What each function calls once, each time that it runs: what trains there, makes it train."""

from __future__ import annotations

from collections import defaultdict
from typing import Final

from ...rule import OF_ANYTHING
from .summary import CallSite, FileSummary

MOST_CALLS: Final = 16
"""So many calls of a function are followed."""


def note_called(summary: FileSummary) -> None:
    """Note what each function calls, unless what is in it tells already whether it trains."""
    called: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for site in summary.calls:
        if _is_plain(site):
            called[site.caller][site.callee] = None
    for name, function in summary.functions.items():
        if name in called and not (function.training or function.stepping):
            function.calls = tuple(called[name])[:MOST_CALLS]


def _is_plain(site: CallSite) -> bool:
    """Whether a call is made each time that the function around it runs, and once."""
    local = site.local
    is_call = not (site.passed or site.callee.startswith(OF_ANYTHING))
    return is_call and not (local.repeats or local.optional) and local.level is None and local.cap is None
