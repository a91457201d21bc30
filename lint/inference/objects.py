"""Arguments of torch's classes and functions that have no signature: by keyword, or by position as facts name them."""

from __future__ import annotations

from collections.abc import Sequence

from ..facts.hidden_checks import POSITIONS
from .operations import Call
from .values import NONE, Host, Instance, Value


def argument_of(made: Instance, name: str) -> Value | None:
    """The argument of that name that an object was made with; None where it was not passed."""
    if (given := made.argument(name)) is not None:
        return given
    names = POSITIONS.get(made.cls.rpartition(".")[2], ())
    return made.argument(str(names.index(name))) if name in names else None


def passed(call: Call, name: str, names: Sequence[str] = ()) -> Value | None:
    """The argument of that name in a call; `names` are its parameters in order, else those that facts know."""
    if (given := call.keyword(name)) is not None:
        return given
    names = names or POSITIONS.get(call.last_name, ())
    at = names.index(name) if name in names else len(call.positional)
    return call.positional[at] if at < len(call.positional) else None


def is_on(value: Value | None) -> bool:
    """The argument is True for sure."""
    return value == Host("bool", True)


def is_off(value: Value | None) -> bool:
    """The argument is False for sure."""
    return value == Host("bool", False)


def may_be_on(value: Value | None) -> bool:
    """The argument is passed, and is not known to be None or False."""
    return not is_absent(value) and not is_off(value)


def is_absent(value: Value | None) -> bool:
    """The argument is not passed, or is None."""
    return value is None or value == NONE
