"""The names of methods that tell what they are called on: tensors, no lists, no numbers."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from ...facts import attributes as facts
from ...facts.signatures import public_tensor_methods


@cache
def tensor_only(frames: bool) -> frozenset[str]:
    """Return the names that only tensors have, so using one proves a tensor; `frames`: the file also uses pandas."""
    shared = facts.SHARED_WITH_ARRAYS | facts.SHARED_WITH_OBJECTS
    return public_tensor_methods() - (shared | facts.SHARED_WITH_FRAMES if frames else shared)


def of_tensors(name: str) -> bool:
    """Whether tensors have an attribute or a method of that name."""
    return name in public_tensor_methods() or name in facts.TENSOR_HOST or name in facts.TENSOR_VIEWS


@cache
def no_array_methods() -> frozenset[str]:
    """Return the methods of tensors that no array has."""
    return public_tensor_methods() - facts.SHARED_WITH_ARRAYS - facts.ARRAY_METHODS


def may_be_of_lists(method: str, is_bare: bool, keywords: Iterable[str]) -> bool:
    """Whether a list may be what a method is called on like this."""
    taken = facts.OF_LISTS.get(method)
    return taken is not None and (is_bare or not taken.isdisjoint(keywords))


@cache
def not_of_numbers() -> frozenset[str]:
    """Return the names of tensor methods that numbers lack, Python's and NumPy's."""
    return public_tensor_methods() - facts.SHARED_WITH_ARRAYS.union(dir(int), dir(float))
