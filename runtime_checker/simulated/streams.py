"""Streams and events of a device that finishes everything as soon as it is requested."""

from __future__ import annotations

import time
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar

import torch

from .device import CUDA

if TYPE_CHECKING:
    from .device import Device


class Stream:
    """A queue of work that is always empty."""

    owner: ClassVar[Device]
    event_class: ClassVar[type[Event]]
    device: ClassVar[torch.device] = CUDA
    device_index, device_type, stream_id, cuda_stream, priority = CUDA.index, 1, 0, 0, 0

    def __init__(self, *_: Any, **__: Any) -> None:
        """Accept any arguments: all streams are alike."""

    def __enter__(self) -> Stream:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the stream as it was."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stream)

    def __hash__(self) -> int:
        return hash(Stream)

    @staticmethod
    def priority_range() -> tuple[int, int]:
        """Return the lowest and the highest priority."""
        return (0, -5)

    def synchronize(self) -> None:
        """Wait for the stream."""
        self.owner.record("Stream.synchronize", "synchronize")

    def query(self) -> bool:
        """Whether everything is done, which it always is."""
        return True

    def is_capturing(self) -> bool:
        """Whether a graph is being captured, which it never is."""
        return False

    def wait_event(self, event: Any) -> None:
        """Let the device wait, not the host."""

    def wait_stream(self, stream: Any) -> None:
        """Let the device wait, not the host."""

    def record_event(self, event: Any = None) -> Any:
        """Record an event."""
        event = event or self.event_class()
        event.record(self)
        return event


class Event:
    """A mark in a stream."""

    owner: ClassVar[Device]
    device: ClassVar[torch.device] = CUDA

    def __init__(self, *_: Any, **__: Any) -> None:
        self.recorded = 0.0

    def record(self, stream: Any = None) -> None:
        """Record the time."""
        self.recorded = time.perf_counter()

    def wait(self, stream: Any = None) -> None:
        """Let the device wait, not the host."""

    def query(self) -> bool:
        """Whether everything is done, which it always is."""
        return True

    def synchronize(self) -> None:
        """Wait for the event."""
        self.owner.record("Event.synchronize", "synchronize")

    def elapsed_time(self, end: Event) -> float:
        """Return the milliseconds between two events."""
        if not self.recorded or not end.recorded:
            raise ValueError("Both events must be recorded before calculating elapsed time.")
        return (end.recorded - self.recorded) * 1e3


def make_classes(device: Device) -> tuple[type[Stream], type[Event]]:
    """Return the classes `Stream` and `Event` of one device."""
    event = type("Event", (Event,), {"owner": device})
    return type("Stream", (Stream,), {"owner": device, "event_class": event}), event
