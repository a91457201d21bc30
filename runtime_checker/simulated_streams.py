"""Streams and events of a device that has done everything as soon as it is asked to."""

from __future__ import annotations

import time
from types import TracebackType
from typing import TYPE_CHECKING, Any

from .simulated_device import CUDA

if TYPE_CHECKING:
    from .simulated_device import Device


def make_classes(device: Device) -> tuple[type, type]:
    """The classes `Stream` and `Event` of one device."""

    class Stream:
        """A queue of work that is always empty."""

        def __init__(self, *_: Any, **__: Any) -> None:
            self.device, self.device_index, self.device_type = CUDA, 0, 1
            self.stream_id = self.cuda_stream = 0
            self.priority = 0

        def __enter__(self) -> Stream:
            return self

        def __exit__(
            self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
        ) -> None:
            """Leave the stream as it was."""

        def synchronize(self) -> None:
            """Wait for the stream."""
            device.record("Stream.synchronize", "synchronize")

        def query(self) -> bool:
            """Everything is done."""
            return True

        def is_capturing(self) -> bool:
            """No graph is ever captured."""
            return False

        def wait_event(self, event: Any) -> None:
            """Let the device wait, not the host."""

        def wait_stream(self, stream: Any) -> None:
            """Let the device wait, not the host."""

        def record_event(self, event: Any = None) -> Any:
            """Record an event."""
            event = event or Event()
            event.record(self)
            return event

    class Event:
        """A mark in a stream."""

        def __init__(self, *_: Any, **__: Any) -> None:
            self.device, self._recorded = CUDA, 0.0

        def record(self, stream: Any = None) -> None:
            """Note the time."""
            self._recorded = time.perf_counter()

        def wait(self, stream: Any = None) -> None:
            """Let the device wait, not the host."""

        def query(self) -> bool:
            """Everything is done."""
            return True

        def synchronize(self) -> None:
            """Wait for the event."""
            device.record("Event.synchronize", "synchronize")

        def elapsed_time(self, end: Any) -> float:
            """Milliseconds between two events."""
            if not self._recorded or not end._recorded:
                raise ValueError("Both events must be recorded before calculating elapsed time.")
            return float(end._recorded - self._recorded) * 1e3

    return Stream, Event
