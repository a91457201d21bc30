"""torch's CUDA code, run without a GPU: what it computes, when it waits, what it refuses.

    pytest --sync-device emulated tests/runtime_checker/emulated

in an environment with a CUDA build of torch (docs/runtime-checker.md).
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
import warnings
from collections.abc import Callable
from typing import Any

import pytest
from synclint.runtime_checker.emulated.load import is_loaded

if not is_loaded():
    pytest.skip("needs a CUDA build of torch, and `--sync-device emulated`", allow_module_level=True)

import torch
import torch.nn.functional as F
from synclint.runtime_checker.cuda.watcher import watch_cuda
from synclint.runtime_checker.device import DeviceError, watch
from synclint.runtime_checker.emulated import values
from torch import Tensor, nn

Compute = Callable[[torch.device], Any]


def seeded(*shape: int, device: torch.device, **options: Any) -> Tensor:
    return torch.randn(*shape, device=device, **options)


def trained(module: Callable[[], nn.Module], *shape: int, optimizer: Any = torch.optim.SGD) -> Compute:
    """Two steps of a module's training; its parameters."""

    def compute(device: torch.device) -> list[Tensor]:
        model = module().to(device)
        stepping = optimizer(model.parameters(), lr=0.01)
        for _ in range(2):
            stepping.zero_grad()
            result = model(seeded(*shape, device=device))
            (result[0] if isinstance(result, tuple) else result).square().mean().backward()
            stepping.step()
        return list(model.parameters())

    return compute


def attended(dtype: torch.dtype, **options: Any) -> Compute:
    def compute(device: torch.device) -> list[Tensor]:
        given = [seeded(2, 2, 5, 8, device=device).to(dtype).requires_grad_() for _ in range(3)]
        result = F.scaled_dot_product_attention(*given, **options)
        result.sum().backward()
        return [result, *(each.grad for each in given if each.grad is not None)]

    return compute


def scaled(device: torch.device) -> list[Tensor]:
    model = nn.Linear(4, 2).to(device)
    optimizer, scaler = torch.optim.SGD(model.parameters(), 0.1), torch.amp.GradScaler(device.type, init_scale=8.0)
    loss = model(seeded(3, 4, device=device)).square().sum()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    return list(model.parameters())


def in_place(device: torch.device) -> Tensor:
    x = seeded(4, 4, device=device)
    x[x > 0] = 1.0
    x[:, 1].mul_(2).add_(x[:, 0])
    x.add_(x)
    x.t()[0] += 3
    x[torch.tensor([0, 0], device=device), torch.tensor([1, 2], device=device)] = torch.tensor(
        [5.0, 6.0], device=device
    )
    return torch.cumsum(x, 0, out=torch.empty(0, device=device))


def views(device: torch.device) -> list[Tensor]:
    z = torch.complex(seeded(3, device=device), seeded(3, device=device))
    return [z.conj() * 2, z.conj().imag + 1, torch.view_as_real(z), seeded(2, 3, device=device).T.contiguous()]


def sparse(device: torch.device) -> list[Tensor]:
    where = torch.tensor([[0, 1, 1], [2, 0, 2]], device=device)
    values = torch.ones(3, device=device, requires_grad=True)
    product = torch.sparse_coo_tensor(where, values, (2, 3)) @ torch.ones(3, 2, device=device)
    product.sum().backward()
    assert values.grad is not None
    return [product, values.grad, torch.eye(3, device=device).to_sparse().coalesce().values()]


def shapes(device: torch.device) -> list[Tensor]:
    x = torch.tensor([3, 1, 1, 0, 2], device=device)
    return [
        x.nonzero(), x.unique(), x[x > 1], *torch.unique(x, return_inverse=True, return_counts=True), x.bincount(),
        torch.unique(torch.stack([x, x]), dim=1), torch.repeat_interleave(x, x), F.one_hot(x),
        torch.unique_consecutive(x),
    ]  # fmt: skip


def factored(device: torch.device) -> list[Tensor]:
    a = seeded(4, 4, device=device)
    a = a @ a.T + torch.eye(4, device=device)
    solved = torch.linalg.solve(a, seeded(4, device=device))
    return [torch.linalg.inv(a), torch.linalg.cholesky(a), torch.linalg.svdvals(a), solved, torch.linalg.eigvalsh(a),
            torch.linalg.det(a), torch.linalg.matrix_exp(a / 9), torch.linalg.lstsq(a, a).solution]  # fmt: skip


