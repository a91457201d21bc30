"""Which calls are recorded as operations: those that rules name, and those that linking follows."""

from __future__ import annotations

from functools import cache

from ...facts import distributions, libraries, torch_ops, torchmetrics
from ...rule import Calls, all_rules, names_of_calls

FOLLOWED = libraries.PROCESS_GROUPS | torchmetrics.FOLLOWED | torch_ops.COPIES | frozenset((distributions.SWITCH,))
"""Calls that tell what becomes of a metric, a loader or a distribution."""


@cache
def watched(others: frozenset[str] = frozenset()) -> Calls:
    """Return the calls that are recorded; `others` are those of rules that are not in `rules/`."""
    return Calls(names_of_calls(all_rules()) | others | FOLLOWED)
