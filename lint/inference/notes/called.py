"""What each function calls: what trains there, makes it train, and what runs a model, makes it use that."""

from __future__ import annotations

from collections import defaultdict

from ...limits import MOST_CALLED
from .summary import CallSite, FileSummary


def note_called(summary: FileSummary) -> None:
    """Note what each function calls, unless what is in it tells already what these could tell."""
    plain: defaultdict[str, dict[str, None]] = defaultdict(dict)
    others: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for site in summary.calls:
        if not (site.passed or site.on_anything or ":" in site.callee):
            (plain if _is_plain(site) else others)[site.caller][site.callee] = None
    for name, function in summary.functions.items():
        if name in plain and not (function.training or function.stepping):
            function.calls = MOST_CALLED.first(tuple(plain[name]))
        if not (function.looping or function.training):
            more = plain[name] | others[name] if function.stepping else others[name]
            function.others = MOST_CALLED.first(tuple(more))


def _is_plain(site: CallSite) -> bool:
    """Whether a call is made each time that the function around it runs, and once."""
    local = site.local
    return not local.repeats and local.level is None and local.cap is None
