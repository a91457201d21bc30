"""The parts of a function as far as they say how often a line in them runs, and why.

While a function is read, regions nest: loops, gates, failure paths, no_grad blocks. What a loop is (over batches,
epochs, decoded tokens, or plain) is known only once its body has been read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from enum import Enum
from typing import Final

from ...finding import Reason
from ...plain import dataclass
from .local import Local, Need

SET_TO_EVALUATION: Final = "a model was set to evaluation before"
WITHOUT_GRADIENTS: Final = "it runs without gradients"
USES: Final = frozenset((SET_TO_EVALUATION, WITHOUT_GRADIENTS))
"""Why loops are evaluation that may as well be what a program is there for: in one that trains nothing."""


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
    KEPT = "kept"
    """What computes a result that its decorator keeps."""
    EVALUATION = "evaluation"
    FAILURE = "failure"
    """Code on the way to an exception."""
    WORKER = "worker"
    """What runs in a process that prepares data."""
    HOOK = "hook"
    """What torch calls in each step from where it is registered on."""
    HOOK_FOR_NOW = "hook for now"
    """What torch calls until the function that registers it takes it off again."""
    NO_GRAD = "no_grad"
    COMPILED = "compiled"
    SCRIPTED = "scripted"
    WITH = "with"


@dataclass(slots=True, eq=False)
class Region:
    """A part of a function.

    A loop is `stepping` when a batch, a backward pass or an optimizer step belongs to it, a function when it has such
    a loop; a loop is `evaluating`, which says why, when it is named so, or comes after a model's `eval()`, `training`
    when it has a backward pass or an optimizer step (a function when it has one, or clips gradients, outside of
    loops), `decoding` when it calls a model, `using` when it does so by a method, too, `giving` when it gives one to
    what is named so, `around` when it has such a loop inside, or is one over epochs.
    A loop or function runs `models` with gradients, without (`inferring`), or both, and a function is `running` when
    it does so outside of loops; a function or loop is `looping` when it has a loop that trains inside, and a loop is
    `counting` when it goes through numbers, or epochs. `mode` is what calls in a function set a model to, training if
    any does, `latest` what the last one did, or the one before a loop. `targets` are the names that a loop binds,
    `again` says that a model in a loop is given what it gave in an
    earlier pass, or that this is not known, `single` that it has one pass, or one for each process, `parts` one for
    each part of a whole, which may be one; `counts` is the loop
    of whose steps a gate lets only some through; a gate is `training` if it has
    a backward pass or an optimizer step, `lets_through` tells its condition, `every` the number
    of its steps; a loop, or function, is
    `openly` so if it has one outside of gates; either is `optimizing` if it has an optimizer step, a loop outside of
    gates; `context` manages a `with`; `conditions` tells those without which
    nothing here runs, asked only where something does; `needs` is what parameters must be, `either` that what is
    called tells (`Local`), `calls` is what a loop calls; one is `yielding` if it has a `yield` of its own.
    """

    kind: RegionKind
    parent: Region | None = None
    reason: Reason | None = None
    stepping: Reason | None = None
    decoding: Reason | None = None
    using: bool = False
    giving: bool = False
    evaluating: str = ""
    training: bool = False
    openly: bool = False
    optimizing: bool = False
    around: bool = False
    models: bool = False
    inferring: bool = False
    looping: bool = False
    counting: bool = False
    mode: str = ""
    latest: str = ""
    again: bool = False
    single: bool = False
    parts: bool = False
    context: str = ""
    targets: frozenset[str] = frozenset()
    counts: Region | None = None
    either: bool = False
    conditions: Callable[[], tuple[str, ...]] | None = None
    lets_through: Callable[[], str] | None = None
    every: Need | None = None
    needs: tuple[Need, ...] = ()
    calls: list[str] = field(default_factory=list)
    running: bool = False
    yielding: bool = False
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
            self._mark_gates(whole)
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
        self._mark_gates(optimizing=False)

    def _mark_gates(self, optimizing: bool) -> None:
        """Mark the gates around a backward pass or an optimizer step, or the loop or function if there are none."""
        region, is_gated = self, False
        while region.parent is not None and region.kind is not RegionKind.LOOP:
            if region.kind is RegionKind.GATE:
                region.training = is_gated = True
                region.optimizing = region.optimizing or optimizing
            region = region.parent
        region.openly = region.openly or not is_gated
        region.optimizing = region.optimizing or (optimizing and not is_gated)

    def has_all_steps(self) -> bool:
        """Whether a gate is around all that trains in its loop, or function: `if step % every == 0: update(batch)`."""
        return self.kind is RegionKind.GATE and self.training and not (self.nearest_loop() or self.function()).openly

    def accumulates(self) -> bool:
        """Whether gradients add up outside of a gate, and all optimizer steps of its loop are in it: it is the step."""
        loop = self.nearest_loop()
        is_step = self.kind is RegionKind.GATE and self.optimizing
        return is_step and loop is not None and loop.openly and not loop.optimizing

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
        """Mark the nearest loop, and the function, as running a model: with gradients or without.

        One that runs without, while a model is set to training, teaches that.
        """
        without, loop, function = self.is_in(RegionKind.NO_GRAD), self.nearest_loop(), self.function()
        function.running = function.running or loop is None
        if without and loop is not None and loop.latest == "train":
            return
        for each in filter(None, (loop, function)):
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

    def loop_of(self, *names: str) -> Region | None:
        """Return the innermost enclosing loop that binds one of these names."""
        region: Region | None = self
        while region is not None and region.targets.isdisjoint(names):
            region = region.parent
        return region

    def is_over_parts(self) -> bool:
        """Whether this loop goes through the parts of something, and not through steps, tokens, or epochs."""
        return not (self.stepping or self.around or self.decoding)

    def is_in(self, *kinds: RegionKind) -> bool:
        """Whether some enclosing region is of one of these kinds."""
        region: Region | None = self
        while region is not None:
            if region.kind in kinds:
                return True
            region = region.parent
        return False
