"""Which calls are recorded as operations: those that rules name, and those that linking follows."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from ...facts import accelerators, distributions, libraries, torch_ops, torchmetrics
from ...rule import Calls, all_rules, names_of_calls
from .operations import Call, Operation

FOLLOWED = frozenset((
    *libraries.PROCESS_GROUPS, *accelerators.FEED, *torchmetrics.FOLLOWED, *torch_ops.COPIES, distributions.SWITCH,
))  # fmt: skip
"""Calls that tell what becomes of a metric, a loader or a distribution."""


@cache
def watched(others: frozenset[str] = frozenset()) -> Calls:
    """Return the calls that are recorded; `others` are those of rules that are not in `rules/`."""
    return Calls(names_of_calls(all_rules()) | others | FOLLOWED)


def telling(operations: Iterable[Operation]) -> frozenset[str]:
    """Return the functions called that tell about other files: makers of metrics and loaders, and of defaults."""
    return frozenset(
        each.name for each in operations if isinstance(each, Call) and each.receiver is None and _tells(each)
    )


def _tells(call: Call) -> bool:
    made = libraries.is_metric(call.name) or libraries.class_kind(call.name) == "dataloader"
    return made or call.last_name == distributions.SWITCH
