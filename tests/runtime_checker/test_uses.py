"""The uses that programs make of CUDA's API, one by one: each works without a GPU, and waits as often as on one.

On the simulated device; with `--sync-device emulated`, in torch's own CUDA code, which is where the numbers are from.
"""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

torch = pytest.importorskip("torch")

from synclint.runtime_checker.device import watch  # noqa: E402
from synclint.runtime_checker.emulated.load import is_loaded  # noqa: E402

DEVICE = "emulated" if is_loaded() else "simulated"
only_simulated = pytest.mark.skipif(is_loaded(), reason="about the simulated device")


class Use(NamedTuple):
    """A few lines of a program, and how often they wait; None on a device that refuses them."""

    name: str
    code: str
    waits: int | None


def uses() -> Iterator[Use]:
    """The blocks of `uses.txt`: `# name: waits`, or `# name: waits, emulated waits`, and then the lines."""
    for block in Path(__file__).with_name("uses.txt").read_text(encoding="utf-8").split("# ")[1:]:
        head, _, code = block.partition("\n")
        name, _, waits = head.rpartition(": ")
        simulated, _, emulated = waits.partition(", emulated ")
        number = emulated if emulated and DEVICE == "emulated" else simulated
        yield Use(name, code, None if number == "refuses" else int(number))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("use", tuple(uses()), ids=lambda use: use.name.replace(" ", "-"))
def test_a_use(use: Use) -> None:
    if use.waits is None:
        pytest.skip("the emulated device refuses it")
    names = {"torch": torch, "__name__": "program"}
    with watch(DEVICE) as watcher:
        exec(compile(use.code, "/program/use.py", "exec"), names)
    assert len(watcher.waits) == use.waits, [(wait.operator, wait.kind) for wait in watcher.waits]


RANK = """
import torch
from synclint.runtime_checker.device import watch
with watch("simulated"):
    torch.cuda.set_device(1)
    model = torch.nn.Linear(2, 1).to("cuda:1")
    assert torch.cuda.device_count() == 2 and torch.cuda.current_device() == 1
    assert model(torch.ones(1, 2, device="cuda")).device == torch.device("cuda", 1)
    try:
        torch.ones(1, device="cuda:2")
    except RuntimeError as error:
        print(error)
"""


@only_simulated
def test_each_rank_of_torchrun_has_its_device() -> None:
    ranks = {"LOCAL_RANK": "1", "LOCAL_WORLD_SIZE": "2"}
    command = [sys.executable, "-c", RANK]
    done = subprocess.run(command, env={**os.environ, **ranks}, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, "CUDA error: invalid device ordinal\n"), done.stderr


PROFILED = """
import torch
from synclint.runtime_checker.device import watch
CPU_AND_GPU = torch.profiler.supported_activities() | {torch.profiler.ProfilerActivity.CUDA}
with watch("simulated"), torch.profiler.profile(activities=CPU_AND_GPU):
    torch.ones(3, device="cuda") + 1
"""


@only_simulated
def test_torchs_profiler_is_quiet() -> None:
    done = subprocess.run([sys.executable, "-c", PROFILED], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "Exception raised" not in done.stderr


@only_simulated
def test_a_replayed_graph_computes_anew() -> None:
    with watch(DEVICE) as watcher:
        given = torch.zeros(3, device="cuda")
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            result = (given + 1).relu_()
            total = result.sum()
            with pytest.raises(RuntimeError, match="not permitted when stream is capturing"):
                total.item()
        given.fill_(4)
        graph.replay()
        watcher.waits.clear()
        assert total.item() == 15
    assert len(watcher.waits) == 1


KINDS = {
    "x.tolist()": "copy to host",
    "x.cpu()": "copy to host",
    "x.to('cpu')": "copy to host",
    "h.copy_(x)": "copy to host",
    "h.to('cuda')": "copy to device",
    "h.cuda()": "copy to device",
    "x.copy_(h)": "copy to device",
    "torch.tensor([1.0], device='cuda')": "copy to device",
    "x.sum().item()": "reads value",
    "float(x.sum())": "reads value",
    "bool(x.any())": "reads value",
    "x[x > 0]": "data-dependent shape",
    "x[[0, 1]]": "copy to device",
    "x[i]": "copy to device",
    "x.nonzero()": "data-dependent shape",
    "x.unique()": "data-dependent shape",
    "torch.masked_select(x, x > 0)": "data-dependent shape",
    "torch.linalg.cholesky(torch.eye(2, device='cuda'))": "check",
    "torch.equal(x, x + 1)": "reads value",
    "x.repeat_interleave(x.long(), output_size=None)": "data-dependent shape",
    "torch.cuda.synchronize()": "synchronize",
}


@pytest.mark.parametrize("spelling", KINDS)
def test_kinds_are_the_same_on_each_device(spelling: str, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(spelling)
    with watch(DEVICE) as watcher:
        given = {"torch": torch, "x": torch.ones(3, device="cuda"), "h": torch.ones(3), "i": torch.tensor([0, 1])}
        watcher.waits.clear()
        runpy.run_path(str(program), given)
    assert KINDS[spelling] in {wait.kind for wait in watcher.waits}
