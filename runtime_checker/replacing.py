"""Attributes that are replaced temporarily."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any


def replace(stack: ExitStack, owner: Any, name: str, value: Any) -> None:
    """Set an attribute until the stack is closed."""
    had, before = name in vars(owner), vars(owner).get(name)
    setattr(owner, name, value)
    if had:
        stack.callback(setattr, owner, name, before)
    else:
        stack.callback(delattr, owner, name)
