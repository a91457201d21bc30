"""Programs are run with the search path that Python gives them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from synclint.runtime_checker.script.program import Program


@pytest.mark.parametrize("first", [[], ["where the command is"]])
@pytest.mark.parametrize("written", ["{}", "{}/.", "{}/"])
def test_modules_of_pythonpath_are_found(
    first: list[str], written: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (users := tmp_path / "users").mkdir()
    script = tmp_path / "seen.py"
    script.write_text("import sys; sys.exit('|'.join(sys.path[:2]))", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", written.format(users))
    monkeypatch.setattr(sys, "path", [*first, str(users), *sys.path])
    with pytest.raises(SystemExit, match=r"users$"):
        Program.of([str(script)]).run()
