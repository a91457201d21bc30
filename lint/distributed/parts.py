"""Files that are handed from one step to the next, on any machine: records of JSON lines, each with its digest.

The first line of a record is its header: what kind of record it is, which version of the linter under which Python
wrote it, how many lines follow, and their digest. Records that stand in one file one after the other remain what they
are, so that files of records can be joined by joining their bytes. Neither the time nor a place on a disk is in them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Any, Final, NamedTuple

from ..files import regular
from ..limits import LARGEST_PART, LONGEST_HEADER
from ..run.cache import identity
from ..store.digests import digest

SCHEMA: Final = 1
"""The version of the format of records; what is in them is as old as the linter that wrote them."""

SUMMARY: Final = "summary"
FINDINGS: Final = "findings"
STEPS: Final = {SUMMARY: "summarize", FINDINGS: "link"}
"""Kinds of records -> the command that writes them."""


class PartError(Exception):
    """A file of records cannot be used; the message is one line: which file, why, and what to do."""


class Record(NamedTuple):
    """The header of a record and the lines that follow it."""

    header: dict[str, Any]
    lines: tuple[str, ...]


def written(kind: str, lines: Sequence[str], **more: Any) -> bytes:
    """Return the bytes of a record; `more` goes into the header."""
    header: dict[str, Any] = {"synclint": kind, "schema": SCHEMA, "by": identity(), **more, "lines": len(lines)}
    header["digest"] = _digest(header, lines)
    return "".join(f"{line}\n" for line in (json.dumps(header, sort_keys=True), *lines)).encode()


def read(path: str, kind: str) -> Iterator[Record]:
    """Yield the records of a file. Raises PartError for what this version of the linter has not written."""
    try:
        texts = regular.read(path, LARGEST_PART).decode().split("\n")
    except OSError as error:
        raise PartError(f"{path}: {error.strerror or error}") from error
    except ValueError as error:
        raise PartError(_foreign(path, kind)) from error
    if texts.pop():
        raise PartError(damaged(path, kind))
    at = 0
    while at < len(texts):
        header = _header(texts[at], path, kind)
        lines = tuple(texts[at + 1 : at + 1 + header["lines"]])
        if len(lines) != header["lines"] or header.pop("digest") != _digest(header, lines):
            raise PartError(damaged(path, kind))
        at += 1 + len(lines)
        yield Record(header, lines)


def is_inside(name: object) -> bool:
    """Whether a name is that of a file below a directory, written with `/`: `pkg/model.py`."""
    if not isinstance(name, str) or not name or "\0" in name or "\\" in name or _is_odd(name):
        return False
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts and str(path) == name and path.parts[0][1:2] != ":"


def _is_odd(name: str) -> bool:
    """Whether a file cannot have the name: it has half of a surrogate pair."""
    try:
        name.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return True
    return False


def text_of(data: bytes) -> str:
    """Return the line for some bytes, be they text or not."""
    return json.dumps(data.decode("latin-1"), ensure_ascii=False)


def bytes_of(line: str) -> bytes:
    """Return the bytes of a line. Raises ValueError."""
    found = json.loads(line)
    if not isinstance(found, str):
        raise ValueError("is no text")
    return found.encode("latin-1")


def _header(text: str, path: str, kind: str) -> dict[str, Any]:
    try:
        header = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise PartError(_foreign(path, kind)) from error
    if not isinstance(header, dict) or header.get("synclint") != kind or json.dumps(header, sort_keys=True) != text:
        raise PartError(_foreign(path, kind))
    if header.get("schema") != SCHEMA or header.get("by") != identity():
        raise PartError(f"{path}: was written by another version of synclint or Python; regenerate it with this one")
    if type(header.get("lines")) is not int or not 0 < header["lines"] <= LONGEST_HEADER or "digest" not in header:
        raise PartError(damaged(path, kind))
    return header


def _digest(header: dict[str, Any], lines: Sequence[str]) -> str:
    return digest([json.dumps(header, sort_keys=True), *lines])


def _foreign(path: str, kind: str) -> str:
    return f"{path}: holds no {kind} written by synclint; name the files that `synclint {STEPS[kind]}` wrote"


def damaged(path: str, kind: str) -> str:
    """Return what to say about a file that is not as it was written."""
    return f"{path}: is damaged; write it again with `synclint {STEPS[kind]}`"
