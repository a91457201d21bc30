"""The full name of a call that was recorded with an open receiver, once the receiver is known."""

from __future__ import annotations

from ....declared import Declared
from ....facts import hidden_checks
from ....facts.logging_frameworks import SHOWN
from ...library.access import attribute, having
from ...library.own_distributions import as_of_torch
from ...library.world import Program
from ...notes.operations import OF_OBJECT
from ...notes.watched import watched
from ...values.union import UNKNOWN, Function, Host, Instance, Module, Sequence, Value, options_of


class Callees:
    """Names what calls with an open receiver call."""

    def __init__(self, program: Program, declared: Declared) -> None:
        self._program = program
        self._declared = declared

    def of(self, name: str, receiver: Value) -> tuple[str | None, Value | None]:
        """Return the full name of a call recorded with an open receiver, and what the receiver is then.

        `?()` calls the receiver itself, `?.item` its method. The name is None if it is not a call to look at.
        """
        if name == OF_OBJECT:
            for option in options_of(receiver):
                if isinstance(option, Function | Module) and self._is_watched(option.name):
                    return option.name, option.receiver if isinstance(option, Function) else None
            return next(filter(None, map(self._name_of_object, options_of(receiver))), None), receiver
        short = name.rpartition(".")[2]
        receiver = having(receiver, short)
        names = (self._name_of_method(option, short) for option in options_of(receiver))
        is_by_name = receiver is UNKNOWN or (short in SHOWN and isinstance(receiver, Sequence | Host))
        full = next(filter(None, names), name if is_by_name else None)  # a bar of progress may wrap anything
        return full, as_of_torch(receiver, self._program)

    def _is_watched(self, name: str) -> bool:
        return watched().have(name) or self._declared.wait(name) is not None

    def _name_of_object(self, callee: Value) -> str | None:
        """Return the full name for calling a metric, or a module whose calls are looked at."""
        if isinstance(callee, Instance):
            if self._program.kind(callee.cls) == "metric":
                return f"{self._program.library_base(callee.cls)}.__call__"
            if hidden_checks.is_called(callee.cls):
                return f"{callee.cls}.__call__"
        return None

    def _name_of_method(self, receiver: Value, name: str) -> str | None:
        callee = attribute(receiver, name, self._program)
        if isinstance(callee, Function | Module):
            return callee.name
        return (
            f"{receiver.cls}.{name}" if isinstance(receiver, Instance) and receiver.cls.startswith("torch.") else None
        )
