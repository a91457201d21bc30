"""CUDA graphs on the emulated device: what a capture forbids, and what a replay computes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from synclint.runtime_checker.emulated.load import is_loaded

if not is_loaded():
    pytest.skip("needs a CUDA build of torch, and `--sync-device emulated`", allow_module_level=True)

import torch

pytestmark = pytest.mark.emulated

FORBIDDEN: dict[str, Callable[[torch.Tensor], object]] = {
    "item": lambda x: x.sum().item(),
    "mask": lambda x: x[x > 0],
    "copy to host": lambda x: x.cpu(),
    "list index": lambda x: x[[0, 1]],
    "host data": lambda x: torch.tensor([1.0], device="cuda"),
    "branch": lambda x: 1 if x.sum() > 0 else 0,
    "synchronize": lambda x: torch.cuda.synchronize(),
    "query": lambda x: torch.cuda.current_stream().query(),
}
ALLOWED: dict[str, Callable[[torch.Tensor], object]] = {
    "compute": lambda x: (x @ x.T).relu().sum(),
    "pinned": lambda x: torch.ones(4, pin_memory=True).to("cuda", non_blocking=True),
    "random": lambda x: torch.rand(4, device="cuda"),
    "where": lambda x: torch.where(x > 0, x, 0),
}


def captured(body: Callable[[torch.Tensor], object]) -> torch.cuda.CUDAGraph:
    x, graph = torch.ones(4, 4, device="cuda"), torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        body(x)
    return graph


@pytest.mark.parametrize("name", FORBIDDEN)
def test_what_a_capture_forbids(name: str) -> None:
    with pytest.raises(RuntimeError, match="captur"):
        captured(FORBIDDEN[name])
    assert not torch.cuda.is_current_stream_capturing()
    assert torch.ones(3, device="cuda").sum().item() == 3


@pytest.mark.parametrize("name", ALLOWED)
def test_what_a_capture_allows(name: str) -> None:
    captured(ALLOWED[name]).replay()


def test_nothing_runs_before_a_replay_which_reads_what_is_there() -> None:
    x, counter, scale = torch.ones(3, device="cuda"), torch.zeros(1, device="cuda"), 2.0
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        counter.add_(1)
        y = x * scale + counter
    assert counter.item() == 0
    graph.replay()
    graph.replay()
    assert y.tolist() == [4.0] * 3
    scale = 100.0
    x.fill_(5.0)
    graph.replay()
    assert y.tolist() == [13.0] * 3  # a number is what it was
    assert scale == 100.0
    x = torch.zeros(3, device="cuda")
    graph.replay()
    assert y.tolist() == [14.0] * 3  # a name may stand for something else


def test_a_training_step_is_captured_and_trains() -> None:
    torch.manual_seed(0)
    model = torch.nn.Linear(4, 1).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    x = torch.randn(8, 4, device="cuda")
    y = x.sum(1, keepdim=True)

    def step() -> torch.Tensor:
        optimizer.zero_grad(set_to_none=True)
        loss = (model(x) - y).square().mean()
        loss.backward()
        optimizer.step()
        return loss

    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        step()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        loss = step()
    graph.replay()
    before = loss.item()
    for _ in range(40):
        graph.replay()
    assert loss.item() < before / 10


ALL_AT_ONCE = """
import torch
x = torch.randn(8, 4, device="cuda")
g = torch.cuda.CUDAGraph()
with torch.cuda.graph(g):
    n = x.sum().item()
    y = x[[0, 2]]
    torch.cuda.synchronize()
    z = x * 2
g.replay()
print("replayed", torch.equal(z, x * 2))
"""


def test_all_lines_that_fail_are_listed_in_one_run(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(ALL_AT_ONCE)
    words = [sys.executable, "-m", "synclint", "run", "--device", "emulated", "--keep-going", "program.py"]
    done = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "replayed True" in done.stdout
    listed = [line for line in done.stderr.splitlines() if "fails in the capture" in line]
    assert [line.split(":")[2] for line in listed] == ["6", "7", "8"]
