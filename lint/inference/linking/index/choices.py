"""What the words for a choice tell: from which registry, or dict, a function or class is chosen."""

from __future__ import annotations


def kept_in(words: str) -> str:
    """Return the registry, or dict, from which a function or class is chosen."""
    return words.partition("(")[0].partition("[")[0]


def is_in_dict(words: str) -> bool:
    """Whether a function or class is chosen from a dict, by a key, and not from a registry."""
    return "(" not in words.partition("[")[0]
