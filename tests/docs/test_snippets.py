"""The programs in docs/runtime-checker.md, run on the simulated device where there is no GPU."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from preloaded import Preloaded

pytestmark = pytest.mark.torch

GUIDE = Path(__file__).resolve().parent.parent.parent / "docs" / "runtime-checker.md"
IN_CODE, WITH_PYTEST = re.findall(r"(?m)^```python\n(.*?)^```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)


def run(preloaded: Preloaded, where: Path, source: str, *words: str) -> tuple[int, str, str]:
    (where / "test_it.py").write_text(source, encoding="utf-8")
    return preloaded.run(where, *words, "test_it.py", PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")


@pytest.mark.parametrize(("line", "waits"), [("", 0), ("    int(loss)\n    print(loss)\n", 2)])
def test_a_block_fails_where_something_waits(preloaded: Preloaded, tmp_path: Path, line: str, waits: int) -> None:
    program = IN_CODE.replace("    with synclint.allow_sync", f"{line}    with synclint.allow_sync")
    code, _, told = run(preloaded, tmp_path, program)
    assert code == int(waits > 1), told
    assert ("SyncError" in told) is (waits > 1)


def test_the_plugin_is_set_up_by_itself(preloaded: Preloaded, tmp_path: Path) -> None:
    words = ("-m", "pytest", "-q", "-p", "synclint.runtime_checker.pytest_plugin")
    _, said, _ = run(preloaded, tmp_path, WITH_PYTEST, *words)
    assert "2 passed" in said, said
