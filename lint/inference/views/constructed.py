"""Arguments that an object was created with, and what rules ask about an argument that switches something."""

from __future__ import annotations

from ...facts.parameters import PARAMETERS
from ..values.union import NONE, Host, Instance, Value


def argument_of(made: Instance, name: str) -> Value | None:
    """Return the argument with that name that an object was created with; None if it was not passed."""
    if (given := made.argument(name)) is not None:
        return given
    names = PARAMETERS.get(made.cls.rpartition(".")[2], ())
    return made.argument(str(names.index(name))) if name in names else None


def is_on(value: Value | None) -> bool:
    """Whether the argument is certainly True."""
    return value == Host("bool", True)


def is_off(value: Value | None) -> bool:
    """Whether the argument is certainly False."""
    return value == Host("bool", False)


def may_be_on(value: Value | None) -> bool:
    """Whether the argument is passed and not known to be None or False."""
    return not is_absent(value) and not is_off(value)


def may_be_off(value: Value | None) -> bool:
    """Whether the argument is passed and not known to be None or True."""
    return not is_absent(value) and not is_on(value)


def is_absent(value: Value | None) -> bool:
    """Whether the argument is not passed, or is None."""
    return value is None or value == NONE