def random(device: torch.device) -> list[Tensor]:
    return [torch.rand(3, device=device), F.dropout(torch.ones(9, device=device)), torch.randperm(5, device=device),
            torch.multinomial(torch.ones(4, device=device), 2), torch.randint(9, (3,), device=device)]  # fmt: skip


def compared(device: torch.device) -> list[bool]:
    x = torch.arange(3, device=device)
    return [torch.equal(x, x.clone()), torch.equal(x, x + 1), torch.allclose(x.float(), x.float()), bool((x > 1).any())]


def mixed(device: torch.device) -> list[Tensor]:
    """Tensors with numbers of another kind: the number takes part in the promotion of types, weakly."""
    x, flag = torch.arange(4, device=device), torch.tensor(True, device=device)
    return [x * 2.5, x / 3, x.sum() * 0.5, flag + 1, x * 2j, x.float() * 2j, x.half().sum() * 3.0, x == 1.5,
            torch.where(x > 1, 1.0, 0.0), torch.where(x > 1, x, 7), 3 - x, 2**x, x.double() * 0.1]  # fmt: skip


def small(device: torch.device) -> list[Tensor]:
    x = seeded(3, 4, device=device).half()
    return [x @ x.T, x.softmax(1), F.layer_norm(x, (4,)), x * 2.5, x.bfloat16().sum(), x.float().mul(3).to(torch.int32)]


COMPUTATIONS: dict[str, Compute] = {
    "linear": trained(lambda: nn.Sequential(nn.Linear(8, 4), nn.ReLU(), nn.Linear(4, 1)), 3, 8),
    "foreach": trained(lambda: nn.Linear(3, 3), 2, 3, optimizer=lambda p, lr: torch.optim.Adam(p, lr, foreach=True)),
    "fused": trained(lambda: nn.Linear(3, 3), 2, 3, optimizer=lambda p, lr: torch.optim.Adam(p, lr, fused=True)),
    "convolution": trained(lambda: nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.MaxPool2d(2)), 2, 3, 8, 8),
    "transposed": trained(lambda: nn.ConvTranspose2d(3, 4, 3, stride=2, output_padding=1), 2, 3, 4, 4),
    "depthwise": trained(lambda: nn.Conv2d(4, 4, 3, groups=4), 2, 4, 6, 6),
    "lstm": trained(lambda: nn.LSTM(3, 4, num_layers=2, bidirectional=True), 5, 2, 3),
    "gru": trained(lambda: nn.GRU(3, 4, batch_first=True), 2, 5, 3),
    "cells": trained(lambda: nn.Sequential(nn.GRUCell(3, 4), nn.Linear(4, 2)), 2, 3),
    "transformer": trained(lambda: nn.TransformerEncoderLayer(8, 2, 16, dropout=0.1), 5, 2, 8),
    "attention": attended(torch.float32),
    "causal": attended(torch.float32, is_causal=True, dropout_p=0.2),
    "embedding": lambda device: F.embedding_bag(
        torch.tensor([0, 2, 1], device=device), seeded(4, 3, device=device), torch.tensor([0, 2], device=device)
    ),
    "scaler": scaled, "in place": in_place, "views": views, "sparse": sparse, "shapes": shapes, "linalg": factored,
    "random": random, "compared": compared, "mixed": mixed,
    "half": small,
    "losses": lambda device: [
        F.cross_entropy(seeded(4, 3, device=device), torch.tensor([0, 1, 2, 1], device=device), label_smoothing=0.1),
        F.ctc_loss(seeded(5, 2, 4, device=device).log_softmax(-1), torch.ones(2, 3, dtype=torch.long, device=device),
                   torch.full((2,), 5, device=device), torch.full((2,), 3, device=device)),
        F.nll_loss(seeded(2, 3, device=device), torch.tensor([0, 2], device=device)),
    ],
    "fourier": lambda device: torch.stft(seeded(64, device=device), 16, window=torch.hann_window(16, device=device),
                                         return_complex=True),
}  # fmt: skip


@pytest.mark.parametrize("name", COMPUTATIONS)
def test_values_are_those_of_the_cpu(name: str) -> None:
    results = []
    for device in ("cpu", "cuda"):
        torch.manual_seed(1)
        results.append(COMPUTATIONS[name](torch.device(device)))
    expected, found = results
    torch.testing.assert_close(
        torch.utils._pytree.tree_map_only(Tensor, lambda each: each.detach().cpu(), found),
        torch.utils._pytree.tree_map_only(Tensor, lambda each: each.detach(), expected),
        rtol=2e-3, atol=2e-4,
    )  # fmt: skip


