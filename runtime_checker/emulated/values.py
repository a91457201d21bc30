"""Right values on the emulated device: the CPU computes what an operator's kernel would have, on the same memory.

The CUDA kernel runs all the same, for what it decides on the host: whether it waits, which shapes it refuses. The CPU
computes first, on copies of what the operator writes to. Then the kernel runs on the memory as it was, and at last the
values go where they belong.
"""

from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import torch

from .checks import UNDER_WAY
from .graphs import as_launched, captured, is_forgiven, overwrite
from .memory import host_view, is_on_device, new, on_host, write
from .substitutes import INSTEAD, WHOLE
from .widening import CONVERSIONS, narrower, narrowest, wider

Kernel: TypeAlias = Callable[..., Any]

_ON_CPU: Final = torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)
_HOST: Final = torch.device("cpu")
_COUNTED: Final = frozenset(
    {
        "aten::nonzero",
        "aten::_unique",
        "aten::_unique2",
        "aten::unique_consecutive",
        "aten::unique_dim",
        "aten::unique_dim_consecutive",
        "aten::_coalesce",
    }
)
"""Operators whose kernels count for the host how large the result is."""
_LIBRARY_FAILED: Final = re.compile(
    r"cudnn|cublas|cusolver|cusparse|cufft|nvrtc|CUDA (driver )?error|INTERNAL ASSERT", re.I
)
_CAPTURE_FAILED: Final = re.compile(r"captur", re.I)
_NO_KERNEL: Final = re.compile(r"not implemented for '|No kernel|Could not run|not (currently )?supported|unsupported")
_TENSOR: Final = ("Tensor", "Optional[Tensor]")
_KINDS: Final = (bool, int, float, complex)
_FLOATS: Final = 2
_WIDEST: Final = (torch.bool, torch.int64, torch.float64, torch.complex128)


def copy(original: Kernel, keys: Any, destination: Any, source: Any, *rest: Any, **named: Any) -> Any:
    """Copy for real; only conversions on the device are kernels, and are computed again."""
    with torch._C.DisableTorchFunction():
        values = host_view(source) if is_on_device(source) else source
        if is_on_device(source) and is_on_device(destination):
            values = values.clone()
        try:
            original(keys, destination, source, *rest, **named)
        except RuntimeError as error:
            if not is_forgiven(error):
                raise
        target = host_view(destination) if is_on_device(destination) else destination
        if not UNDER_WAY.errors and (graph := captured()) is not None:
            graph.keep(target)
            plain = host_view(source) if is_on_device(source) else source
            graph.steps.append(lambda: target.copy_(plain))
        torch.ops.aten.copy_.default.redispatch(_ON_CPU, target, values)
        return destination


@dataclass(frozen=True, slots=True)
class Answer:
    """The CPU's: a result and what it has written, or an error. `narrow` is the type that it took wide numbers for."""

    expected: Any = None
    written: Sequence[Any] = ()
    narrow: torch.dtype | None = None
    error: Exception | None = None


