"""What a line waits for inside of libraries: counted by place, with what `check` says there and which setting helps."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from synclint.lint.facts.library_settings import setting_of
from synclint.runtime_checker.observe import Ledger, Wait
from synclint.runtime_checker.script.inside import lines, places, said_of
from synclint.runtime_checker.script.steps import Window
from synclint.runtime_checker.script.verdicts import Row

METRIC = ("/venv/site-packages/torchmetrics/aggregation.py", 93)
OTHER = ("/venv/site-packages/lib/other.py", 7)
CHECKED = ((*METRIC, "_cast_and_nan_check_input"),)


def wait(library: tuple[str, int] | None, stack: tuple[tuple[str, int, str], ...] = ()) -> Wait:
    return Wait("train.py", 3, "item", "reads value", library=library, stack=(("train.py", 3, "main"), *stack))


def row(*waits: Wait) -> tuple[Row, Window]:
    return Row("train.py", 3, "missed", (), waits), Window(Ledger(list(waits), 2))


def test_places_are_counted_per_step_and_the_most_frequent_comes_first() -> None:
    found = places(*row(wait(OTHER), *[wait(METRIC, CHECKED)] * 4), {OTHER: ("SYNC101",)})
    assert [(each.library, each.often, each.codes, bool(each.setting)) for each in found] == [
        (METRIC, 2.0, (), True),
        (OTHER, 0.5, ("SYNC101",), False),
    ]
    assert list(lines(*row(wait(OTHER), *[wait(METRIC, CHECKED)] * 4), {OTHER: ("SYNC101",)})) == [
        "2 per step: item (reads value) in torchmetrics/aggregation.py:93; the metric looks for NaN: "
        '`nan_strategy="disable"`',
        "0.5 per step: item (reads value) in lib/other.py:7, which SYNC101 reports there",
    ]


def test_a_single_place_of_which_no_more_is_known_is_told_by_the_row() -> None:
    assert list(lines(*row(wait(OTHER), wait(OTHER)), {})) == []
    assert len(list(lines(*row(wait(OTHER)), {OTHER: ("SYNC101",)}))) == 1


def test_the_line_itself_has_no_places() -> None:
    assert places(*row(wait(None)), {}) == []


TRAINER = ("/p/transformers/trainer.py", 1, "_run_epoch")
COPY = ("/p/accelerate/utils/operations.py", 2, "send_to_device")
TENSOR = ("/p/torch/_tensor.py", 3, "__bool__")


@pytest.mark.parametrize(
    ("stack", "says"),
    [
        ((("train.py", 1, "clip_grad_norm_"),), ""),
        ((TRAINER, TENSOR), "`logging_nan_inf_filter=False`"),
        ((TRAINER, COPY), "accelerator_config"),
        ((TRAINER, ("/p/lib/model.py", 4, "forward"), TENSOR), ""),
        ((("C:\\p\\transformers\\trainer.py", 1, "_run_epoch"),), "`logging_nan_inf_filter=False`"),
        ((("train.py", 9, "main"), ("/p/torch/autograd/graph.py", 1, "_engine_run_backward")), "`v[m]`"),
    ],
)
def test_the_function_that_waited_decides(stack: tuple[tuple[str, int, str], ...], says: str) -> None:
    assert says in setting_of(stack)
    assert bool(setting_of(stack)) is bool(says)


def test_check_reads_the_files_of_libraries(tmp_path: Path) -> None:
    library = tmp_path / "site-packages" / "lib.py"
    library.parent.mkdir()
    library.write_text("import torch\n\ndef norm(model):\n    return torch.ones(3, device='cuda').sum().item()\n")
    assert said_of([wait((str(library), 4))]) == {(str(library), 4): ("SYNC101",)}
    assert said_of([wait((str(library.with_name("gone.py")), 4))]) in (
        {},
        {(str(library.with_name("gone.py")), 1): ("SYNC902",)},
    )
    assert said_of([wait(None)]) == {}


PROGRAM = """
import torch, torchmetrics
mean = torchmetrics.MeanMetric().cuda()
model = torch.nn.Linear(4, 1).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(5):
    loss = model(torch.ones(2, 4, device="cuda")).sum()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0, error_if_nonfinite=True)
    optimizer.step()
    mean.update(loss.detach())
"""


@pytest.mark.parametrize("device", ["simulated"])
def test_settings_are_told_in_a_run(device: str, tmp_path: Path) -> None:
    pytest.importorskip("torchmetrics")
    (tmp_path / "train.py").write_text(PROGRAM)
    command = [sys.executable, "-m", "synclint", "run", "--device", device, "train.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert '; the metric looks for NaN: `nan_strategy="disable"`' in done.stderr
    assert "clipping raises for norms that are not finite: `error_if_nonfinite=False`" in done.stderr
    assert "clip_grad.py:" in done.stderr
    assert "which SYNC104 reports there" in done.stderr
