"""A distribution as rules see it: its family, its arguments, whether it validates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...facts.distributions import DRAWN_WITH_NORMAL, VALIDATE, Family, family_of
from ..library.objects import as_tensor, parameters_of
from ..notes.operations import Call
from ..values.union import NONE, SPREAD, Host, Instance, Value, options_of

TRUE = Host("bool", True)


@dataclass(frozen=True, slots=True)
class Distribution:
    """A distribution; `unchecked`: the program turns validation off for all that do not specify it."""

    instance: Instance
    family: Family
    unchecked: bool

    @property
    def name(self) -> str:
        """The last name of its class."""
        return self.instance.cls.rpartition(".")[2]

    @property
    def tensors(self) -> tuple[Value, ...]:
        """The arguments, including those of the distributions it wraps: the tensors among them tell its device."""
        return tuple(map(as_tensor, parameters_of(self.instance)))

    def argument(self, name: str) -> Value | None:
        """Return the constructor's argument with that name, even if passed by position."""
        if (given := self.instance.argument(name)) is not None:
            return given
        names = (*self.family.parameters, VALIDATE)
        return self.instance.argument(str(names.index(name))) if name in names else None

    @property
    def checks_scale(self) -> bool:
        """Whether it draws with `torch.normal`, which checks the standard deviations."""
        return self.name in DRAWN_WITH_NORMAL

    @property
    def validates(self) -> bool:
        """Whether it certainly checks its parameters and values, if its family does."""
        given = self.argument(VALIDATE)
        if given is None and self.instance.argument(SPREAD) is not None:
            return False
        return not self.unchecked if given is None or given == NONE else given == TRUE

    @property
    def is_told_not_to(self) -> bool:
        """Whether it is created with `validate_args=False`."""
        return self.argument(VALIDATE) == Host("bool", False)

    @property
    def inside(self) -> Iterator[Distribution]:
        """The distributions that it wraps."""
        for _, argument in self.instance.arguments:
            yield from _each(argument, self.unchecked)


def made_by(call: Call) -> Distribution | None:
    """Return the distribution that a constructor call creates; None for other calls."""
    family = None if call.receiver is not None else family_of(call.name)
    if family is None:
        return None
    numbered = tuple((str(at), value) for at, value in enumerate(call.positional))
    return Distribution(Instance(call.name, numbered + call.keywords), family, call.unchecked)


def used_by(call: Call) -> Iterator[Distribution]:
    """Yield the distributions that a method call may be on."""
    if call.receiver is not None:
        yield from _each(call.receiver, call.unchecked)


def given_to(call: Call) -> Iterator[Distribution]:
    """Yield the distributions among the arguments of a call."""
    for value in call.positional:
        yield from _each(value, call.unchecked)


def _each(value: Value, unchecked: bool) -> Iterator[Distribution]:
    for option in options_of(value):
        if isinstance(option, Instance) and (family := family_of(option.cls)) is not None:
            yield Distribution(option, family, unchecked)
