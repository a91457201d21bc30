"""A DataLoader as rules see it: its memory, its workers, and how often and how certainly it feeds the GPU."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ...facts import libraries
from ...facts.torch_transfers import LOADER_PARAMETERS, OF_TENSORS
from ...finding import Confidence, Frequency, Level, Reason
from ..library.objects import memory_of_batches
from ..linking.lives.transfers import fed_by, to_device
from ..notes.operations import Call, Life
from ..values.lattice import PAGEABLE
from ..values.union import NONE, SPREAD, Host, Instance, Tensor, Value, options_of

HOOKED = Frequency(Level.EVERY_STEP, (Reason("the Trainer moves each batch of its loader to the device"),))


@dataclass(frozen=True, slots=True)
class Loader:
    """A DataLoader whose batches are moved to a device; `moves` says how certainly and how often."""

    instance: Instance
    moves: tuple[tuple[Confidence, Frequency], ...]

    @property
    def is_pageable(self) -> bool:
        """Whether its batches are known to be in pageable memory."""
        return memory_of_batches(self.instance) == PAGEABLE

    @property
    def is_of_host_data(self) -> bool:
        """Whether all that its data set returns is seen to be on the host: tensors that were made there."""
        tensors = [*_returned(self._argument("dataset"))]
        return bool(tensors) and all(isinstance(each, Tensor) and each.device.on_cpu for each in tensors)

    @property
    def is_of_device_data(self) -> bool:
        """Whether something that its data set returns is on the GPU already."""
        return any(isinstance(each, Tensor) and each.device.on_gpu for each in _returned(self._argument("dataset")))

    @property
    def lacks_workers(self) -> bool:
        """Whether it is known to have no workers."""
        given = self._argument("num_workers")
        if given is None:
            return self.instance.argument(SPREAD) is None
        return given in (NONE, Host("int", 0))

    @property
    def confidence(self) -> Confidence:
        """The confidence that the batches go to a GPU."""
        return max(sure for sure, _ in self.moves)

    @property
    def frequency(self) -> Frequency:
        """How often they go there."""
        return max((often for _, often in self.moves), key=lambda each: (each.level, not each.assumed))

    def _argument(self, name: str) -> Value | None:
        return self.instance.argument(name) or self.instance.argument(str(LOADER_PARAMETERS.index(name)))


def _returned(data: Value | None) -> Iterator[Value]:
    """Yield the values of which a data set returns parts, as far as it is one of tensors."""
    for each in options_of(data) if data is not None else ():
        is_known = isinstance(each, Instance) and each.cls in OF_TENSORS
        yield from (value for _, value in each.arguments) if isinstance(each, Instance) and is_known else (each,)


def made_by(call: Call) -> Loader | None:
    """Return the DataLoader that a constructor creates and whose batches go to a device; None for other calls."""
    if call.life is None or libraries.class_kind(call.name) != "dataloader":
        return None
    moves = [(copy.confidence, use.frequency) for use in call.life.uses if (copy := to_device(use)) is not None]
    moves += [(Confidence.CERTAIN, _by_framework(use, call.life)) for use in call.life.uses if any(fed_by(use))]
    if call.life.hooked:
        moves.append((Confidence.CERTAIN, HOOKED))
    numbered = tuple((str(at), value) for at, value in enumerate(call.positional))
    return Loader(Instance(call.name, numbered + call.keywords), tuple(moves)) if moves else None


def _by_framework(call: Call, life: Life) -> Frequency:
    """Return how often a framework moves batches that it was given a loader of: in each pass through the loader."""
    why = Reason(f"after `.{call.last_name}()` the framework moves each batch to the device", call.span)
    if not life.passes:
        return Frequency(Level.EVERY_STEP, (why,))
    often = max((each.frequency for each in life.passes), key=lambda each: (each.level, not each.assumed))
    return replace(often, reasons=(why, *often.reasons))
