"""Merges the findings of several links, of which each sees other callers of the same code: the loudest wins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..files.texts import Texts
from ..finding import Finding, Kind, Span
from ..run.file import Failure
from ..run.result import Result
from .findings import Part
from .parts import PartError


def merged(parts: Sequence[Part]) -> Result:
    """Return the findings of all parts, each once. Raises PartError where these are about different sources."""
    files = _files(parts)
    texts: dict[str, bytes] = {}
    failures: dict[str, Failure] = {}
    for part in parts:
        texts |= part.texts
        for each in part.failures:
            failures[each.filename] = min(failures.get(each.filename, each), each, key=repr)
    findings = tuple(sorted(_loudest(parts), key=lambda each: (each.sort_key, repr(each.span))))
    return Result(findings, tuple(failures[name] for name in sorted(failures)), len(files), 0.0, Texts(texts))


def _files(parts: Sequence[Part]) -> Mapping[str, str]:
    files: dict[str, str] = {}
    for part in parts:
        for name, content in part.files.items():
            if files.setdefault(name, content) != content:
                raise PartError(f"{part.path}: {name} differs between two links; link all from the same summaries")
    return files


def _loudest(parts: Sequence[Part]) -> list[Finding]:
    """Return of each finding the loudest. What is said of the linting itself must be true in every program.

    A suppression that one program does not need is of use in another.
    """
    found: dict[tuple[str, Span], list[Finding]] = {}
    for part in parts:
        for each in part.findings:
            found.setdefault((each.fingerprint, each.span), []).append(each)
    linked = {name: sum(name in part.files for part in parts) for _, span in found for name in [span.filename]}
    return [
        max(same, key=_loudness)
        for (_, span), same in found.items()
        if same[0].kind is not Kind.META or len(same) == linked[span.filename]
    ]


def _loudness(finding: Finding) -> tuple[Any, ...]:
    often = finding.frequency
    return (finding.severity, finding.confidence, often.level, not often.assumed, repr(finding))
