"""What the watcher of CUDA sees and leaves alone, tried on torch's CUDA code: `pytest --sync-device emulated`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from synclint.runtime_checker.emulated.load import is_loaded

if not is_loaded():
    pytest.skip("needs a CUDA build of torch, and `--sync-device emulated`", allow_module_level=True)

import torch
from synclint.runtime_checker.cuda.watcher import watch_cuda
from synclint.runtime_checker.device import watch
from synclint.runtime_checker.forbid import allow_sync, forbid_sync
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint


class Reads(torch.autograd.Function):
    """Its derivative reads a value, in a thread of the engine."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        return x * 2

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Tensor:
        gradients[0].sum().item()
        return gradients[0]


@pytest.fixture
def x() -> Tensor:
    return torch.ones(3, device="cuda", requires_grad=True)


def function_of_ones_own(x: Tensor) -> None:
    Reads.apply(x).sum().backward()  # type: ignore[no-untyped-call]


def hook(x: Tensor) -> None:
    y = x * 2
    y.register_hook(lambda gradient: print(gradient.sum().item()))
    y.sum().backward()


def segment(x: Tensor) -> Tensor:
    return x * 2 if x.sum() > 0 else x


def recomputed(x: Tensor) -> None:
    with allow_sync("the forward pass is of no interest here"):
        y = checkpoint(segment, x, use_reentrant=True)
    y.sum().backward()


@pytest.mark.parametrize("backward", [function_of_ones_own, hook, recomputed])
def test_a_budget_holds_in_the_threads_of_the_engine(x: Tensor, backward: Callable[[Tensor], None]) -> None:
    with forbid_sync(max_syncs=None, device="emulated") as seen:
        backward(x)
    assert len(seen.waits) == 1
    assert backward.__name__ in [function for _, _, function in seen.waits[0].stack]
    with forbid_sync(device="emulated"), allow_sync("the whole pass"):
        backward(x)


@pytest.mark.parametrize(
    "operator", [torch.ops.aten.nonzero, torch.ops.aten.nonzero.default, torch.ops.aten._local_scalar_dense]
)
@pytest.mark.parametrize("trace", [False, True])
def test_operators_whose_warnings_go_past_python(operator: Any, trace: bool) -> None:
    one = torch.ones((), device="cuda")
    with watch_cuda(trace=trace) as watcher:
        operator(one)
        one.item()
    assert [wait.kind == "unknown" for wait in watcher.waits] == [False, False]
    assert watcher.waits[1].operator == "item"


def test_an_exception_under_the_trace_arrives() -> None:
    with watch_cuda(trace=False), pytest.raises(RuntimeError, match="shapes"):
        torch.ops.aten.mm.default(torch.ones(2, 3, device="cuda"), torch.ones(2, 3, device="cuda"))


def test_lazy_modules_move() -> None:
    with watch("emulated"):
        assert nn.LazyLinear(3).to("cuda")(torch.ones(2, 5, device="cuda")).is_cuda


class Kept(torch.Tensor):
    """Keeps its type in the functions that it knows, as torchvision's tensors do."""

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        with torch._C.DisableTorchFunctionSubclass():
            result = func(*args, **(kwargs or {}))
        return result.as_subclass(cls) if func in KNOWN or func is torch.Tensor.to else result


KNOWN = {torch.Tensor.to, torch.Tensor.cuda}


def test_subclasses_know_the_functions_that_they_are_given() -> None:
    with watch("emulated") as watcher:
        assert type(torch.ones(3).as_subclass(Kept).to("cuda")) is Kept
        assert type(torch.ones(3).as_subclass(Kept).cuda()) is Kept
    assert [wait.kind for wait in watcher.waits] == ["copy to device"] * 2


def test_a_pinned_copy_that_converts_on_the_device() -> None:
    pinned = torch.ones(3, 4).pin_memory()
    with watch("emulated") as watcher:
        pinned.to("cuda", torch.half, non_blocking=True)
        pinned.t().to("cuda", non_blocking=True)
    assert watcher.waits == []
    with watch("emulated") as watcher:
        pinned.t().to("cuda", torch.half, non_blocking=True)
        pinned[:, ::2].to("cuda", non_blocking=True)
    assert [wait.kind for wait in watcher.waits] == ["copy to device"] * 2


def test_a_device_without_a_clock_tells_no_times() -> None:
    with watch("emulated") as watcher:
        torch.ones(3).to("cuda").cpu()
        torch.cuda.synchronize()
    assert [wait.seconds for wait in watcher.waits] == [None] * 3


def test_compiled_code_is_the_users_line() -> None:
    torch._dynamo.config.capture_dynamic_output_shape_ops = True
    compiled = torch.compile(lambda x: x.nonzero() * 2)
    with watch("emulated") as watcher:
        compiled(torch.ones(3, device="cuda"))
    assert {wait.filename for wait in watcher.waits} == {__file__}
