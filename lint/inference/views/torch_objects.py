"""Arguments of torch's classes and functions without a signature: by keyword, or by position according to facts."""

from __future__ import annotations

from collections.abc import Sequence

from ...facts.hidden_checks import POSITIONS
from ..notes.operations import Call
from ..values.union import NONE, Host, Instance, Value


def argument_of(made: Instance, name: str) -> Value | None:
    """Return the argument with that name that an object was created with; None if it was not passed."""
    if (given := made.argument(name)) is not None:
        return given
    names = POSITIONS.get(made.cls.rpartition(".")[2], ())
    return made.argument(str(names.index(name))) if name in names else None


def passed(call: Call, name: str, names: Sequence[str] = ()) -> Value | None:
    """Return the argument with that name in a call; `names` are its parameters in order, else those in the facts."""
    if (given := call.keyword(name)) is not None:
        return given
    names = names or POSITIONS.get(call.last_name, ())
    at = names.index(name) if name in names else len(call.positional)
    return call.positional[at] if at < len(call.positional) else None


def is_on(value: Value | None) -> bool:
    """Whether the argument is certainly True."""
    return value == Host("bool", True)


def is_off(value: Value | None) -> bool:
    """Whether the argument is certainly False."""
    return value == Host("bool", False)


def may_be_on(value: Value | None) -> bool:
    """Whether the argument is passed and not known to be None or False."""
    return not is_absent(value) and not is_off(value)


def is_absent(value: Value | None) -> bool:
    """Whether the argument is not passed, or is None."""
    return value is None or value == NONE
