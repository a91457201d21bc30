"""Caps: how often a place runs at most."""

from __future__ import annotations

from ...finding import Level


def failure_only(cap: Level | None) -> Level | None:
    """Return the cap from failure paths only: gates around a loop do not lower what runs inside it for every batch."""
    return cap if cap is Level.FAILURE else None


def lower(cap: Level | None, other: Level) -> Level:
    """Return the lower of two caps, of which there may be only one."""
    return other if cap is None else min(cap, other)