class Operator:
    """One operator, computed by the CPU and decided by its CUDA kernel."""

    def __init__(self, operator: Any, original: Kernel, keys: Any) -> None:
        self._operator = operator
        self._original = original
        schema = operator._schema
        self._name = f"{schema.name}.{schema.overload_name}".rstrip(".")
        self._is_whole = self._name in WHOLE
        self._cpu = WHOLE.get(self._name) or INSTEAD.get(self._name) or functools.partial(operator.redispatch, keys)
        writes = [each.alias_info is not None and each.alias_info.is_write for each in schema.arguments]
        self._written = frozenset(index for index, is_written in enumerate(writes) if is_written)
        self._written_names = frozenset(schema.arguments[index].name for index in self._written)
        self._conversions = frozenset(at for at, each in enumerate(schema.arguments) if each.name in CONVERSIONS)
        self._returns_written = [each.alias_info is not None for each in schema.returns]
        self._is_random = torch.Tag.nondeterministic_seeded in operator.tags
        self._is_counted = schema.name in _COUNTED

    def __call__(self, keys: Any, *args: Any, **named: Any) -> Any:
        """Run it, as its kernel is run."""
        with torch._C.DisableTorchFunction():
            return self._run(keys, args, named)

    def _run(self, keys: Any, args: Sequence[Any], named: dict[str, Any]) -> Any:
        args = numbers_as_tensors(self._operator, args)
        graph = None if UNDER_WAY.errors else captured()  # what an operator calls is part of it
        answer = self._compute(args, named)
        result = self._decide(keys, args, named, answer)
        writes = self._those_written(args, named)
        for tensor, values in zip(_flat(writes), _flat(answer.written)):
            if is_on_device(tensor):
                if graph is not None:
                    graph.keep(host_view(tensor))
                write(tensor, values)
        result = self._result(result, answer, writes)
        if graph is not None:
            graph.steps.append(self._again(args, named, answer.narrow, writes or result))
        return result

    def _again(
        self, args: Sequence[Any], named: dict[str, Any], narrow: torch.dtype | None, changed: Any
    ) -> Callable[[], None]:
        """Return what computes the same on the same memory; numbers of the host are arguments, and stay as they are."""
        given = [as_launched(self._on_host(each, False), each) for each in args]
        by_name = {name: as_launched(self._on_host(each, False), each) for name, each in named.items()}
        targets = [host_view(each) for each in _flat(changed) if is_on_device(each)]
        has_written = bool(self._those_written(args, named))

        def step() -> None:
            answer = self._attempt(given, by_name, narrow)
            overwrite(_flat(answer.written if has_written else answer.expected), targets)

        return step

    def _those_written(self, args: Sequence[Any], named: dict[str, Any]) -> list[Any]:
        by_name = [named[name] for name in self._written_names if name in named]
        return [args[index] for index in self._written if index < len(args)] + by_name

    def _on_host(self, value: Any, is_written: bool) -> Any:
        if isinstance(value, torch.Tensor):
            value = on_host(value) if value.is_cuda else value
            return _copy(value) if is_written else value
        if isinstance(value, list | tuple):
            return [self._on_host(each, is_written) for each in value]
        if isinstance(value, torch.device):
            return _HOST
        if isinstance(value, torch.Generator):
            return _host_generator(value)
        return value

    def _compute(self, args: Sequence[Any], named: dict[str, Any]) -> Answer:
        """Return the CPU's answer. It lacks kernels for narrow numbers that the device has, and gets wide ones then."""
        try:
            return self._attempt(args, named)
        except Exception as error:
            narrow = narrowest([*args, *named.values()])
            if narrow is not None:
                with contextlib.suppress(Exception):
                    return self._attempt(args, named, narrow)
            return Answer(error=error)

    def _attempt(self, args: Sequence[Any], named: dict[str, Any], narrow: torch.dtype | None = None) -> Answer:
        given = [self._on_host(value, index in self._written) for index, value in enumerate(args)]
        by_name = {name: self._on_host(value, name in self._written_names) for name, value in named.items()}
        if narrow is not None:
            given = [False if index in self._conversions else wider(each) for index, each in enumerate(given)]
            by_name = {name: False if name in CONVERSIONS else wider(each) for name, each in by_name.items()}
        return Answer(self._cpu(*given, **by_name), self._those_written(given, by_name), narrow)

    def _decide(self, keys: Any, args: Any, named: Any, answer: Answer) -> Any:
        """Let the CUDA kernel decide what it decides on the host, and return its result if it gets that far."""
        error = answer.error
        if self._is_whole:
            if error is not None:
                self._failed(error)
            return None
        try:
            result = self._original_with(keys, args, named, answer.expected, error)
        except torch.OutOfMemoryError:
            if error is None:
                return None
            raise
        except RuntimeError as refused:
            if error is None and is_forgiven(refused):
                return None
            if error is None and _LIBRARY_FAILED.search(str(refused)) and not _CAPTURE_FAILED.search(str(refused)):
                return None
            raise
        if error is not None:
            self._failed(error)
        return result

    def _original_with(self, keys: Any, args: Any, named: Any, expected: Any, error: Exception | None) -> Any:
        state = torch.default_generator.get_state() if self._is_random else None
        if self._is_counted and isinstance(
            first := expected[0] if isinstance(expected, tuple) else expected, torch.Tensor
        ):
            _answer(first._nnz() if first.is_sparse else first.size(0))
        UNDER_WAY.errors.append(error)
        try:
            return self._original(keys, *args, **named)
        finally:
            UNDER_WAY.errors.pop()
            if self._is_counted:
                _answer(-1)
            if state is not None:
                torch.default_generator.set_state(state)

    def _failed(self, error: Exception) -> None:
        """Stop where the CPU has refused what CUDA takes: the memory holds no values that anything may go on with."""
        if isinstance(error, NotImplementedError) or _NO_KERNEL.search(str(error)):
            why = re.split(r"\n|\. ", str(error))[0]
            raise NotImplementedError(f"the emulated device cannot compute {self._name}: {why}") from error
        raise RuntimeError(f"CUDA error: device-side assert triggered (emulated: {error})") from error

    def _result(self, result: Any, answer: Answer, writes: list[Any]) -> Any:
        expected = answer.expected
        if self._returns_written and all(self._returns_written):
            return writes[0] if len(self._returns_written) == 1 else tuple(writes)
        if len(self._returns_written) > 1:
            results = result if isinstance(result, tuple | list) else [None] * len(self._returns_written)
            values = expected if isinstance(expected, tuple | list) else [None] * len(self._returns_written)
            return tuple(_settled(one, other, answer.narrow) for one, other in zip(results, values))
        return _settled(result, expected, answer.narrow)


