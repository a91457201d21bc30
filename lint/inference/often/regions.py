"""How often a line runs, and why.

While a function is read, regions nest: loops, gates, failure paths, no_grad blocks. What a loop is (over batches,
epochs, decoded tokens, or plain) is known only once its body has been read. Then each operation gets its `Local`
frequency: how often it runs per call of its function. Linking combines it with how often the function runs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace
from enum import Enum
from typing import Final

from ...finding import Level, Reason
from ...plain import dataclass
from .caps import failure_only, lower
from .conditions import all_of
from .local import PER_CALL, Local, Need

MOST_NEEDS: Final = 4
MOST_CALLS: Final = 8


class RegionKind(Enum):
    """What a part of a function is, as far as it says how often or under what it runs."""

    FUNCTION = "function"
    LOOP = "loop"
    GATE = "gate"
    """Code that a condition lets run now and then."""
    BRANCH = "branch"
    """Code under a condition that says nothing about how often it holds."""
    CHOICE = "choice"
    """What is left of a block, or of an expression, where a choice was made."""
    ONCE = "once"
    SELF_TEST = "self-test"
    """What a file does, run as a script, to try what is in it."""
    KEPT = "kept"
    """What computes a result that its decorator keeps."""
    EVALUATION = "evaluation"
    OPTION = "option"
    """What a flag turns on that is off by default."""
    FAILURE = "failure"
    """Code on the way to an exception."""
    WORKER = "worker"
    """What runs in a process that prepares data."""
    HOOK = "hook"
    """What torch calls in each step from where it is registered on."""
    NO_GRAD = "no_grad"
    COMPILED = "compiled"
    SCRIPTED = "scripted"
    WITH = "with"


_SELDOM: Final = (Level.EVALUATION, Level.EVERY_N_STEPS)
"""How often a hook is registered that is there to look at some steps."""

_CAPS: Final = {
    RegionKind.GATE: Level.EVERY_N_STEPS,
    RegionKind.ONCE: Level.ONCE,
    RegionKind.EVALUATION: Level.EVALUATION,
    RegionKind.FAILURE: Level.FAILURE,
}
"""How often what is in a region runs at most."""

ITEM: Final = "item"
"""What a loop goes through that iterates over data, not steps."""


@dataclass(slots=True, eq=False)
class Region:
    """A part of a function.

    A loop is `stepping` when a batch, a backward pass or an optimizer step belongs to it, a function when it has such a
    loop; a loop is `evaluating`, which says why, when it is named so, or comes after a model's `eval()`, `training`
    when it has a backward pass or an optimizer step (a function when it has one, or clips gradients, outside of loops),
    `decoding` when it calls a model, `using` when it does so by a method, too, `warming` when it only warms up,
    `around` when it has such a loop inside, or is one over epochs. A loop or function runs `models` with gradients,
    without (`inferring`), or both; a function or loop is `looping` when it has a loop that trains inside, and a loop is
    `counting` when it goes through numbers, or epochs. `mode` is the last call in a function that set a model's mode.
    `targets` are the names that a loop binds, `each` is what it goes through, if names tell; `again` says that a model
    in a loop is given what it gave in an earlier pass, or that this is not known, `single` that it has a pass for each
    process, `parts` one for each part of a whole, which may be one; `counts` is the loop of whose steps a gate lets
    only some through; `context` is the manager of a `with`; `conditions` tells those without which nothing here runs,
    asked only where something does; `needs` is what parameters must be, `either` that what is called tells (`Local`).
    """

    kind: RegionKind
    parent: Region | None = None
    reason: Reason | None = None
    stepping: Reason | None = None
    decoding: Reason | None = None
    using: bool = False
    evaluating: str = ""
    training: bool = False
    around: bool = False
    models: bool = False
    inferring: bool = False
    looping: bool = False
    counting: bool = False
    mode: str = ""
    each: str = ""
    again: bool = False
    single: bool = False
    parts: bool = False
    context: str = ""
    targets: frozenset[str] = frozenset()
    counts: Region | None = None
    warming: bool = False
    either: bool = False
    conditions: Callable[[], tuple[str, ...]] | None = None
    needs: tuple[Need, ...] = ()
    calls: list[str] = field(default_factory=list)
    local: Local | None = field(default=None)

    def mark_step(self, reason: Reason, training: bool, whole: bool = True) -> None:
        """Mark the nearest loop as a step: a backward pass, an optimizer step or a batch was seen here.

        A backward pass alone need not be a `whole` step: the function may be one, with a loop over parts of it.
        """
        loop = self.nearest_loop()
        if loop is None:
            return
        loop.stepping = loop.stepping or reason
        loop.training = loop.training or training
        if training:
            loop.mark_looping()
        if not whole:
            self.mark_training()
            return
        outer = loop.parent
        while outer is not None:
            outer.around = True
            if outer.parent is None:
                outer.stepping = outer.stepping or reason
            outer = outer.parent

    def mark_looping(self) -> None:
        """Mark what is around a loop that trains."""
        region = self.parent
        while region is not None:
            region.looping = True
            region = region.parent

    def mark_training(self) -> None:
        """Mark the function as training on each call: a backward pass, or what follows one, was seen outside loops."""
        self.function().training = True

    def function(self) -> Region:
        """Return the region of the whole function."""
        region = self
        while region.parent is not None:
            region = region.parent
        return region

    def mark_decoding(self, reason: Reason, again: bool = True) -> None:
        """Mark the nearest loop as a decode or rollout loop, unless known otherwise: a model is called here."""
        loop = self.nearest_loop()
        if loop is not None:
            loop.decoding = loop.decoding or reason
            loop.again = loop.again or again
            outer = loop.parent
            while outer is not None:
                outer.around = True
                outer = outer.parent

    def mark_model(self) -> None:
        """Mark the nearest loop, and the function, as running a model: with gradients or without."""
        without = self.is_in(RegionKind.NO_GRAD)
        for each in filter(None, (self.nearest_loop(), self.function())):
            each.inferring = each.inferring or without
            each.models = each.models or not without
            each.using = True

    def nearest_loop(self) -> Region | None:
        """Return the innermost enclosing loop."""
        region: Region | None = self
        while region is not None and region.kind is not RegionKind.LOOP:
            region = region.parent
        return region

    def outermost_loop(self) -> Region:
        """Return the loop around all others here, or the region itself."""
        found = region = self
        while region.parent is not None:
            region = region.parent
            found = region if region.kind is RegionKind.LOOP else found
        return found

    def loop_of(self, name: str) -> Region | None:
        """Return the innermost enclosing loop that binds a name."""
        region: Region | None = self
        while region is not None and name not in region.targets:
            region = region.parent
        return region

    def is_in(self, *kinds: RegionKind) -> bool:
        """Whether some enclosing region is of one of these kinds."""
        region: Region | None = self
        while region is not None:
            if region.kind in kinds:
                return True
            region = region.parent
        return False


def local_of(region: Region) -> Local:
    """Return the local frequency of a region, to be called once the function has been read to its end."""
    if region.local is None:
        region.local = PER_CALL if region.parent is None else _within(region, local_of(region.parent))
    return region.local


def _within(region: Region, outer: Local) -> Local:
    reasons = _with(outer, region)
    conditions = region.conditions() if region.conditions is not None else ()
    if conditions or region.needs:
        needs = (*region.needs, *outer.needs)[:MOST_NEEDS]
        outer = replace(outer, conditions=all_of(conditions, outer.conditions), needs=needs)
    match region.kind:
        case RegionKind.GATE if region.counts is not None and not (region.counts.stepping or region.counts.around):
            return _once_in(region.counts, region, outer)
        case kind if (cap := _CAPS.get(kind)) is not None:
            return replace(outer, cap=lower(outer.cap, cap), reasons=reasons)
        case RegionKind.SELF_TEST | RegionKind.KEPT:
            return replace(outer, level=Level.ONCE, reasons=reasons)
        case RegionKind.OPTION:
            return replace(outer, optional=True, reasons=reasons)
        case RegionKind.WORKER:
            return replace(outer, cap=Level.NEVER, reasons=reasons)
        case RegionKind.HOOK:
            cap = outer.cap if outer.cap in _SELDOM else failure_only(outer.cap)
            return replace(outer, level=Level.EVERY_STEP, repeats=False, cap=cap, reasons=_with(Local(), region))
        case RegionKind.LOOP:
            found = _of_loop(region, outer)
            found = replace(found, contexts=outer.contexts, optional=outer.optional)
            uses = outer.uses or (region.using and not region.training)
            return replace(found, conditions=outer.conditions, needs=outer.needs, uses=uses, either=region.either)
        case RegionKind.WITH:
            return replace(outer, contexts=(*outer.contexts, region.context))
        case _:
            return outer


def _once_in(loop: Region, region: Region, outer: Local) -> Local:
    """Return the frequency of code that one pass of a plain loop runs: that of the loop itself, if nothing is between.

    A loop that calls a model is one over steps: what runs in one of them still runs for each generation.
    """
    inside = region.parent
    while inside is not None and inside.kind is RegionKind.CHOICE:
        inside = inside.parent
    if inside is not loop or loop.decoding is not None or loop.parent is None:
        return outer
    around = local_of(loop.parent)
    return replace(outer, level=around.level, repeats=around.repeats, parts=around.parts)


def _of_loop(region: Region, outer: Local) -> Local:
    if region.single:
        return replace(outer, reasons=_with(outer, region))
    if region.warming or outer.level is Level.ONCE:
        return Local(Level.ONCE, True, failure_only(outer.cap), _with(outer, region))
    if region.stepping is not None:
        return _of_steps(region.stepping, False, outer, _evaluates(region))
    if outer.level is Level.EVERY_STEP or outer.level is Level.EVERY_PASS:
        level = outer.level if region.parts else Level.EVERY_PASS
        return Local(level, True, outer.cap, _with(outer, region))
    if region.decoding is not None and not region.around:
        items = region.each == ITEM or not (region.each or region.again)
        return _of_steps(region.decoding, True, outer, _evaluates(region) if items else "")
    if region.around and outer.level is None:
        return Local(Level.EVERY_EPOCH, outer.repeats, outer.cap, _with(outer, region))
    calls = (*outer.calls, *dict.fromkeys(region.calls))[:MOST_CALLS] if outer.level is None else ()
    parts = region.parts and (outer.parts or not outer.repeats)
    return Local(outer.level, True, outer.cap, _with(outer, region), calls=calls, parts=parts)


def _of_steps(reason: Reason, repeats: bool, outer: Local, evaluates: str) -> Local:
    """Return the frequency of a loop over steps, which are those of evaluation if there are words that say why."""
    level = Level.EVALUATION if evaluates else Level.EVERY_STEP
    told = evaluates and evaluates not in reason.message
    reasons = (reason, Reason(f"taken for evaluation: {evaluates}")) if told else (reason,)
    return Local(level, repeats, failure_only(outer.cap), reasons)


def _evaluates(region: Region) -> str:
    """Return why a loop that has no backward pass is one of evaluation; empty if nothing tells."""
    if region.training:
        return ""
    if region.evaluating or region.is_in(RegionKind.NO_GRAD) or (region.inferring and not region.models):
        return region.evaluating or "it runs without gradients"
    outer = region.outermost_loop()
    is_apart = not region.around and not outer.looping and (outer is region or not outer.counting)
    return "another loop of the function trains" if is_apart and region.function().looping else ""


def _with(outer: Local, region: Region) -> tuple[Reason, ...]:
    return outer.reasons if region.reason is None else (*outer.reasons, region.reason)
