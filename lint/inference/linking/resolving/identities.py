"""Identities of questions that are the same in every run, whatever is asked first: by them, circles are entered."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from dataclasses import fields, is_dataclass
from hashlib import blake2b
from typing import Any, Final

from ....finding import Reason, Span
from ...values.ops import Op
from ...values.union import Deferred

_PLACES: Final = (Reason, Span)
"""What a remark in the file would change."""


def first_of(questions: Collection[Hashable]) -> Hashable:
    """Return the question with the least identity: what functions and attributes are comes before what uses that."""
    names = {each: _name(each) for each in questions}
    least = min(names.values())
    first = [each for each, name in names.items() if name == least]
    return first[0] if len(first) == 1 else min(first, key=lambda each: _digest(each, {}))


def _name(question: Hashable) -> tuple[str, ...]:
    match question:
        case str():
            return "function", question
        case tuple():
            return "attribute", *map(str, question)
        case Deferred(op=Op.PARAMETER):
            return "parameter", question.name
        case Deferred():
            return "term", question.op.value, question.name
    return "term", repr(question)


def _digest(value: Any, known: dict[int, str]) -> str:
    """Return a digest of what a value is made of; of terms that are the same object, only once."""
    if isinstance(value, Deferred) and id(value) in known:
        return known[id(value)]
    text = repr((type(value).__name__, [_digest(each, known) for each in _parts(value)] or str(value)))
    digest = blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()
    if isinstance(value, Deferred):
        known[id(value)] = digest
    return digest


def _parts(value: Any) -> list[Any]:
    """Return what a value is made of; nothing for what is told by its text."""
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, _PLACES):
        return [""]
    return [getattr(value, each.name) for each in fields(value)] if is_dataclass(value) else []
