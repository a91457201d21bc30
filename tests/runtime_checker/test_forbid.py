"""Forbidding to wait: what counts, in which thread and task, and what is told."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections.abc import Iterator
from types import TracebackType
from typing import ClassVar

import pytest
import synclint
from synclint.runtime_checker import forbid
from synclint.runtime_checker.forbid import Forbidden, SyncError, allow_sync, forbid_sync
from synclint.runtime_checker.observe import Kind, Wait, here


class FakeWatcher:
    """A device on which `wait` waits."""

    active: ClassVar[list[FakeWatcher]] = []

    def __init__(self) -> None:
        self.waits: list[Wait] = []
        self.device = "fake device"

    def __enter__(self) -> FakeWatcher:
        self.active.append(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.active.remove(self)


def wait(operator: str = "item", kind: Kind = "reads value", seconds: float | None = 0.002) -> None:
    origin = here(frame=sys._getframe(1))
    for watcher in FakeWatcher.active:
        watcher.waits.append(origin.wait(operator, kind, seconds))


def wait_often(times: int) -> None:
    for _ in range(times):
        wait()


def wait_twice_and_save() -> None:
    wait_often(2)
    save_checkpoint()


def save_checkpoint() -> None:
    wait("cpu", "copy to host")


@pytest.fixture(autouse=True)
def fake_device(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if request.cls is TestSimulated:
        pytest.importorskip("torch")
        yield
        return
    monkeypatch.setattr(forbid, "watch", lambda device, trace: FakeWatcher())
    yield
    assert not FakeWatcher.active


def test_it_is_public() -> None:
    assert synclint.forbid_sync is forbid_sync
    assert synclint.allow_sync is allow_sync


def test_a_block_that_does_not_wait() -> None:
    with forbid_sync() as budget:
        pass
    assert budget.waits == []


def test_all_waits_are_told_together() -> None:
    with pytest.raises(SyncError) as caught, forbid_sync():
        wait_twice_and_save()
    assert len(caught.value.waits) == 3
    text = str(caught.value)
    assert text.splitlines()[0] == "3 waits for the device, but only 0 allowed (fake device)"
    assert f"{__file__}:{caught.value.waits[0].row}: item (reads value), 2 times, 4.000 ms" in text
    assert "in save_checkpoint" in text
    assert "in wait_twice_and_save" in text


def test_a_budget() -> None:
    with forbid_sync(max_syncs=2):
        wait()
        wait()
    with pytest.raises(SyncError, match=r"^3 waits"), forbid_sync(max_syncs=2):
        wait_often(3)


def test_only_watching() -> None:
    with forbid_sync(max_syncs=None) as budget:
        wait()
    assert len(budget.waits) == 1


def test_an_exception_of_the_block_is_not_hidden() -> None:
    def block() -> None:
        wait()
        raise KeyError("mine")

    with pytest.raises(KeyError), forbid_sync():
        block()


def test_as_decorator() -> None:
    @forbid_sync
    def bare() -> int:
        wait()
        return 1

    @forbid_sync(max_syncs=1)
    def with_budget(x: int) -> int:
        wait()
        return x

    with pytest.raises(SyncError):
        bare()
    assert [with_budget(each) for each in (3, 4)] == [3, 4]
    assert bare.__name__ == "bare"


def test_generators_cannot_be_decorated() -> None:
    with pytest.raises(TypeError, match="is a generator"):

        @forbid_sync
        def batches() -> Iterator[int]:
            yield 1


@pytest.mark.parametrize(
    "entry",
    [
        "copy to host",
        "save_checkpoint",
        "Trainer.save_checkpoint",
        "test_forbid.py",
        f"{__file__}:{save_checkpoint.__code__.co_firstlineno + 1}",
    ],
)
def test_allowed_kinds_and_regions(entry: str) -> None:
    with forbid_sync(allow=[entry]):
        save_checkpoint()


@pytest.mark.parametrize("entry", ["copy to device", "save", "forbid.py", "test_forbid.py:1", "checkpoint"])
def test_others_are_not_allowed(entry: str) -> None:
    with pytest.raises(SyncError), forbid_sync(allow=[entry]):
        save_checkpoint()


def test_allow_must_be_a_list() -> None:
    with pytest.raises(TypeError, match="list of strings"):
        forbid_sync(allow=[1])  # type: ignore[list-item]


def test_allowed_blocks_need_a_reason() -> None:
    with forbid_sync() as budget:
        with allow_sync("the log needs it"):
            wait()
        assert budget.waits == []
    with pytest.raises(ValueError, match="say why"), allow_sync(" "):
        pass


def test_blocks_within_blocks() -> None:
    with forbid_sync(max_syncs=1) as outer:
        with forbid_sync(max_syncs=None) as inner:
            wait()
        assert len(outer.waits) == len(inner.waits) == 1


def test_a_block_is_entered_once() -> None:
    block = forbid_sync(max_syncs=None)
    with block, pytest.raises(RuntimeError, match="already been entered"):
        block.__enter__()


def test_waits_of_other_threads_do_not_count_and_are_told() -> None:
    @forbid_sync
    def logs() -> None:
        thread = threading.Thread(target=wait_often, args=(2,), name="logger")
        thread.start()
        thread.join()

    with pytest.warns(UserWarning, match="2 waits of other threads did not count: logger"):
        logs()


def test_each_task_has_its_own_budget() -> None:
    seen: dict[str, int] = {}

    async def task(name: str, waits: int) -> None:
        with forbid_sync(max_syncs=None) as budget:
            for _ in range(waits):
                wait()
                await asyncio.sleep(0)
            seen[name] = len(budget.waits)

    async def both() -> None:
        await asyncio.gather(task("one", 3), task("other", 1))

    asyncio.run(both())
    assert seen == {"one": 3, "other": 1}


def test_coroutines_as_decorated() -> None:
    @forbid_sync(max_syncs=1)
    async def step(waits: int) -> int:
        for _ in range(waits):
            await asyncio.sleep(0)
            wait()
        return waits

    assert asyncio.run(step(1)) == 1
    with pytest.raises(SyncError):
        asyncio.run(step(2))


def test_names_of_files_are_escaped() -> None:
    strange = Wait("a\x1b[31m\n.py", 1, "item", "reads value", None, None, (("a\x1b[31m\n.py", 1, "f"),))
    text = forbid.describe([strange], 0, "fake device")
    assert "\x1b" not in text
    assert text.count("\n") == 2


def test_importing_does_not_import_torch() -> None:
    code = (
        "import sys, synclint; synclint.forbid_sync(); from synclint.runtime_checker import pytest_plugin; "
        "assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_without_torch_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from synclint.runtime_checker.device import DeviceError, watch

    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(DeviceError, match="not installed"):
        watch()


def test_unknown_devices() -> None:
    from synclint.runtime_checker.device import DeviceError, watch

    with pytest.raises(DeviceError, match="no device `tpu`"):
        watch("tpu")


def test_forbidden_keeps_its_options() -> None:
    assert isinstance(forbid_sync(allow=["x"]), Forbidden)


class TestSimulated:
    """On the simulated device, as it is."""

    def test_blocks_and_what_is_allowed(self) -> None:
        import torch

        with forbid_sync(device="simulated", max_syncs=None) as budget:
            x = torch.ones(3, device="cuda")
            x.sum().item()
            with allow_sync("to see"):
                x.nonzero()
            with pytest.raises(SyncError, match="nonzero"), forbid_sync(allow=["reads value"]):
                print(x.sum().item(), x.nonzero().shape)
        assert [wait.kind for wait in budget.waits] == ["reads value", "reads value", "data-dependent shape"]

    def test_threads_at_the_same_time(self) -> None:
        import torch

        seen: dict[int, int] = {}

        def work(times: int) -> None:
            with forbid_sync(device="simulated", max_syncs=None) as budget:
                for _ in range(times):
                    torch.ones(3, device="cuda").sum().item()
            seen[times] = len(budget.waits)

        with forbid_sync(device="simulated"):
            threads = [threading.Thread(target=work, args=(times,)) for times in (3, 5)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        assert seen == {3: 3, 5: 5}
