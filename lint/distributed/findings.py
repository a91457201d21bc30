"""The findings of a link as they are handed to merging: with the sources that they are about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from ..finding import Finding
from ..run.cache import findings_store
from ..run.engine import speaks_of
from ..run.file import Failure
from ..run.result import Result
from ..store.encoding import StoreError
from ..store.forms import Forms
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
    """Return the record for the findings in some files; they are a list, as what is compared may not be so large."""
    files = {name: each.content for name, each in summaries.items()}
    failures = tuple(sorted((each.filename, each.part, each.error) for each in result.failures))
    texts = {name: parts.text_of(summaries[name].data) for name in sorted(set(_shown(result.findings)))}
    return parts.written(FINDINGS, [findings_store().write((list(result.findings), failures, files, texts), "")])


def read(paths: Sequence[str]) -> list[Part]:
    """Return the parts in some files, each once. Raises PartError."""
    found = {record.lines: _part(path, record.lines[0]) for path in paths for record in parts.read(path, FINDINGS)}
    return list(found.values())


def _part(path: str, line: str) -> Part:
    try:
        _forms().check(line)
        findings, failures, files, texts = findings_store().read(line, "")
        contents = {name: parts.bytes_of(text) for name, text in texts.items()}
    except (StoreError, ValueError, RecursionError) as error:
        raise PartError(parts.damaged(path, FINDINGS)) from error
    failed = tuple(Failure(name, step, error, "") for name, step, error in failures)
    part = Part(path, tuple(findings), failed, files, contents)
    if not _is_sound(part):
        raise PartError(parts.damaged(path, FINDINGS))
    return part


@cache
def _forms() -> Forms:
    about = tuple[list[Finding], tuple[tuple[str, str, str], ...], dict[str, str], dict[str, str]]
    return Forms(findings_store(), about)


def _is_sound(part: Part) -> bool:
    """Whether a part could be ours: it refers only to its own files, and contains their lines."""
    named = all(map(parts.is_inside, part.files))
    shown = all(each.severity for each in part.findings)
    return shown and named and part.texts.keys() <= part.files.keys() and speaks_of(part.findings, set(part.texts), ())


def _shown(findings: Sequence[Finding]) -> Iterator[str]:
    for each in findings:
        yield each.span.filename
        yield from (reason.span.filename for reason in (*each.reasons, *each.frequency.reasons) if reason.span)
