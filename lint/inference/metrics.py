"""What becomes of each metric: where it was moved and what is called on it; and a metric as rules see it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ..facts import libraries, torchmetrics
from ..finding import Confidence, Frequency, Level, Reason, Span
from . import certainty
from .lattice import OPEN, Device
from .methods import moved_module
from .operations import Call, Life, Operation
from .results import Arguments
from .values import (
    NONE,
    SPREAD,
    UNKNOWN,
    DTypeRef,
    Host,
    Instance,
    Sequence,
    Tensor,
    Value,
    join_all,
    on_device,
    options_of,
)

UPDATES = frozenset(("update", "forward", "__call__"))
"""Methods that update a metric."""
MOVES = frozenset(("to", "cuda", "cpu"))
GROUPS = frozenset(("init_process_group", "DistributedDataParallel"))
"""Calls that set up how processes communicate."""


def followed(operations: Iterable[Operation]) -> Iterator[Operation]:
    """The operations; each metric has the device that any call of it shows, and its constructor knows its life."""
    every = list(operations)
    uses: dict[Span, list[Call]] = {}
    groups: dict[str, list[Call]] = {}
    for each in every:
        if isinstance(each, Call):
            if each.last_name in GROUPS:
                groups.setdefault(each.span.filename, []).append(each)
            for metric in metrics_in(each.receiver):
                if metric.made is not None:
                    uses.setdefault(metric.made, []).append(each)
    devices = {made: _device(calls) for made, calls in uses.items()}
    for each in every:
        match each:
            case Call(receiver=None) if libraries.is_metric(each.name):
                life = Life(tuple(uses.get(each.span, ())), tuple(groups.get(each.span.filename, ())))
                yield replace(each, life=life)
            case Call(receiver=receiver) if receiver is not None and devices:
                yield _placed(each, receiver, devices)
            case _:
                yield each


def _placed(call: Call, receiver: Value, devices: dict[Span, Device | None]) -> Call:
    """The call with the device that other calls show of its metric."""
    options = options_of(receiver)
    placed = tuple(_on_its_device(option, devices) for option in options)
    return call if placed == options else replace(call, receiver=join_all(placed))


def _on_its_device(value: Value, devices: dict[Span, Device | None]) -> Value:
    if isinstance(value, Instance) and value.device is None and value.made is not None:
        device = devices.get(value.made)
        return value if device is None else on_device(value, device)
    return value


def metrics_in(value: Value | None) -> Iterator[Instance]:
    """The metrics a value holds: itself, or the members of a collection or wrapper."""
    for option in options_of(value or UNKNOWN):
        if isinstance(option, Instance):
            yield option
            if libraries.is_metric(option.cls):
                for _, argument in option.arguments:
                    yield from metrics_in(argument)
        elif isinstance(option, Sequence):
            for item in option.items or ():
                yield from metrics_in(item)


def _device(calls: Iterable[Call]) -> Device | None:
    """Where the calls of a metric show that it lives; None where nothing moves it."""
    shown = [device for call in calls for device in _shown_by(call)]
    on_gpu = [device for device in shown if device.on_gpu]
    open_ = [device for device in shown if not device.on_cpu]
    return next(iter(on_gpu or open_ or shown), None)


def _shown_by(call: Call) -> Iterator[Device]:
    for receiver in options_of(call.receiver or UNKNOWN):
        if isinstance(receiver, Instance):
            if call.last_name in MOVES:
                receiver = _moved(receiver, call)
            if receiver.device is not None:
                yield receiver.device
    if call.last_name in UPDATES and _given_to(call) is Confidence.CERTAIN:
        yield OPEN


def _moved(metric: Instance, call: Call) -> Instance:
    """The metric after the call has moved it; to any device where the argument does not tell."""
    moved = moved_module(metric, call.last_name, Arguments(metric, call.positional, call.keywords))
    casts = all(isinstance(value, DTypeRef) for value in (*call.positional, *dict(call.keywords).values()))
    return replace(moved, device=OPEN) if moved.device is None and not casts else moved


def _given_to(call: Call) -> Confidence | None:
    """How sure it is that the call is given tensors of the device."""
    return certainty.of((*call.positional, *dict(call.keywords).values()))


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric as rules see it.

    `name` is the last name of its class; `state` stands for its tensors, and is None where they are on the host.
    """

    name: str
    instance: Instance
    state: Tensor | None

    @property
    def is_derived(self) -> bool:
        """It is of a class derived from one of TorchMetrics' own."""
        return not libraries.is_metric(self.instance.cls)

    @property
    def row(self) -> torchmetrics.Row | None:
        """What is known of its class."""
        return torchmetrics.row_of(self.name, self.task)

    @property
    def task(self) -> str:
        """The task that a wrapper such as `Accuracy` was given."""
        task = self.instance.argument("task") or self.instance.argument("0")
        return task.constant if isinstance(task, Host) and isinstance(task.constant, str) else ""

    def argument(self, name: str) -> Value | None:
        """The constructor's argument of that name, also one passed by position; else a wrapper's own default."""
        if (given := self.instance.argument(name)) is not None:
            return given
        names = torchmetrics.parameters_of(self.name)
        if name in names and (given := self.instance.argument(str(names.index(name)))) is not None:
            return given
        if self.instance.argument(SPREAD) is not None:
            return UNKNOWN
        default = torchmetrics.wrapper_default(self.name, name)
        return None if default is None else Host("str", default)

    def has(self, name: str) -> bool:
        """The constructor's argument was given, and is not known to be None."""
        return self.argument(name) not in (None, NONE, UNKNOWN)

    def is_one_of(self, wanted: Iterable[tuple[str, object]]) -> bool:
        """One of these arguments may have the value named with it (`...` for any value, or one of a range)."""
        return any(_matches(self.argument(name), value) for name, value in wanted)


def _matches(argument: Value | None, wanted: object) -> bool:
    if argument is None or argument == NONE:
        return False
    if wanted is ... or not isinstance(argument, Host) or argument.constant is ...:
        return True
    return argument.constant in wanted if isinstance(wanted, range) else argument.constant == wanted


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def made_by(call: Call) -> Metric | None:
    """The metric that a call of a constructor makes, with the device where its life takes it; None for other calls."""
    if call.life is None:
        return None
    device = _device(call.life.uses)
    state = None if device is None or device.on_cpu else Tensor(device)
    numbered = tuple((str(at), value) for at, value in enumerate(call.positional))
    return Metric(_last(call.name), Instance(call.name, numbered + call.keywords, device, call.span), state)


def used_by(call: Call) -> Iterator[Metric]:
    """The metrics whose method a call is: one, or a collection and its members."""
    cls = call.name.rpartition(".")[0]
    if call.receiver is None or not libraries.is_metric(cls):
        return
    state: Tensor | None = None
    for at, instance in enumerate(metrics_in(call.receiver)):
        state = _state(instance, call) if at == 0 else state
        yield Metric(_last(cls if at == 0 else instance.cls), instance, state)


def _state(instance: Instance, call: Call) -> Tensor | None:
    if instance.device is not None:
        return None if instance.device.on_cpu else Tensor(instance.device)
    return Tensor() if instance.made is None and _given_to(call) is not None else None


def update_frequency(call: Call) -> Frequency:
    """How often the metric that a constructor makes is updated."""
    updates = [use.frequency for use in (call.life.uses if call.life else ()) if use.last_name in UPDATES]
    if updates:
        return max(updates, key=lambda each: (each.level, not each.assumed))
    reason = Reason("no update of this metric was seen: taken to run every step")
    return Frequency(Level.EVERY_STEP, (reason,), assumed=True)
