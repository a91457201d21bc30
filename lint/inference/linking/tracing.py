"""What is captured in a CUDA graph, or compiled, through calls: each function by those that call it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from ...finding import Reason
from ...limits import MOST_REASONS
from ..notes.operations import Operation
from ..notes.summary import CallSite
from ..often.local import Local, Traced
from ..often.tracing import asked, less
from .frequency.configured import is_listed
from .index.noted_index import NotedIndex
from .resolving.questions import Questions

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...settings.config import Settings

How: TypeAlias = Literal["captured", "compiled"]


class Tracing:
    """Tells since where places are captured or compiled; `settled` tells what a place still asks (see `Usual`)."""

    def __init__(
        self,
        index: NotedIndex,
        settings: Settings,
        questions: Questions,
        settled: Callable[[Local, str], tuple[Local, str]],
    ) -> None:
        self._index = index
        self._questions = questions
        self._settled = settled
        self._listed = settings.captured_functions
        self._known = questions.kept(lambda _: None)

    def told(self, operation: Operation, local: Local, owner: str) -> Operation:
        """Return an operation with what is told of its place."""
        captured, compiled = self._at("captured", local, owner), self._at("compiled", local, owner)
        return replace(operation, captured=captured, compiled=compiled) if captured or compiled else operation

    def _at(self, how: How, local: Local, owner: str) -> Traced | None:
        """Return since where a place in a function is traced; None if it is not."""
        own: Traced | None = getattr(local, how)
        if own is not None and own.outside:
            return None
        around = own or self._function(how, owner)
        if around is None:
            return None
        local, never = self._settled(local if own is None else replace(local, conditions=own.conditions), owner)
        if never:
            return None
        if own is not None:
            return replace(own, conditions=local.conditions)
        return replace(around, conditions=(*asked(local), *around.conditions))

    def _function(self, how: How, name: str) -> Traced | None:
        """Return since where a function is traced, by the call of it that asks least; None if none is."""
        if not self._index.may_trace() and not self._listed:
            return None
        nothing: Traced | None = None
        return self._questions.remembered((how, name), self._step, (how, name), self._known, nothing)

    def _step(self, about: tuple[How, str]) -> Traced | None:
        nothing: Traced | None = None
        return self._questions.one_step_on(self._find, about, nothing)

    def _find(self, about: tuple[How, str]) -> Traced | None:
        how, name = about
        if how == "captured" and is_listed(name, self._listed):
            return Traced((Reason(f"`{name.rpartition('.')[2]}`: the configuration lists it as captured"),))
        found: Traced | None = None
        for site in self._index.sites_of(name):
            if site.caller != name and (around := self._called(how, site)) is not None:
                found = less(found, around)
        return found

    def _called(self, how: How, site: CallSite) -> Traced | None:
        """Return since where a call is traced, with the call as one more reason."""
        is_begun = getattr(site.local, how) is not None
        if site.passed and not is_begun:
            return None  # who is handed a function calls it when it likes
        around = self._at(how, site.local, site.caller)
        if around is None or (is_begun and site.passed):
            return around
        callee, caller = site.callee.rpartition(".")[2], site.caller.rpartition(".")[2].rstrip(":") or "the module"
        reason = Reason(f"`{caller}` calls `{callee}`")
        return replace(around, reasons=(*around.reasons, reason)[:MOST_REASONS])
