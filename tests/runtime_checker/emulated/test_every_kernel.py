"""Each operator of torch's own list, on the emulated device and on the CPU: all types of numbers, and strides.

pip install expecttest
pytest --sync-device emulated tests/runtime_checker/emulated/test_every_kernel.py
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from synclint.runtime_checker.emulated.load import is_loaded

if not is_loaded():
    pytest.skip("needs a CUDA build of torch, and `--sync-device emulated`", allow_module_level=True)
pytest.importorskip("expecttest")  # torch's list of operators needs it

import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils._pytree import tree_leaves, tree_map

WIDE: Final = {torch.float16: torch.float32, torch.bfloat16: torch.float32, torch.complex32: torch.complex64}
OTHERWISE: Final = {
    "as_strided_partial_views": "what it reads lies between the elements",
    "empty": "no values", "empty_like": "no values", "new_empty": "no values", "new_empty_strided": "no values",
    "empty_permuted": "no values", "empty_strided": "no values",
    "tensor_split": "the sections have to be on the host",
    "torch.ops.aten._scaled_dot_product_flash_attention_for_cpu": "CUDA has no kernel",
    "sparse.mm_reduce": "CUDA has no kernel either",
}  # fmt: skip
"""Operators that cannot be compared, and why."""
SAMPLES: Final = 2


def same(tensor: torch.Tensor) -> torch.Tensor:
    return tensor


def strided(tensor: torch.Tensor) -> torch.Tensor:
    """The same values, every second element of a larger memory."""
    if tensor.layout != torch.strided or not tensor.dim():
        return tensor
    wide = torch.zeros(*tensor.shape[:-1], tensor.shape[-1] * 2, dtype=tensor.dtype)
    wide[..., ::2] = tensor
    return wide[..., ::2]


def on_device(tensor: torch.Tensor) -> torch.Tensor:
    """The same tensor on the device, with its strides."""
    if tensor.layout != torch.strided or tensor.is_contiguous():
        return tensor.detach().clone().cuda()
    made = torch.empty_strided(tensor.size(), tensor.stride(), dtype=tensor.dtype, device="cuda")
    return made.copy_(tensor.detach())


def wider(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.detach().to(WIDE.get(tensor.dtype, tensor.dtype))


def copied(tensor: torch.Tensor) -> torch.Tensor:
    is_strided = tensor.layout == torch.strided and not tensor.is_contiguous()
    return strided(tensor.detach()) if is_strided else tensor.detach().clone()


def outcome(operator: Any, given: Any, prepare: Callable[[torch.Tensor], torch.Tensor]) -> list[Any] | Exception:
    def each(value: Any) -> Any:
        return prepare(value) if isinstance(value, torch.Tensor) else value

    value, args, named = tree_map(each, given)
    torch.manual_seed(0)
    try:
        return tree_leaves(operator(value, *args, **named))
    except Exception as error:
        return error


def cases(operator: Any) -> Iterator[tuple[torch.dtype, str, Any]]:
    """The operator's samples: a few as they are, the first one also with strides."""
    for dtype in sorted(operator.supported_dtypes("cuda"), key=str):
        torch.manual_seed(0)
        for at, sample in zip(range(SAMPLES), operator.sample_inputs("cpu", dtype), strict=False):
            given = (sample.input, sample.args, sample.kwargs)
            yield dtype, f"sample {at}", given
            if at == 0:
                yield dtype, "strided", tree_map(lambda x: strided(x) if isinstance(x, torch.Tensor) else x, given)


def close(one: torch.Tensor, other: torch.Tensor, tolerance: float) -> bool:
    kind = torch.complex128 if one.is_complex() or other.is_complex() else torch.float64
    dense = [(each.to_dense() if each.layout != torch.strided else each).cpu().to(kind) for each in (one, other)]
    return dense[0].shape == dense[1].shape and torch.allclose(*dense, tolerance, tolerance, equal_nan=True)


def name_of(operator: Any) -> str:
    return f"{operator.name}_{operator.variant_test_name}".rstrip("_")


@pytest.mark.parametrize("operator", [each for each in op_db if name_of(each) not in OTHERWISE], ids=name_of)
def test_it_computes_what_the_cpu_does(operator: Any) -> None:
    wrong = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for dtype, form, given in cases(operator):
            expected = outcome(operator, given, copied)
            found = outcome(operator, given, on_device)
            if isinstance(expected, Exception) and not isinstance(found, Exception):
                expected = outcome(operator, given, wider)
            if isinstance(expected, Exception):
                continue  # the CPU cannot say what is right
            if isinstance(found, Exception):
                wrong.append(f"{dtype}, {form}: {found}")
                continue
            tolerance = 0.05 if dtype in WIDE else 1e-3
            tensors = [each for each in zip(expected, found, strict=True) if isinstance(each[0], torch.Tensor)]
            # What the CPU computes with wide numbers may be too large for narrow ones.
            if not all(close(one.to(other.dtype), other, tolerance) for one, other in tensors):
                wrong.append(f"{dtype}, {form}: other values")
    assert wrong == []
