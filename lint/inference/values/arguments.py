"""The arguments of a call, as needed by the functions that compute its result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ...finding import Reason
from .union import NONE, UNKNOWN, Host, Value

NOTHING: Final = (NONE, Host("bool", False))
"""What stands for an argument that is not passed."""
Keywords = tuple[tuple[str, Value], ...]
Why = Callable[[str], Reason]


class Arguments:
    """The arguments of one call, by parameter name if the signature gives one."""

    __slots__ = ("keywords", "names", "positional", "receiver", "why")

    def __init__(
        self, receiver: Value | None, positional: tuple[Value, ...], keywords: Keywords, why: Why | None = None
    ) -> None:
        self.receiver = receiver
        self.positional = positional
        self.keywords = dict(keywords)
        self.names: tuple[str, ...] = ()
        self.why = why

    def get(self, name: str) -> Value | None:
        """Return the argument for a parameter, or None if it was not passed."""
        if name in self.keywords:
            return self.keywords[name]
        if name in self.names and (at := self.names.index(name)) < len(self.positional):
            return self.positional[at]
        return None

    def given(self) -> frozenset[str]:
        """Return the names of the arguments that were passed and are not literally None or False."""
        pairs = [*zip(self.names, self.positional), *self.keywords.items()]
        return frozenset([name for name, value in pairs if not isinstance(value, Host) or value not in NOTHING])

    def first(self) -> Value:
        """Return the receiver, else the first positional argument, else `input=`."""
        if self.receiver is not None:
            return self.receiver
        if self.positional:
            return self.positional[0]
        return self.keywords.get("input", UNKNOWN)

    def all(self) -> tuple[Value, ...]:
        """Return every argument's value, the receiver first."""
        head = () if self.receiver is None else (self.receiver,)
        return (*head, *self.positional, *self.keywords.values())

    def reason(self, message: str) -> Reason | None:
        """Return a reason located at the call, if its location is known."""
        return self.why(message) if self.why else None
