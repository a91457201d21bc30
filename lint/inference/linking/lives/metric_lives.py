"""What becomes of each metric: where it is moved and what is called on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ....facts import libraries
from ....facts.torchmetrics import MOVES, UPDATES
from ....finding import Confidence, Span
from ...library.objects import moved_module
from ...notes.operations import Call, Life, Operation
from ...values import certainty
from ...values.arguments import Arguments
from ...values.joining import join_all
from ...values.lattice import OPEN, Device
from ...values.placement import on_device
from ...values.union import UNKNOWN, DTypeRef, Instance, Sequence, Value, options_of


def followed(operations: Iterable[Operation]) -> Iterator[Operation]:
    """Yield the operations; each metric has the device that its calls show, and its constructor knows its life."""
    every = list(operations)
    calls = [each for each in every if isinstance(each, Call)]
    groups = _groups(calls)
    uses = _uses(calls)
    devices = {made: device_shown(used) for made, used in uses.items()}
    for each in every:
        match each:
            case Call(receiver=None) if libraries.is_metric(each.name):
                life = Life(tuple(uses.get(each.span, ())), tuple(groups.get(each.span.filename, ())))
                yield replace(each, life=life)
            case Call(receiver=receiver) if receiver is not None and devices:
                yield _placed(each, receiver, devices)
            case _:
                yield each


def _groups(calls: Iterable[Call]) -> dict[str, list[Call]]:
    """Return the calls that set up communication between processes, by file."""
    groups: dict[str, list[Call]] = {}
    for call in calls:
        if call.last_name in libraries.PROCESS_GROUPS:
            groups.setdefault(call.span.filename, []).append(call)
    return groups


def _uses(calls: Iterable[Call]) -> dict[Span, list[Call]]:
    """Return the calls of each metric's methods, by the location where the metric was created."""
    uses: dict[Span, list[Call]] = {}
    for call in calls:
        for metric in metrics_in(call.receiver):
            if metric.made is not None:
                uses.setdefault(metric.made, []).append(call)
    return uses


def _placed(call: Call, receiver: Value, devices: dict[Span, Device | None]) -> Call:
    """Return the call with the device that other calls show for its metric."""
    options = options_of(receiver)
    placed = tuple(_on_its_device(option, devices) for option in options)
    return call if placed == options else replace(call, receiver=join_all(placed))


def _on_its_device(value: Value, devices: dict[Span, Device | None]) -> Value:
    if isinstance(value, Instance) and value.device is None and value.made is not None:
        device = devices.get(value.made)
        return value if device is None else on_device(value, device)
    return value


def metrics_in(value: Value | None) -> Iterator[Instance]:
    """Yield the metrics in a value: itself, or the members of a collection or wrapper."""
    for option in options_of(value or UNKNOWN):
        if isinstance(option, Instance):
            yield option
            if libraries.is_metric(option.cls):
                for _, argument in option.arguments:
                    yield from metrics_in(argument)
        elif isinstance(option, Sequence):
            for item in option.items or ():
                yield from metrics_in(item)


def device_shown(calls: Iterable[Call]) -> Device | None:
    """Return the device that a metric's calls show; None if nothing moves it."""
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
    if call.last_name in UPDATES and given_to(call) is Confidence.CERTAIN:
        yield OPEN


def _moved(metric: Instance, call: Call) -> Instance:
    """Return the metric after the call has moved it; to any device if the argument does not tell."""
    moved = moved_module(metric, call.last_name, Arguments(metric, call.positional, call.keywords))
    casts = all(isinstance(value, DTypeRef) for value in (*call.positional, *dict(call.keywords).values()))
    return replace(moved, device=OPEN) if moved.device is None and not casts else moved


def given_to(call: Call) -> Confidence | None:
    """Return the confidence that the call is given device tensors."""
    return certainty.of((*call.positional, *dict(call.keywords).values()))
