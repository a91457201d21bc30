"""Distributions of a program's own classes, as those of torch's class whose methods they inherit."""

from __future__ import annotations

from ...facts.distributions import KIND, TOLD, VALIDATE, family_of
from ..values.arguments import Arguments
from ..values.joining import join_all
from ..values.union import AS_PARENT, Instance, Value, options_of
from .world import Program


def as_of_torch(value: Value, program: Program) -> Value:
    """Return what a value is as torch's own methods see it, which check what torch's constructor was told to check.

    What a constructor of the program passes on to torch's is not known, but for `validate_args`.
    """
    options = options_of(value)
    if not any(_is_own(option, program) for option in options):
        return value
    return join_all(_of_torch(option, program) if _is_own(option, program) else option for option in options)


def _is_own(value: Value, program: Program) -> bool:
    return isinstance(value, Instance) and program.kind(value.cls) == KIND and program.owns(value.cls)


def _of_torch(value: Value, program: Program) -> Value:
    assert isinstance(value, Instance)
    arguments = value.arguments
    if arguments == AS_PARENT or program.member(value, "__init__") is not None:
        arguments = tuple(each for each in arguments if each[0] == VALIDATE)
    told = program.member(value, TOLD)
    if told is not None:
        arguments = (*(each for each in arguments if each[0] != VALIDATE), (VALIDATE, told))
    return Instance(program.library_base(value.cls), arguments, value.device)


def told_to_validate(cls: str, arguments: Arguments) -> Value | None:
    """Return what one of torch's constructors is given for `validate_args`; None if nothing."""
    family = family_of(cls)
    at = len(family.parameters) if family is not None else len(arguments.positional)
    return arguments.keywords.get(VALIDATE) or next(iter(arguments.positional[at : at + 1]), None)