def _settled(result: Any, expected: Any, narrow: torch.dtype | None) -> Any:
    """The device's result with the CPU's values."""
    if isinstance(expected, list | tuple):
        results = result if isinstance(result, list | tuple) else [None] * len(expected)
        return [_settled(one, other, narrow) for one, other in zip(results, expected)]
    if not isinstance(expected, torch.Tensor):
        return expected if result is None or isinstance(expected, bool) else result
    if expected.layout != torch.strided:
        return new(expected)
    if result is None:
        return new(narrower(expected, narrow))
    if not is_on_device(result) or result.size() != expected.size():
        return new(expected.to(result.dtype)) if is_on_device(result) else expected
    return write(result, expected)


def _copy(value: torch.Tensor) -> torch.Tensor:
    """Return a copy with the same strides, which decide in which order random numbers are drawn."""
    if value.layout != torch.strided or value.is_contiguous():
        return value.clone()
    made = torch.empty_strided(value.size(), value.stride(), dtype=value.dtype, device=_HOST)
    return made.copy_(value)  # synclint: ignore[SYNC103] a tensor of the host


def _host_generator(generator: torch.Generator) -> torch.Generator:
    """Return a CPU generator in the state of a device generator, which its kernels advance."""
    host = torch.Generator()
    host.manual_seed(generator.initial_seed() + (0 if captured() else generator.get_offset()))
    return host


def numbers_as_tensors(operator: Any, args: Sequence[Any]) -> Sequence[Any]:
    """Arguments with tensors for numbers, which is what numbers next to tensors are until Python sees them."""
    tensors = [index for index in _tensors(operator) if index < len(args)]
    numbers = [index for index in tensors if type(args[index]) in _KINDS]
    if not numbers:
        return args
    others = [args[index] for index in tensors if isinstance(args[index], torch.Tensor)]
    return [as_tensor(value, others) if index in numbers else value for index, value in enumerate(args)]


@functools.cache
def _tensors(operator: Any) -> tuple[int, ...]:
    """Return the positions at which an operator takes tensors."""
    return tuple(index for index, each in enumerate(operator._schema.arguments) if str(each.type) in _TENSOR)


def as_tensor(number: complex, others: Sequence[torch.Tensor]) -> torch.Tensor:
    """A number as a tensor that takes part in the promotion of types as the number does, next to other tensors."""
    own = _KINDS.index(type(number))
    dtypes = [other.dtype for other in others] or [torch.bool]  # which cannot be promoted with unsigned numbers
    dtype = functools.reduce(torch.promote_types, dtypes)
    kind = 3 if dtype.is_complex else 2 if dtype.is_floating_point else int(dtype != torch.bool)
    if own > kind:
        default = torch.get_default_dtype()
        dtype = (dtype, torch.int64, default, (dtype if kind == _FLOATS else default).to_complex())[own]
    elif any(other.dim() for other in others):  # what has dimensions decides, and the number keeps its precision
        dtype = _WIDEST[kind]
    return torch.tensor(number, dtype=dtype, device=_HOST)


def _flat(values: Any) -> list[Any]:
    if isinstance(values, list | tuple):
        return [each for value in values for each in _flat(value)]
    return [values]


def _answer(count: int) -> None:
    from .load import answer

    answer(count)
