"""The events of a trace file, one by one: Chrome's JSON as torch.profiler writes it, packed or not.

A trace may be larger than memory, cut off, or made to do harm: it is read in pieces, an event is bounded in size, and
whatever is wrong with it is one line.
"""

from __future__ import annotations

import codecs
import gzip
import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Final

_PIECE: Final = 1 << 20
LONGEST_EVENT: Final = 16 << 20
LARGEST: Final = 64 << 30
"""More bytes than any trace has, unpacked."""
_MOST_PACKED: Final = 200
"""How many times as large a packed trace may get, if not `_SMALL`; those of torch.profiler get it 10 to 30 times."""
_SMALL: Final = 64 << 20
_KEY: Final = '"traceEvents"'
_DEVICE: Final = re.compile(r'"deviceProperties":[^\]]{0,2000}?"name": ?"([^"\\]{1,80})"')
_MAGIC: Final = b"\x1f\x8b"


class TraceError(Exception):
    """A trace that cannot be read; the message is one line."""


def events(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the events of a trace. Raises TraceError."""
    try:
        file, largest = _opened(path)
        with file:
            yield from _events(_Text(file, largest), str(path))
    except (OSError, EOFError, zlib.error) as error:
        raise TraceError(f"{path}: {getattr(error, 'strerror', None) or error}") from error
    except UnicodeDecodeError as error:
        raise TraceError(f"{path} is not a trace: it is not text") from error


def _opened(path: Path) -> tuple[IO[bytes], int]:
    """Return the trace's file, and how many bytes may be read of it. Raises OSError and TraceError."""
    if not path.is_file():
        raise TraceError(f"{path} is not a file" if path.exists() else f"{path} does not exist")
    with path.open("rb") as file:
        is_packed = file.read(2) == _MAGIC
    if not is_packed:
        return path.open("rb"), LARGEST
    largest = min(LARGEST, max(_SMALL, _MOST_PACKED * path.stat().st_size))
    return gzip.open(path, "rb"), largest  # type: ignore[return-value]


def device_of(path: Path) -> str:
    """Return the name of the device that a trace says it is of, at its beginning; empty if it says none."""
    try:
        with _opened(path)[0] as file:
            head = file.read(_PIECE).decode(errors="replace")
    except (OSError, EOFError, zlib.error):
        return ""
    found = _DEVICE.search(head)
    return found[1] if found else ""


class _Text:
    """The text that has been read and not been used yet."""

    def __init__(self, file: IO[bytes], largest: int) -> None:
        self._largest = largest
        self._file, self._decoder = file, codecs.getincrementaldecoder("utf-8")()
        self._count = 0
        self.text, self.at = "", 0

    def more(self) -> bool:
        """Read another piece; return whether there was one. Raises TraceError for what is too large."""
        data = self._file.read(_PIECE)
        self._count += len(data)
        if self._count > self._largest:
            raise TraceError(f"the trace is larger than {self._largest >> 20} MiB, more than any trace needs")
        self.text = self.text[self.at :] + self._decoder.decode(data, final=not data)
        self.at = 0
        return bool(data)

    def skip(self, characters: str) -> str:
        """Skip these characters and return the next one, or nothing at the end."""
        while True:
            while self.at < len(self.text) and self.text[self.at] in characters:
                self.at += 1
            if self.at < len(self.text):
                return self.text[self.at]
            if not self.more():
                return ""


def _events(text: _Text, name: str) -> Iterator[dict[str, Any]]:
    _go_to_events(text, name)
    decoder = json.JSONDecoder()
    while (begin := text.skip(" \t\r\n,")) != "]":
        if not begin:
            raise TraceError(f"{name} is truncated: its list of events does not end")
        yield _event(text, decoder, name)


def _go_to_events(text: _Text, name: str) -> None:
    """Go to the first event: the file is a list of events, or an object with such a list."""
    if text.skip(" \t\r\n\ufeff") == "[":
        text.at += 1
        return
    while (found := text.text.find(_KEY, text.at)) < 0:
        text.at = max(text.at, len(text.text) - len(_KEY))
        if not text.more():
            raise TraceError(f"{name} is not a trace: it has no `traceEvents`")
    text.at = found + len(_KEY)
    if text.skip(" \t\r\n:") != "[":
        raise TraceError(f"{name} is not a trace: `traceEvents` is not a list")
    text.at += 1


def _event(text: _Text, decoder: json.JSONDecoder, name: str) -> dict[str, Any]:
    while True:
        try:
            event, end = decoder.raw_decode(text.text, text.at)
        except RecursionError as error:
            raise TraceError(f"{name} is not a trace: its events are too deeply nested") from error
        except ValueError as error:
            if len(text.text) - text.at > LONGEST_EVENT:
                raise TraceError(f"{name} is not a trace: an event is longer than {LONGEST_EVENT >> 20} MiB") from error
            is_near_the_end = len(text.text) - getattr(error, "pos", 0) < _PIECE
            if not is_near_the_end or not text.more():
                raise TraceError(f"{name} is truncated or damaged: {str(error).partition(':')[0].lower()}") from error
            continue
        text.at = end
        if not isinstance(event, dict):
            raise TraceError(f"{name} is not a trace: an event is not an object")
        return event
