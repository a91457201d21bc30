"""The senses for a real GPU: their logic with fakes, and, where there is a GPU, the truth."""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("torch")

import torch
from synclint.runtime_checker import observe
from synclint.runtime_checker.cuda import profile
from synclint.runtime_checker.cuda.patches import Patches, staged
from synclint.runtime_checker.cuda.profile import surplus, waits_in
from synclint.runtime_checker.cuda.senses import SENSES, NoCudaError
from synclint.runtime_checker.cuda.warning_hook import WarningHook
from synclint.runtime_checker.cuda.watcher import watch_cuda
from synclint.runtime_checker.observe import Wait

gpu = pytest.mark.gpu
needs_gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
HERE = os.path.abspath(__file__)

# The frames of the fakes must not be seen, as those of C are not: they bear a name in the observer's own folder.
FAKES = """
import time, warnings
from torch.cuda import _gpu_trace

TEXT = "called a synchronizing CUDA operation (Triggered internally at /c10/cuda/CUDAFunctions.cpp:63.)"

def wait(mode, count=1, seconds=0.0, trace=True, raises=False):
    for _ in range(count):
        if trace:
            _gpu_trace.StreamSynchronizationCallbacks.fire_callbacks(7)
        time.sleep(seconds)
    if raises:
        raise ValueError("the operator failed")
    for _ in range(count if mode() else 0):
        warnings.warn(TEXT, UserWarning, stacklevel=2)
"""


class Fake:
    """A torch that can set the mode, and operators that wait."""

    def __init__(self) -> None:
        self.mode = 0
        names: dict[str, Any] = {}
        exec(compile(FAKES, os.path.join(observe.HERE, "fakes.py"), "exec"), names)
        self._wait: Callable[..., None] = names["wait"]

    def set_mode(self, mode: int) -> None:
        self.mode = mode
        if mode:
            warnings.warn("Synchronization debug mode is a prototype feature and does not yet detect", stacklevel=1)

    def __getattr__(self, name: str) -> Callable[..., None]:
        import functools

        return functools.partial(self._wait, lambda: self.mode)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Fake:
    fake = Fake()
    monkeypatch.setattr(torch._C, "_cuda_get_sync_debug_mode", lambda: fake.mode, raising=False)
    monkeypatch.setattr(torch._C, "_cuda_set_sync_debug_mode", fake.set_mode, raising=False)
    monkeypatch.setattr(torch._C, "_activate_gpu_trace", lambda: None)
    return fake


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    from torch.cuda import _gpu_trace

    before = (list(warnings.filters), warnings._showwarnmsg, warnings.resetwarnings, warnings._add_filter)  # type: ignore[attr-defined]
    leaving, copying = warnings.catch_warnings.__exit__, {name: getattr(torch.Tensor, name) for name in ("to", "copy_")}
    yield
    assert (list(warnings.filters), warnings._showwarnmsg, warnings.resetwarnings, warnings._add_filter) == before  # type: ignore[attr-defined]
    assert warnings.catch_warnings.__exit__ is leaving
    assert {name: getattr(torch.Tensor, name) for name in copying} == copying
    assert "to" not in vars(torch.Tensor)
    assert not _gpu_trace.StreamSynchronizationCallbacks.callback_list


def line_above() -> int:
    return sys._getframe(1).f_lineno - 1


def test_each_wait_is_recorded_at_its_line(fake: Fake) -> None:
    with watch_cuda() as watcher:
        for _ in range(3):
            fake.item(seconds=0.002)
            at = line_above()
    assert [wait.place for wait in watcher.waits] == [(HERE, at)] * 3
    assert {(wait.operator, wait.kind) for wait in watcher.waits} == {("item", "reads value")}
    assert all(0.002 <= (wait.seconds or 0) < 0.1 for wait in watcher.waits)
    assert watcher.waits[0].stack[-1] == (HERE, at, "test_each_wait_is_recorded_at_its_line")


