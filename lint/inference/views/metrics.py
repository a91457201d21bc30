"""A metric as rules see it: its class, its constructor's arguments, its device, how often it is updated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ...facts import libraries, torchmetrics
from ...facts.torchmetrics import UPDATES
from ...finding import Frequency, Level, Reason
from ..linking.lives.metric_lives import device_shown, given_to, metrics_in
from ..notes.operations import Call
from ..values.union import NONE, SPREAD, UNKNOWN, Host, Instance, Tensor, Value


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric as rules see it.

    `name` is the last name of its class; `state` stands for its tensors, and is None if they are on the host.
    """

    name: str
    instance: Instance
    state: Tensor | None

    @property
    def is_derived(self) -> bool:
        """Whether its class is derived from one of TorchMetrics' own."""
        return not libraries.is_metric(self.instance.cls)

    @property
    def row(self) -> torchmetrics.Row | None:
        """The row about its class."""
        return torchmetrics.row_of(self.name, self.task)

    @property
    def task(self) -> str:
        """The task that a wrapper such as `Accuracy` was given."""
        task = self.instance.argument("task") or self.instance.argument("0")
        return task.constant if isinstance(task, Host) and isinstance(task.constant, str) else ""

    def argument(self, name: str) -> Value | None:
        """Return the constructor's argument with that name, by keyword or position; else a wrapper's own default."""
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
        """Whether the constructor's argument was given and is not known to be None."""
        return self.argument(name) not in (None, NONE, UNKNOWN)

    def is_one_of(self, wanted: Iterable[tuple[str, object]]) -> bool:
        """Whether one of these arguments may have the value paired with it (`...` for any value, or one of a range)."""
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
    """Return the metric that a constructor call creates, on the device its life takes it to; None for other calls."""
    if call.life is None or not libraries.is_metric(call.name):
        return None
    device = device_shown(call.life.uses)
    state = None if device is None or device.on_cpu else Tensor(device)
    numbered = tuple((str(at), value) for at, value in enumerate(call.positional))
    return Metric(_last(call.name), Instance(call.name, numbered + call.keywords, device, call.span), state)


def used_by(call: Call) -> Iterator[Metric]:
    """Yield the metrics that a method call is on: one, or a collection and its members."""
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
    return Tensor() if instance.made is None and given_to(call) is not None else None


def update_frequency(call: Call) -> Frequency:
    """Return how often the metric that a constructor creates is updated."""
    updates = [use.frequency for use in (call.life.uses if call.life else ()) if use.last_name in UPDATES]
    if updates:
        return max(updates, key=lambda each: (each.level, not each.assumed))
    reason = Reason("no update of this metric was seen: assumed to run every step")
    return Frequency(Level.EVERY_STEP, (reason,), assumed=True)
