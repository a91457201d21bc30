"""The findings of a link as they are handed to merging: with the sources that they are about."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..finding import Finding
from ..run.cache import findings_store
from ..run.engine import Result, speaks_of
from ..run.file import Failure
from ..store.encoding import StoreError
from . import parts
from .parts import FINDINGS, PartError
from .summary import Summary


@dataclass(frozen=True, slots=True)
class Part:
    """What one link has found: in which files, by the digests of their contents, and the contents that it shows."""

    path: str
    findings: tuple[Finding, ...]
    failures: tuple[Failure, ...]
    files: Mapping[str, str]
    texts: Mapping[str, bytes]


def written(result: Result, summaries: Mapping[str, Summary]) -> bytes:
    """Return the record for the findings in some files."""
    about: dict[str, Any] = {
        "files": {name: each.content for name, each in summaries.items()},
        "failures": sorted([each.filename, each.part, each.error] for each in result.failures),
        "texts": {name: parts.text_of(summaries[name].data) for name in sorted(set(_shown(result.findings)))},
    }
    return parts.written(FINDINGS, (findings_store().write(result.findings, ""), json.dumps(about)))


def read(paths: Sequence[str]) -> list[Part]:
    """Return the parts in some files, each once. Raises PartError."""
    found = {record.lines: _part(path, record.lines) for path in paths for record in parts.read(path, FINDINGS)}
    return list(found.values())


def _part(path: str, lines: Sequence[str]) -> Part:
    try:
        findings = findings_store().read(lines[0], "")
        about = json.loads(lines[1])
        failures = tuple(Failure(str(name), str(part), str(error), "") for name, part, error in about["failures"])
        texts = {name: parts.bytes_of(text) for name, text in about["texts"].items()}
        part = Part(path, findings, failures, about["files"], texts)
    except (StoreError, ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise PartError(parts.damaged(path, FINDINGS)) from error
    if not _is_sound(part):
        raise PartError(parts.damaged(path, FINDINGS))
    return part


def _is_sound(part: Part) -> bool:
    """Whether a part is one that we could have written: it speaks of its own files alone, whose lines it brings."""
    if not isinstance(part.findings, tuple) or not all(isinstance(each, Finding) for each in part.findings):
        return False
    named = isinstance(part.files, dict) and all(map(parts.is_inside, part.files))
    return named and part.texts.keys() <= part.files.keys() and speaks_of(part.findings, set(part.texts), ())


def _shown(findings: Sequence[Finding]) -> Iterator[str]:
    for each in findings:
        yield each.span.filename
        yield from (reason.span.filename for reason in (*each.reasons, *each.frequency.reasons) if reason.span)