def test_an_operator_that_waits_twice(fake: Fake) -> None:
    with watch_cuda() as watcher:
        started = time.perf_counter()
        fake.bincount(count=2, seconds=0.01)
        seconds = time.perf_counter() - started
    assert [wait.kind for wait in watcher.waits] == ["data-dependent shape"] * 2
    assert all((wait.seconds or 0) >= 0.01 for wait in watcher.waits)
    assert sum(wait.seconds or 0 for wait in watcher.waits) <= seconds


def test_without_the_trace_times_are_unknown(fake: Fake) -> None:
    with watch_cuda(trace=False) as watcher:
        fake.item(trace=False)
    assert [wait.seconds for wait in watcher.waits] == [None]


def test_an_operator_that_raises_is_known_by_the_trace(fake: Fake) -> None:
    with watch_cuda() as watcher:
        with pytest.raises(ValueError, match="failed"):
            fake.nonzero(raises=True)
        fake.item()
    assert [(wait.operator, wait.seconds is None) for wait in watcher.waits] == [("nonzero", True), ("item", False)]


def test_a_program_that_switches_the_mode_off_is_known_by_the_trace(fake: Fake) -> None:
    with watch_cuda() as watcher:
        fake.mode = 0
        fake.item()
    assert [(wait.operator, wait.seconds) for wait in watcher.waits] == [("item", None)]
    assert fake.mode == 0


def ignore_all() -> None:
    warnings.filterwarnings("ignore")


def ignore_simply() -> None:
    warnings.simplefilter("ignore")


def reset() -> None:
    warnings.resetwarnings()


def write_to_the_list() -> None:
    warnings.filters.insert(0, ("ignore", None, Warning, None, 0))  # type: ignore[attr-defined]


def log_them() -> None:
    logging.captureWarnings(True)


@pytest.mark.parametrize("silence", [ignore_all, ignore_simply, reset, write_to_the_list, log_them])
def test_the_hook_survives_what_programs_do_to_warnings(fake: Fake, silence: Callable[[], None]) -> None:
    with warnings.catch_warnings():
        try:
            with watch_cuda() as watcher:
                silence()
                fake.item()
                fake.item()
        finally:
            logging.captureWarnings(False)
    assert len(watcher.waits) == 2


def test_the_hook_survives_a_block_that_catches_warnings(fake: Fake) -> None:
    with watch_cuda(trace=False) as watcher:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("error")
            fake.item(trace=False)
            fake.item(trace=False)
        fake.item(trace=False)
    assert len(watcher.waits) == 3
    assert not caught


def test_entered_within_a_block_that_catches_warnings_and_left_after_it(fake: Fake) -> None:
    block = warnings.catch_warnings()
    block.__enter__()
    with watch_cuda(trace=False) as watcher:
        block.__exit__(None, None, None)
        fake.item(trace=False)
    assert len(watcher.waits) == 1


def test_other_warnings_go_their_way(fake: Fake) -> None:
    with watch_cuda(), pytest.warns(RuntimeWarning, match="something else"):
        warnings.warn("something else", RuntimeWarning, stacklevel=1)


def test_an_earlier_mode_and_its_warnings_stay(fake: Fake) -> None:
    fake.mode = 1
    with pytest.warns(UserWarning, match="called a synchronizing"), watch_cuda():
        fake.item()
    assert fake.mode == 1


def test_the_mode_is_restored_when_the_program_raises(fake: Fake) -> None:
    def program() -> None:
        fake.item()
        raise SystemExit(3)

    with pytest.raises(SystemExit), watch_cuda() as watcher:
        program()
    assert fake.mode == 0
    assert len(watcher.waits) == 1


def test_watchers_within_watchers(fake: Fake) -> None:
    with watch_cuda() as outer:
        fake.item()
        with watch_cuda() as inner:
            fake.item()
        assert fake.mode == 1
        fake.item()
    assert (len(outer.waits), len(inner.waits)) == (3, 1)


def test_waits_of_other_threads(fake: Fake) -> None:
    with watch_cuda() as watcher:
        thread = threading.Thread(target=lambda: fake.item(seconds=0.001))
        thread.start()
        thread.join()
    assert [wait.filename for wait in watcher.waits] == [HERE]


