"""What programs are for: whether those that lead to a function train anything, or set a module to evaluation alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ....limits import MOST_ON_THE_WAY
from ...notes.summary import CallSite, FunctionSummary
from ..index.answer import Answers
from ..index.noted_index import NotedIndex
from ..resolving.questions import Questions


class Programs:
    """Asks who calls functions, up to the scripts; `may_train` tells whether a function, or what it calls, trains."""

    def __init__(self, index: NotedIndex, questions: Questions, may_train: Callable[[str], bool]) -> None:
        self._index = index
        self._questions = questions
        self._may_train = may_train
        self._known: Answers = {}

    def only_use(self, function: str) -> bool:
        """Whether scripts are seen to lead to a function, and none of them trains."""
        key = ("only used", function)
        found: bool = self._questions.remembered(key, self._is_only_used, function, self._known, in_circle=False)
        return found

    def _is_only_used(self, function: str) -> bool:
        seen, todo, roots = {function}, [function], 0
        while todo:
            name = todo.pop()
            if MOST_ON_THE_WAY.is_exceeded(len(seen)) or self._may_train(name):
                return False
            callers = {site.caller for site in self._sites(name)}
            roots += name.endswith(":")
            if not callers and not name.endswith(":"):
                return False
            todo += callers - seen
            seen |= callers
        return roots > 0

    def only_evaluate(self, cls: str) -> bool:
        """Whether all that is seen to run objects of a module sets it to evaluation, and nothing trains anything."""
        if self._index.may_train() or not self._index.made_at(cls):
            return False
        key = ("only evaluated", cls)
        found: bool = self._questions.remembered(key, self._is_only_evaluated, cls, self._known, in_circle=True)
        return found

    def _is_only_evaluated(self, cls: str) -> bool:
        sites = [*self._sites(f"{cls}.forward")]
        return bool(sites) and all(map(self._evaluates, sites))

    def _evaluates(self, site: CallSite) -> bool:
        caller = self._index.function(site.caller)
        owner = site.caller.rpartition(".")[0]
        if caller is None or site.passed:
            return False
        if self._index.is_defined(owner) and self._index.kind(owner) == "module":
            return self.only_evaluate(owner)
        cls = self._index.class_named(owner)
        methods = () if cls is None else (self._index.function(f"{cls.name}.{each}") for each in sorted(cls.methods))
        return _evaluate([caller, *(each for each in methods if each is not None)])

    def _sites(self, function: str) -> Iterator[CallSite]:
        return (each for each in self._index.sites_of(function) if each.caller != function)


def _evaluate(functions: Sequence[FunctionSummary]) -> bool:
    """Whether one of a class's methods, or a function, sets a model to evaluation, and none trains."""
    trains = any(each.mode == "train" or each.training or each.looping for each in functions)
    return not trains and any(each.mode == "eval" for each in functions)
