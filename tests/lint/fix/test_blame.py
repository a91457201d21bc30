"""How many runs it takes to tell which fixes do what they offer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from synclint.lint.fix import passes
from synclint.lint.fix.place import Place
from synclint.lint.fix.rewrites import REWRITINGS

GOOD = "    b = torch.tensor(0.5, device=x.device)\n"
BAD = "    a = torch.zeros(3).cuda()\n"
Run = Callable[..., tuple[int, str, str]]


def _program(functions: int) -> str:
    parts = [
        f"def f{at}(x):\n    x = x.cuda()\n{BAD}{GOOD if at % 2 else BAD.replace('a', 'b', 1)}    return x + a + b\n"
        for at in range(functions)
    ]
    return "import torch\n\n\n" + "\n\n".join(parts)


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What was found with fixes, one by one; those of what is created on the host do no good."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(REWRITINGS, "created-inside", lambda _: None)
    monkeypatch.setitem(REWRITINGS, "created-on-device", lambda place: Place.written(place, f"{place.text}.clone()"))
    found: list[object] = []
    run = passes.run

    def counted(*given: Any, **options: Any) -> Any:
        found.append(run(*given, **options))
        return found[-1]

    monkeypatch.setattr(passes, "run", counted)
    return found


def test_functions_are_tried_at_once(run: Run, runs: list[object]) -> None:
    """Twenty functions of which each has a fix that does no good, or two, take as many runs as two."""
    needed = []
    for functions in (2, 20):
        Path("a.py").write_text(_program(functions), encoding="utf-8")
        del runs[:]
        run("--fix", "a.py")
        assert Path("a.py").read_text(encoding="utf-8").count("torch.full") == functions // 2
        assert ".clone()" not in Path("a.py").read_text(encoding="utf-8")
        needed.append(len(runs))
    assert needed[1] <= needed[0] + 2