def test_waits_of_backward_are_the_lines_that_call_it(fake: Fake) -> None:
    class Loss:
        backward = staticmethod(fake.backward)

    with watch_cuda() as watcher:
        # The engine's threads announce the waits; their warnings come in the thread that called backward.
        SENSES._pairs.strays.extend([time.perf_counter()] * 2)
        Loss().backward(count=2, trace=False)
        at = line_above()
    assert [(wait.row, wait.operator, wait.seconds) for wait in watcher.waits] == [(at, "backward", None)] * 2
    assert not SENSES._pairs.strays


def test_events_and_devices(fake: Fake) -> None:
    from torch.cuda import _gpu_trace

    with watch_cuda() as watcher:
        _gpu_trace.EventSynchronizationCallbacks.fire_callbacks(1)
        _gpu_trace.DeviceSynchronizationCallbacks.fire_callbacks()
    assert [(wait.kind, wait.seconds) for wait in watcher.waits] == [("synchronize", None)] * 2


def test_synchronize_is_told_once_and_timed(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    from torch.cuda import _gpu_trace

    def synchronize() -> None:
        _gpu_trace.DeviceSynchronizationCallbacks.fire_callbacks()
        time.sleep(0.01)

    monkeypatch.setattr(torch.cuda, "synchronize", synchronize)
    with watch_cuda() as watcher:
        torch.cuda.synchronize()
        at = line_above()
    assert torch.cuda.synchronize is synchronize
    assert [(wait.row, wait.kind) for wait in watcher.waits] == [(at, "synchronize")]
    assert (watcher.waits[0].seconds or 0) >= 0.01


def test_without_cuda() -> None:
    if hasattr(torch._C, "_cuda_get_sync_debug_mode"):
        pytest.skip("this PyTorch has CUDA")
    with pytest.raises(NoCudaError, match="without CUDA"), watch_cuda():
        pass


class Spellings:
    """Stands for a tensor on a GPU, whose protocols wait."""

    def __init__(self, fake: Fake) -> None:
        self._wait = fake.wait

    def __getattr__(self, name: str) -> Any:
        return self._wait


def operator_of(fake: Fake, spelling: str) -> tuple[str, str]:
    hidden: dict[str, Any] = {}
    source = """
class Tensor:
    def __init__(self, wait): self.wait = wait
    def __getattr__(self, name): return self.wait
    def __bool__(self): self.wait(); return True
    def __float__(self): self.wait(); return 1.0
    def __index__(self): self.wait(); return 1
    def __format__(self, spec): self.wait(); return ""
    def __getitem__(self, key): self.wait(); return self
    def __setitem__(self, key, value): self.wait()
    def __contains__(self, key): self.wait(); return True
"""
    exec(compile(source, os.path.join(observe.HERE, "fakes.py"), "exec"), hidden)
    import linecache

    name = f"/program/{abs(hash(spelling))}.py"
    linecache.cache[name] = (len(spelling), None, spelling.splitlines(True), name)
    with watch_cuda(["/program"]) as watcher:
        exec(compile(spelling, name, "exec"), {"t": hidden["Tensor"](fake.wait)})
    (wait,) = watcher.waits
    return wait.operator, wait.kind


@pytest.mark.parametrize(
    ("spelling", "operator", "kind"),
    [
        ("t.item()", "item", "reads value"),
        ("x = [\n  t\n  .nonzero()\n]", "nonzero", "data-dependent shape"),
        ("if t: pass", "bool", "reads value"),
        ("not t", "bool", "reads value"),
        ("while t: break", "bool", "reads value"),
        ("float(t)", "float", "reads value"),
        ("range(3)[t]", "getitem", "unknown"),
        ("t[0]", "getitem", "data-dependent shape"),
        ("t[0] = 1", "setitem", "data-dependent shape"),
        ("1 in t", "contains", "reads value"),
        ("f'{t}'", "format", "reads value"),
        ("t.cpu()", "cpu", "copy to host"),
        ("t.unheard_of(1, 0.0)", "unheard_of", "unknown"),
        (
            "from functools import partial\n"
            "def __torch_function__(func): return func()\n"  # as `torch.set_default_device` calls each operator
            "t.item = partial(__torch_function__, t.item)\n"
            "t.item()",
            "item",
            "reads value",
        ),
    ],
)
def test_the_operator_is_read_from_the_instruction(fake: Fake, spelling: str, operator: str, kind: str) -> None:
    assert operator_of(fake, spelling) == (operator, kind)


def tensor(device: str, pinned: bool = False, dense: bool = True, dtype: str = "float", count: int = 6) -> Any:
    return SimpleNamespace(
        device=SimpleNamespace(type=device),
        dtype=dtype,
        shape=(2, count // 2),
        numel=lambda: count,
        is_pinned=lambda: pinned,
        stride=lambda: (count // 2 if dense else count, 1),
        is_contiguous=lambda: dense,
    )


@pytest.mark.parametrize(
    ("name", "source", "result", "kind"),
    [
        ("to", tensor("cpu"), tensor("cuda"), "copy to device"),
        ("to", tensor("cpu", pinned=True), tensor("cuda"), None),
        ("to", tensor("cpu", pinned=True, dense=False), tensor("cuda"), "copy to device"),
        ("to", tensor("cpu", pinned=True), tensor("cuda", dtype="half"), None),
        ("to", tensor("cpu", count=0), tensor("cuda", count=0), None),
        ("to", tensor("cuda"), tensor("cpu"), None),
        ("to", tensor("cuda"), tensor("cuda"), None),
        ("copy_", tensor("cuda"), tensor("cpu"), "copy to host"),
        ("copy_", tensor("cuda"), tensor("cpu", pinned=True), None),
        ("copy_", tensor("cuda", dtype="half"), tensor("cpu", pinned=True), None),
    ],
)
def test_copies_that_ask_not_to_wait(name: str, source: Any, result: Any, kind: str | None) -> None:
    assert staged(name, source, result) == kind


def event(name: str, *children: Any, caller: tuple[str, int, str] | None = None) -> Any:
    fields = (
        {}
        if caller is None
        else {"caller": SimpleNamespace(file_name=caller[0], line_number=caller[1], function_name=caller[2])}
    )
    made = SimpleNamespace(
        name=name,
        children=list(children),
        parent=None,
        duration_time_ns=2_000_000,
        extra_fields=SimpleNamespace(**fields),
    )
    for child in children:
        child.parent = made
    return made


def test_waits_that_only_the_profiler_sees() -> None:
    call = event(
        "train.py(3): step",
        event(
            "unique_dim",
            event("aten::unique_dim", event("aten::sort", event("cudaStreamSynchronize"))),
            caller=("/x/train.py", 4, "step"),
        ),
        event("item", event("aten::item", event("cudaStreamSynchronize")), caller=("/x/train.py", 5, "step")),
        caller=("/x/train.py", 9, "<module>"),
    )
    profiled = list(waits_in([call]))
    assert [(wait.place, wait.operator, wait.kind, wait.seconds) for wait in profiled] == [
        (("/x/train.py", 4), "unique_dim", "data-dependent shape", 0.002),
        (("/x/train.py", 5), "item", "reads value", 0.002),
    ]
    stack = (("/x/train.py", 9, "<module>"), ("/x/train.py", 5, "step"))
    told = [Wait("/x/train.py", 5, "item", "reads value", None, None, stack)]
    assert surplus(profiled, told) == profiled[:1]
    assert surplus(profiled, []) == profiled


def test_the_profilers_own_waits_are_not_the_programs() -> None:
    own = event("cudaDeviceSynchronize")
    inside = event("synchronize", own, caller=("/site-packages/torch/autograd/profiler.py", 400, "__exit__"))
    assert list(waits_in([event("train.py(1)", inside, caller=("/x/train.py", 1, "<module>"))])) == []


def test_the_profilers_tree_on_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profile, "BLOCKING", {"aten::_local_scalar_dense"})  # waits on a GPU, runs anywhere
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        profiler = profile.start()
        x = torch.ones(3).sum()
        x.item()
        at = line_above()
        found = profile.missing(profiler, [])
    assert [(os.path.realpath(wait.filename), wait.row, wait.operator) for wait in found] == [(HERE, at, "item")]


def negated(x: torch.Tensor) -> bool:
    return not x


def test_an_operator_is_of_the_function_it_is_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profile, "BLOCKING", {"aten::_local_scalar_dense"})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        profiler = profile.start()
        negated(torch.ones(3).sum())
        profiler.stop()
    tree = profiler.profiler.kineto_results.experimental_event_tree()
    [wait] = waits_in(tree)
    assert [each[2] for each in wait.stack][-2:] == ["test_an_operator_is_of_the_function_it_is_in", "negated"]
    row = negated.__code__.co_firstlineno
    told = [Wait(HERE, row + 1, "is_nonzero", "branch", None, None, ((HERE, row + 1, "negated"),))]
    assert surplus([wait], told) == []


def test_compiled_functions_take_the_wrappers() -> None:
    patches = Patches(lambda operator, kind, seconds: None)
    patches.install()
    try:
        copied = torch.compile(lambda x: x.to(torch.float64, non_blocking=True) + 1, backend="eager", fullgraph=True)
        assert copied(torch.ones(2)).dtype == torch.float64
    finally:
        patches.uninstall()


def test_the_hook_alone_restores_a_replaced_function() -> None:
    hook = WarningHook(lambda frame: None)
    hook.install()
    hook.uninstall()
    with pytest.warns(UserWarning, match="called a synchronizing"):
        warnings.warn("called a synchronizing CUDA operation", UserWarning, stacklevel=1)


@gpu
@needs_gpu
class TestOnGpu:
    """What only a GPU can tell."""

    @pytest.fixture(scope="class", autouse=True)
    def what_the_profiler_imports(self) -> None:
        """Have it imported before: SymPy adds to the filters of warnings."""
        profile.start().stop()

    def test_lines_kinds_and_times(self) -> None:
        x = torch.rand(4096, 4096, device="cuda")
        x.sum().item()
        with watch_cuda() as watcher:
            for _ in range(20):
                x = x @ x / 4096
            x.sum().item()
            first = line_above()
            x.nonzero()
            second = line_above()
            if x[0, 0] > 2:
                pass
            torch.cuda.synchronize()
        assert [(wait.row, wait.kind) for wait in watcher.waits] == [
            (first, "reads value"),
            (second, "data-dependent shape"),
            (second + 2, "reads value"),
            (second + 4, "synchronize"),
        ]
        assert (watcher.waits[0].seconds or 0) > 0.001
        assert torch.cuda.get_sync_debug_mode() == 0

    def test_backward(self) -> None:
        source = torch.rand(8, device="cuda", requires_grad=True)
        mask = torch.rand(8, device="cuda") > 0.5
        loss = torch.zeros(8, device="cuda").masked_scatter(mask, source).sum()
        with watch_cuda() as watcher:
            loss.backward()
            at = line_above()
        assert {wait.row for wait in watcher.waits} == {at}

    def test_staged_copies(self) -> None:
        host = torch.rand(1 << 20)
        with watch_cuda() as watcher:
            host.to("cuda", non_blocking=True)
            host.pin_memory().to("cuda", non_blocking=True)
        assert [wait.kind for wait in watcher.waits] == ["copy to device"]

    def test_events(self) -> None:
        event = torch.cuda.Event()
        event.record()
        with watch_cuda() as watcher:
            event.synchronize()
        assert [wait.kind for wait in watcher.waits] == ["synchronize"]

    def test_unique_along_a_dimension_needs_the_profiler(self) -> None:
        x = torch.randint(3, (8, 2), device="cuda")
        torch.unique(x, dim=0)
        with watch_cuda(profile=True) as watcher:
            torch.unique(x, dim=0)
            at = line_above()
        assert at in {wait.row for wait in watcher.waits}
