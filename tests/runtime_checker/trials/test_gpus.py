"""What was recorded on GPUs of the programs of the trials."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

from synclint.runtime_checker.trials import waits

RECORDED = sorted(waits.FILE.parent.glob("nvidia-*.json"))
WAITS_IN_LIBRARIES = {
    "torch.linalg.ldl_factor_ex(q)",  # cuSOLVER
    "group(); torch.distributed.barrier(async_op=True)",  # NCCL, while it sets up the group
}


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_a_gpu_waits_where_torchs_cuda_code_does_and_in_libraries(path: Path) -> None:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    code = waits.of_release(found["torch"])
    assert found["programs"] > 4000
    assert all(code[row["program"]] == row["code"] < row["gpu"] for row in found["differ"])
    assert {row["program"] for row in found["differ"] if not row["code"]} == WAITS_IN_LIBRARIES


def test_what_a_gpu_says_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = {"device": "NVIDIA H200", "driver": "570.1", "torch": "2.11.0", "cuda": "12.8", "date": "2026-01-01"}
    monkeypatch.setattr(waits, "FILE", tmp_path / "torch.json")
    monkeypatch.setattr(waits, "machine", lambda: machine)
    path = waits.write_of_gpu(2, [(waits.Program("masks", "v[m]"), 2, 1)])
    differ = [{"group": "masks", "program": "v[m]", "gpu": 2, "code": 1}]
    assert json.loads(path.read_text()) == {**machine, "programs": 2, "differ": differ}
    assert path.name == "nvidia-h200-torch2.11.0.json"
