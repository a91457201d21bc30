"""The programs in docs/runtime-checker.md, run on the simulated device where there is no GPU."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")

GUIDE = Path(__file__).resolve().parent.parent.parent / "docs" / "runtime-checker.md"
IN_CODE, WITH_PYTEST = re.findall(r"(?m)^```python\n(.*?)^```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)


def run(where: Path, source: str, *words: str) -> subprocess.CompletedProcess[str]:
    (where / "test_it.py").write_text(source, encoding="utf-8")
    env = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run([sys.executable, *words, "test_it.py"], cwd=where, env=env, capture_output=True, text=True)


@pytest.mark.parametrize(("line", "waits"), [("", 0), ("    int(loss)\n    print(loss)\n", 2)])
def test_a_block_fails_where_something_waits(tmp_path: Path, line: str, waits: int) -> None:
    done = run(tmp_path, IN_CODE.replace("    with synclint.allow_sync", f"{line}    with synclint.allow_sync"))
    assert done.returncode == int(waits > 1), done.stderr
    assert ("SyncError" in done.stderr) is (waits > 1)


def test_the_plugin_is_set_up_by_itself(tmp_path: Path) -> None:
    done = run(tmp_path, WITH_PYTEST, "-m", "pytest", "-q", "-p", "synclint.runtime_checker.pytest_plugin")
    assert "2 passed" in done.stdout, done.stdout
