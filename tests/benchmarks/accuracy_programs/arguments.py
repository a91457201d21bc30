"""Arguments for functions nobody told us how to call: candidates by name and type, tried until the call succeeds."""

from __future__ import annotations

import inspect
import itertools
import re
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import torch

Maker = Callable[[], Any]
"""Makes a fresh value; tensors are on the device."""

TRIES: Final = 80
"""How many combinations of arguments are tried for one call."""
NUMBERS: Final[Mapping[str, Sequence[Any]]] = {
    "int": (4, 2, 3, 1, 8),
    "float": (0.5, 1.0, 2.0),
    "bool": (False, True),
    "str": ("mean", "sum", "none"),
}
"""Values of the types of Python, by their names."""


class UnfitError(Exception):
    """No combination of arguments was accepted. The message is the last refusal."""


@dataclass(frozen=True)
class Pool:
    """What to try: by a pattern of the parameter's whole name first, then any tensor, or what its type says."""

    named: Mapping[str, Sequence[Maker]] = field(default_factory=dict)
    tensors: Sequence[Maker] = ()

    def knows(self, name: str) -> bool:
        """Whether a parameter's name says what it wants."""
        return any(re.fullmatch(pattern, name) for pattern in self.named)

    def candidates(self, parameter: inspect.Parameter) -> Sequence[Maker]:
        """What may be given for a parameter, most fitting first."""
        name = parameter.name
        named = [maker for pattern, makers in self.named.items() if re.fullmatch(pattern, name) for maker in makers]
        typed = list(self._by_type(parameter.annotation))
        return [*named, *(each for each in typed if each not in named)]

    def _by_type(self, annotation: Any) -> Iterator[Maker]:
        if typing.get_origin(annotation) is Literal:
            yield from (_constant(value) for value in typing.get_args(annotation))
            return
        text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))
        if annotation is inspect.Parameter.empty or "Tensor" in str(annotation) or "Adj" in text:
            yield from self.tensors
            return
        if found := re.search(r"[tT]uple\[(int|float)(, (?:int|float|\.\.\.))*\]", str(annotation)):
            value = 3 if found[1] == "int" else 0.5
            yield _constant((value,) * max(2, found[0].count(",") + 1))
        for kind, values in NUMBERS.items():
            if re.search(rf"\b{kind}\b", f"{text} {annotation}"):
                yield from (_constant(value) for value in values)


def _constant(value: Any) -> Maker:
    return lambda: value


def required(function: Callable[..., Any]) -> list[inspect.Parameter]:
    """The parameters that have no default; annotations are left as they are written."""
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    found = inspect.signature(function).parameters.values()
    return [each for each in found if each.default is each.empty and each.kind not in variadic and each.name != "self"]


def optional_tensors(function: Callable[..., Any]) -> list[inspect.Parameter]:
    """The parameters that may be left out and may be tensors."""
    found = inspect.signature(function).parameters.values()
    return [each for each in found if each.default is None and "Tensor" in str(each.annotation)]


def combinations(parameters: Sequence[inspect.Parameter], pool: Pool, tries: int = TRIES) -> Iterator[dict[str, Any]]:
    """Arguments by name, the most fitting first: those whose candidates stand nearest to the beginning."""
    makers = [pool.candidates(each) for each in parameters]
    for indices in itertools.islice(_nearest([len(each) for each in makers]), tries):
        yield {each.name: makers[at][index]() for at, (each, index) in enumerate(zip(parameters, indices))}


def _nearest(lengths: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Tuples of indices in the order of their sums."""
    for total in range(sum(length - 1 for length in lengths) + 1) if all(lengths) else ():
        yield from _summing_to(total, lengths)


def _summing_to(total: int, lengths: Sequence[int]) -> Iterator[tuple[int, ...]]:
    if not lengths:
        if not total:
            yield ()
        return
    for first in range(min(total, lengths[0] - 1) + 1):
        yield from ((first, *rest) for rest in _summing_to(total - first, lengths[1:]))


def fitting(
    function: Callable[..., Any], pool: Pool, others: Sequence[inspect.Parameter] = (), tries: int = TRIES
) -> dict[str, Any]:
    """Arguments by name that the function accepts, without and with the others. Raises UnfitError."""
    refusal = "there is no candidate for an argument"
    placed = {"device": torch.device("cuda")} if _asks_where(function) else {}
    for found in combinations([*required(function), *others], pool, tries):
        arguments = {**placed, **found}
        try:
            torch.manual_seed(0)
            call(function, arguments)
        except Exception as error:
            refusal = f"{type(error).__name__}: {error}".partition("\n")[0][:200]
        else:
            return arguments
    raise UnfitError(refusal)


def _asks_where(function: Callable[..., Any]) -> bool:
    """Whether the function makes tensors on a device that the caller names, and on the host otherwise."""
    device = inspect.signature(function).parameters.get("device")
    return device is not None and device.default is None


def call(function: Callable[..., Any], arguments: Mapping[str, Any]) -> Any:
    """Call with arguments by name; those that may only be given by position are."""
    by_position = [
        name
        for name, each in inspect.signature(function).parameters.items()
        if each.kind is each.POSITIONAL_ONLY and name in arguments
    ]
    named = {name: value for name, value in arguments.items() if name not in by_position}
    return function(*(arguments[name] for name in by_position), **named)
