"""Watches every operator: carries the device mark from operands to results, and records what waits."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from .device import ON_DEVICE, tensors_in, words
from .operators import OPERATORS
from .waits import Rule

if TYPE_CHECKING:
    from .device import Device

COMPOSITE: Final = torch._C.DispatchKey.CompositeImplicitAutograd
MIXES: Final = words(
    """copy_ _foreach_copy_ index _unsafe_index index_put index_put_ _index_put_impl_ _unsafe_index_put set_
    _pack_padded_sequence _pad_packed_sequence lstm gru rnn_tanh rnn_relu tensor_split is_same_size _ctc_loss ctc_loss
    _has_compatible_shallow_copy_type resize_as_ result_type _fused_adam_ _fused_adamw_ _fused_sgd_ _fused_adagrad_
    where"""
)
"""Operators that take tensors of host and device together."""
RETURN_HOST: Final = frozenset({"copy_", "_foreach_copy_"})
"""Operators that return what they have written to, wherever that is."""
RETURN_HOST_SECOND: Final = frozenset({"_pack_padded_sequence", "_pad_packed_sequence"})
"""Operators whose second result stays on the host."""
WANT_DIMENSIONS: Final = frozenset({"cat", "stack", "mm", "bmm", "addmm", "embedding", "index_select", "gather"})
"""Operators that do not accept even a zero-dimensional CPU tensor."""


HALVES: Final = (torch.float16, torch.bfloat16)
WHOLE: Final = (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64)
LACKING: Final = "not implemented for '"
"""The messages of CPU kernels about a dtype that they lack."""


class DispatchMode(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Sees each operator of one thread, below autograd, in forward and in backward."""

    def __init__(self, device: Device) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.device = device

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Exclude the compiler: nothing is compiled here, and merely asking imports it."""
        return False

    def __torch_dispatch__(
        self, func: Any, types: Any, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        """Run one operator."""
        kwargs = kwargs or {}
        if not self.device.watchers:
            return func(*args, **kwargs)
        if _is_composite(func):
            with self:
                return func._op_dk(COMPOSITE, *args, **kwargs)
        return _run(self.device, func, args, kwargs)


@functools.cache
def _is_composite(func: Any) -> bool:
    """Whether an operator is composed of others; only without autograd does it arrive here undivided."""
    return func.namespace == "aten" and torch._C._dispatch_has_kernel_for_dispatch_key(func.name(), COMPOSITE)


@functools.cache
def _rule(func: Any) -> tuple[Rule, tuple[str, ...], str] | None:
    """Return the rule for an operator, the names of its arguments, and its plain name."""
    full: str = func.name()
    rule = OPERATORS.get(full) or OPERATORS.get(full.partition(".")[0])
    return None if rule is None else (rule, tuple(a.name for a in func._schema.arguments), _short(func))


@functools.cache
def _short(func: Any) -> str:
    name: str = func.name()
    return name.partition("::")[2].partition(".")[0]


def _run(device: Device, func: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    tensors = list(tensors_in(args, kwargs))
    there = [tensor in ON_DEVICE for tensor in tensors]
    if not any(there):
        if tensors:
            device.here.last = False
            return func(*args, **kwargs)
        result = func(*args, **kwargs)
        return _mark(result) if device.creates_on_device() else result
    device.here.last = True
    if not all(there) and not device.here.muted:
        _refuse_mixture(func, tensors, there)
    _record(device, func, args, kwargs)
    result = _compute(func, args, kwargs)
    if device.capturing is not None and not device.here.muted:
        device.capturing.steps.append((func, args, kwargs, result))
    short = _short(func)
    if short in RETURN_HOST:
        return result
    _mark(result[0] if short in RETURN_HOST_SECOND else result)
    return result


def _record(device: Device, func: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
    found = _rule(func)
    if found is None:
        return
    rule, names, short = found
    values = dict(zip(names, args, strict=False))
    device.waits(device.operator(short), rule, {**values, **kwargs})


def _compute(func: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """Run an operator, in a wider dtype if only GPUs support the requested one."""
    try:
        return func(*args, **kwargs)
    except (NotImplementedError, RuntimeError) as error:
        if LACKING not in str(error) or func._schema.is_mutable:
            raise
        dtypes = [tensor.dtype for tensor in tensors_in(args, kwargs)]
        narrow = HALVES if any(dtype in HALVES for dtype in dtypes) else WHOLE
        wide = [_widened(value, narrow) for value in args]
        return _narrowed(func(*wide, **{name: _widened(value, narrow) for name, value in kwargs.items()}), dtypes[0])


def _widened(value: Any, narrow: Sequence[torch.dtype]) -> Any:
    if isinstance(value, (list, tuple)):
        return type(value)(_widened(item, narrow) for item in value)
    wide = torch.float32 if narrow is HALVES else torch.float64
    return value.to(wide) if isinstance(value, torch.Tensor) and value.dtype in narrow else value


def _narrowed(result: Any, dtype: torch.dtype) -> Any:
    if isinstance(result, (list, tuple)):
        return type(result)(_narrowed(item, dtype) for item in result)
    return result.to(dtype) if isinstance(result, torch.Tensor) and result.is_floating_point() else result


def _mark(result: Any) -> Any:
    """Mark what an operator returned as being on the device."""
    if isinstance(result, torch.Tensor):
        ON_DEVICE.add(result)
    elif isinstance(result, (tuple, list)):
        for item in result:
            _mark(item)
    return result


def _refuse_mixture(func: Any, tensors: Sequence[torch.Tensor], there: Sequence[bool]) -> None:
    """Raise CUDA's error for operands of host and device that no kernel accepts together."""
    short = _short(func)
    if func.namespace != "aten" or torch._C._current_graph_task_id() != -1:
        return  # what passed the forward pass is right in the backward pass
    if short in ("index", "_unsafe_index") and not there[0]:
        raise RuntimeError("indices should be either on cpu or on the same device as the indexed tensor (cpu)")
    if short in MIXES or short.startswith("_nested"):
        return
    writes_to_host = func._schema.is_mutable and not there[0]
    with torch._C.DisableTorchFunction():
        misplaced = [tensor for tensor, on in zip(tensors, there, strict=True) if not on and tensor.dim()]
    if misplaced or writes_to_host or short in WANT_DIMENSIONS:
        raise RuntimeError(
            "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu! "
            f"(when checking arguments of {short})"
        )