def lines(compute: Callable[[], object], **options: Any) -> list[tuple[str, str]]:
    with watch("emulated") as watcher:
        compute()
    return [(wait.operator, wait.kind) for wait in watcher.waits]


def test_what_waits_is_told_once() -> None:
    x = torch.tensor([3.0, 1.0, 2.0], device="cuda")
    assert lines(lambda: x.sum().item()) == [("item", "reads value")]
    assert lines(lambda: torch.cuda.synchronize()) == [("synchronize", "synchronize")]
    assert lines(lambda: torch.cuda.current_stream().synchronize()) == [("synchronize", "synchronize")]
    assert lines(lambda: x * 2 + x.mean()) == []


def test_waits_that_torch_does_not_warn_about() -> None:
    """thrust waits by itself, and no debug mode says so."""
    x = torch.tensor([[3], [1]], device="cuda")
    with watch_cuda(trace=False) as warned:
        x.unique(dim=0)
    assert not warned.waits
    assert lines(lambda: x.unique(dim=0))


def test_waits_of_backward_are_at_the_line_that_called_it() -> None:
    x = torch.randn(4, 3, device="cuda", requires_grad=True)
    loss = (x * 1)[x > 0].sum()
    assert lines(lambda: loss.backward()) == [("backward", "unknown")]


def test_memory_that_is_given_back() -> None:
    torch.ones(1 << 23, device="cuda")
    assert lines(lambda: torch.cuda.empty_cache()) == [("empty_cache", "allocator")]


def test_an_exception_survives_the_gpu_trace() -> None:
    """While it is on, torch calls Python where memory is freed, and an exception in flight was lost."""

    def fails(_: Tensor) -> None:
        raise KeyError("the program's own")

    with watch_cuda():
        torch.ones(3, device="cuda")
    with pytest.raises(KeyError, match="own"):
        fails(torch.ones(3, device="cuda") * 2)


def test_pinned_memory_and_events() -> None:
    pinned = torch.ones(4).pin_memory()
    assert pinned.is_pinned()
    assert lines(lambda: pinned.to("cuda", non_blocking=True)) == []
    assert lines(lambda: torch.ones(4).to("cuda", non_blocking=True)) == [("to", "copy to device")]
    first, second = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    first.record()
    second.record()
    assert 0 <= first.elapsed_time(second) < 10_000


def test_what_is_refused() -> None:
    with pytest.raises(torch.OutOfMemoryError):
        torch.empty(1 << 40, device="cuda")
    with pytest.raises(RuntimeError, match="device-side assert triggered"):
        torch.arange(3, device="cuda")[torch.tensor([7], device="cuda")]
    with pytest.raises(torch.linalg.LinAlgError, match="positive-definite"):
        torch.linalg.cholesky(-torch.eye(2, device="cuda"))
    with pytest.raises(RuntimeError, match="same device"):
        torch.ones(3, device="cuda") + torch.ones(3)
    with pytest.raises(DeviceError, match="runs on the emulated device"):
        watch("cuda")


CHECKED = {
    "cholesky_ex": lambda x: torch.linalg.cholesky_ex(x, check_errors=True),
    "inv_ex": lambda x: torch.linalg.inv_ex(x, check_errors=True),
    "lu_factor_ex": lambda x: torch.linalg.lu_factor_ex(x, check_errors=True),
    "solve": lambda x: torch.linalg.solve(x, x),
    "svd": lambda x: torch.linalg.svd(x.where(x != 0, math.nan)),
}


@pytest.mark.parametrize("name", CHECKED)
@pytest.mark.parametrize("last", [1.0, 0.0])
def test_errors_of_linear_algebra_are_those_of_the_cpu(name: str, last: float) -> None:
    """An operator that checks within itself did so before its values were there."""
    singular = torch.stack([torch.eye(2), torch.diag(torch.tensor([1.0, last]))])
    torch.linalg.cholesky_ex(torch.zeros(2, 2, 2, device="cuda"))  # leaves its failure in memory that is used again

    def outcome(device: str) -> str:
        try:
            CHECKED[name](singular.to(device))
        except RuntimeError as error:
            return f"{type(error).__name__}: {error}"
        return ""

    assert outcome("cuda") == outcome("cpu")


