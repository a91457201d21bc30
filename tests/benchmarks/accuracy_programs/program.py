"""Programs made of a function, a module or an object, whatever package they are from."""

from __future__ import annotations

import inspect
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, Final

import torch
from synclint.runtime_checker.observe import Wait

from .arguments import Pool, UnfitError, call, combinations, fitting, optional_tensors, required

Step = Callable[[], object]


@dataclass(frozen=True)
class Program:
    """Something real to run. `prepare` builds it, and what it returns is one step; both may raise.

    Where `whole` is false the step has more in it than is repeated, and says itself when measuring is to begin and end.
    """

    name: str
    prepare: Callable[[], Step]
    whole: bool = True


@dataclass
class Measured:
    """What happened while it was active: the rows that ran by file, and the waits."""

    rows: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    waits: list[Wait] = field(default_factory=list)
    active: bool = False
    _all: list[Wait] = field(default_factory=list)
    _begun: int = 0

    def reset(self, waits: list[Wait], *, whole: bool) -> None:
        """Forget everything; of `waits`, which grows, those count that come while it is active."""
        self.rows, self.waits, self._all = defaultdict(set), [], waits
        self._begun, self.active = len(waits), whole

    def begin(self) -> None:
        """What comes now is repeated in every step."""
        self._begun, self.active = len(self._all), True

    def end(self) -> None:
        """That was it."""
        self.waits += self._all[self._begun :]
        self.active = False


MEASURED: Final = Measured()
"""The one measurement of this process."""


def functions_of(module: ModuleType, pool: Pool) -> Iterator[Program]:
    """Each public function of a module as it is called most simply and, where it takes more tensors, with those."""
    for name, function in sorted(vars(module).items()):
        if inspect.isfunction(function) and not name.startswith("_"):
            yield from function_programs(f"{module.__name__}.{name}", function, pool)


def function_programs(name: str, function: Callable[..., Any], pool: Pool) -> Iterator[Program]:
    """The programs of one function."""
    yield Program(name, lambda: _function_step(function, pool))
    for other in optional_tensors(function):
        yield Program(f"{name} with {other.name}", lambda other=other: _function_step(function, pool, [other]))


def _function_step(function: Callable[..., Any], pool: Pool, others: Sequence[inspect.Parameter] = ()) -> Step:
    arguments = fitting(function, pool, others)
    return lambda: backward(call(function, arguments))


def modules_of(module: ModuleType, options: Pool, inputs: Pool) -> Iterator[Program]:
    """Each public torch module of a Python module, as training and as inference."""
    for name, kind in sorted(vars(module).items()):
        if inspect.isclass(kind) and issubclass(kind, torch.nn.Module) and not name.startswith("_"):
            yield Program(f"{module.__name__}.{name}", lambda kind=kind: module_step(kind, options, inputs))


def module_step(kind: Callable[..., Any], options: Pool, inputs: Pool, constructors: int = 8) -> Step:
    """A module that was built in one of a few ways and accepts some inputs. Raises UnfitError."""
    refusal: Exception = UnfitError("there is no candidate for an argument of the constructor")
    for given in combinations(required(kind), options, constructors):
        try:
            module = kind(**given).to("cuda")
            return step_of(module, inputs_of(module, inputs))
        except Exception as error:
            refusal = error
    raise refusal


def inputs_of(module: torch.nn.Module, pool: Pool) -> dict[str, Any]:
    """Inputs that a module accepts: what it demands, else with the tensors it can be given besides."""
    try:
        return fitting(module.forward, pool)
    except UnfitError:
        others = [each for each in optional_tensors(module.forward) if pool.knows(each.name)]
        if not others:
            raise
    return fitting(module.forward, pool, others)


def step_of(module: torch.nn.Module, arguments: Mapping[str, Any]) -> Step:
    """Forward and backward in training, then forward in evaluation."""

    def step() -> None:
        module.train()
        backward(module(**arguments))
        module.eval()
        with torch.no_grad():
            module(**arguments)

    return step


def backward(result: Any) -> None:
    """Go back from all results that may be differentiated."""
    losses = [each.abs().sum() for each in _tensors(result) if each.requires_grad]
    if losses:
        torch.stack([loss.float() for loss in losses]).sum().backward()


def _tensors(result: Any, depth: int = 4) -> Iterator[torch.Tensor]:
    if isinstance(result, torch.Tensor):
        yield result
    elif depth and isinstance(result, Mapping):
        for each in result.values():
            yield from _tensors(each, depth - 1)
    elif depth and isinstance(result, (list, tuple)):
        for each in result:
            yield from _tensors(each, depth - 1)


def unique(programs: Iterable[Program]) -> Iterator[Program]:
    """The programs without those whose names were there before."""
    seen: set[str] = set()
    for each in programs:
        if each.name not in seen:
            seen.add(each.name)
            yield each
