"""What names alone tell: whether something is called like a model."""

from __future__ import annotations

from ...facts import naming


def names_model(name: str) -> bool:
    """Whether the callee is named like a model, and not like a function that returns one."""
    words = name.lower().strip("_").split("_")
    named = name.lower() in naming.MODEL_NAMES or words[-1] in naming.MODEL_NAMES
    return named and words[0] not in naming.ACCESSORS