def test_what_is_compiled_runs_operator_by_operator() -> None:
    """There is nothing that Triton's kernels could run on."""
    model, x = nn.Linear(4, 2).cuda(), torch.ones(3, 4, device="cuda")

    def step(x: Tensor) -> Tensor:
        y = model(x).sigmoid()
        return y * 2 if y.sum().item() > 0 else y * 3

    compiled = torch.compile(step)
    gradients = []
    for each in (step, compiled):
        model.zero_grad()
        each(x).sum().backward()
        gradients.append(model.weight.grad)
    torch.testing.assert_close(*gradients)
    assert lines(lambda: compiled(x)) == [("item", "reads value")]


def test_a_world_of_one(tmp_path: Any) -> None:
    torch.distributed.init_process_group("nccl", init_method=f"file://{tmp_path}/store", rank=0, world_size=1)
    try:
        x = torch.arange(3.0, device="cuda")
        torch.distributed.all_reduce(x)
        gathered = [torch.zeros(3, device="cuda")]
        torch.distributed.all_gather(gathered, x)
        model = nn.parallel.DistributedDataParallel(nn.Linear(3, 1).cuda())
        with watch("emulated") as watcher:
            for _ in range(12):
                model(x[None]).sum().backward()
        timers = [each for each in watcher.waits if each.operator == "set_runtime_stats_and_log"]
        assert len(timers) == 8 * 10
    finally:
        torch.distributed.destroy_process_group()
    assert gathered[0].tolist() == [0.0, 1.0, 2.0]


def test_values_change_no_warning() -> None:
    """torch decides alone: with and without values, the debug mode warns as often."""
    code = os.path.join(os.path.dirname(__file__), "count_warnings.py")
    with_values, without = (
        subprocess.run([sys.executable, code, mode], capture_output=True, text=True) for mode in ("values", "stubs")
    )
    assert without.returncode == 0, without.stderr
    assert with_values.stdout == without.stdout != ""


def test_the_default_device_is_no_matter() -> None:
    with torch.device("cuda"), warnings.catch_warnings():
        warnings.simplefilter("error")
        assert (torch.ones(3) + 1).sum().item() == 6.0


def test_a_process_may_fork_before_it_uses_the_device() -> None:
    code = """
import os
from synclint.runtime_checker.emulated.load import load
load()
import torch
if not os.fork():
    os._exit(int(torch.ones(3, device="cuda").sum().item()))
print(os.waitstatus_to_exitcode(os.wait()[1]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "3\n", done.stderr


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("function", [F.softmax, F.log_softmax])
def test_softmax_of_half_precision(dtype: torch.dtype, function: Callable[..., Tensor]) -> None:
    """Under autocast the kernel is given narrow numbers and makes wide ones, which the CPU's does not."""
    x, w = (torch.randn(8, 8, device="cuda", requires_grad=True) for _ in range(2))
    with torch.autocast("cuda", dtype=dtype):
        result = function(x @ w, -1)
    result[:, 0].sum().backward()
    narrow = function((x @ w).to(dtype), -1)
    wide = function((x @ w).detach(), -1)
    assert (result.dtype, narrow.dtype) == (torch.float32, dtype)
    for found in (result, narrow.float()):
        torch.testing.assert_close(found, wide, rtol=0.03, atol=0.03)
    expected = torch.autograd.grad(function(x @ w, -1)[:, 0].sum(), x)[0]
    torch.testing.assert_close(x.grad, expected, rtol=0.05, atol=0.05)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("module", [nn.GRU, nn.LSTM, nn.RNN])
def test_recurrent_layers_of_half_precision(dtype: torch.dtype, module: Callable[..., nn.Module]) -> None:
    layer, other = module(8, 8, 2, bidirectional=True).cuda(), module(8, 8, 2, bidirectional=True)
    other.load_state_dict(layer.state_dict())
    x = torch.randn(5, 2, 8, device="cuda")
    with torch.autocast("cuda", dtype=dtype):
        result = layer(x)[0]
    result.float().square().sum().backward()
    expected = other(x.cpu())[0]
    expected.square().sum().backward()
    assert result.dtype == dtype
    torch.testing.assert_close(result.float().cpu(), expected, rtol=0.05, atol=0.05)
    for one, two in zip(layer.parameters(), other.parameters(), strict=True):
        torch.testing.assert_close(one.grad.cpu(), two.grad, rtol=0.1, atol=0.1)


def test_what_has_no_values_stops_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(*_: object) -> None:
        raise NotImplementedError("\"relu\" not implemented for 'Half'. And more.")

    monkeypatch.setattr(values.Operator, "_attempt", refuses)
    with pytest.raises(NotImplementedError, match="the emulated device cannot compute aten::clamp_min"):
        torch.relu(torch.empty(3, device="cuda"))
