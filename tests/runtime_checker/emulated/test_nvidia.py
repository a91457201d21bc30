"""NVIDIA's packages beside torch: the stubs are there before, and take their place."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from synclint.runtime_checker.device import DeviceError
from synclint.runtime_checker.emulated.plan import DRIVER, installed, plan

try:
    TORCH = installed()
except DeviceError as error:
    pytest.skip(str(error), allow_module_level=True)

PACKAGES = (
    "cu13", "cublas", "cuda_cupti", "cuda_nvrtc", "cuda_runtime", "cudnn", "cufft", "cufile", "curand", "cusolver",
    "cusparse", "cusparselt", "nccl", "nvshmem", "nvtx",
)  # fmt: skip
"""Where torch looks for libraries: `nvidia/…/lib` beside it."""
PROGRAM = """
from synclint.runtime_checker.emulated.load import load
load()
import torch
print(torch.__file__, torch.ones(3, device="cuda").sum().item())
"""


def linked(torch: Path, site: Path) -> None:
    """The same torch in another place, so that other packages can lie beside it."""
    shutil.copytree(torch, site / "torch", copy_function=os.symlink, ignore=shutil.ignore_patterns("include", "*.pyc"))


def test_the_stubs_win_over_packages_of_nvidia(tmp_path: Path) -> None:
    """Theirs have no function at all here, so that torch could not be loaded with them."""
    linked(TORCH.folder, tmp_path / "site")
    (folder := tmp_path / "site" / "nvidia" / PACKAGES[0] / "lib").mkdir(parents=True)
    for name in (stub.soname for stub in plan(TORCH) if stub.soname != DRIVER):
        subprocess.run(
            ["cc", "-shared", "-x", "c", "/dev/null", f"-Wl,-soname,{name}", "-o", folder / name], check=True
        )
    for package in PACKAGES[1:]:
        (folder.parent.parent / package).symlink_to(folder.parent)
    paths = [str(tmp_path / "site"), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    done, without = (
        subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, cwd=tmp_path)
        for program in (PROGRAM, "import torch")
    )
    assert done.stdout == f"{tmp_path / 'site' / 'torch' / '__init__.py'} 3.0\n", done.stderr
    assert "undefined symbol" in without.stderr
