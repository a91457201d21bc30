"""What the server keeps in memory between two checks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from synclint.lint.files.modules import Modules
from synclint.lint.inference.linking.index.call_sites import CallsOfFile, Found
from synclint.lint.run import connected
from synclint.lint.run.engine import run
from synclint.lint.run.file import File
from synclint.lint.server.memory import Memory
from synclint.lint.settings.config import Settings

USER = "import torch\nfrom helpers import measure\n\nmeasure(torch.ones(1).cuda())\n"
HELPERS = "def measure(value):\n    return value\n"


@pytest.fixture
def reads(here: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that were read."""
    (here / "helpers.py").write_text(HELPERS)
    (here / "other.py").write_text("number = 1\n")
    found: list[str] = []
    read: Callable[..., object] = connected.content

    def noted(name: str, shown: str) -> object:
        found.append(name)
        return read(name, shown)

    monkeypatch.setattr(connected, "content", noted)
    return found


def test_what_connects_files_is_looked_for_in_those_that_have_changed(here: Path, reads: list[str]) -> None:
    names = ["helpers.py", "other.py", "user.py"]
    memory, modules = Memory(None), Modules(str(here), names)

    def found(text: str) -> list[str]:
        reads.clear()
        opened = [File(name) for name in names[:2]] + [File("user.py", data=text.encode())]
        return memory.connections(opened, modules).names

    assert (found(USER), reads) == (["helpers.py"], ["helpers.py", "other.py"])
    assert (found(f"{USER}# typed\n"), reads) == (["helpers.py"], [])
    (here / "other.py").write_text("number = 10\n")
    assert (found(USER), reads) == (["helpers.py"], ["other.py"])
    assert found(USER.replace("from helpers", "import other\nfrom helpers")) == ["helpers.py", "other.py"]
    assert found("import torch\n") == []


def test_calls_are_followed_again_only_in_what_has_changed(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "helpers.py").write_text(f"import torch\n\n{HELPERS}")
    memory, followed = Memory(None), []
    direct = CallsOfFile.direct

    def noted(self: CallsOfFile) -> Found:
        followed.append(self._summary.filename)
        return direct(self)

    monkeypatch.setattr(CallsOfFile, "direct", noted)

    def check(text: str) -> list[str]:
        followed.clear()
        files = [File("user.py", data=text.encode())]
        memories = {"analyses": memory.check, "connect": memory.connections, "remembered": memory.remembered}
        run(files, Settings(), (), others=[File("helpers.py")], **memories)  # type: ignore[arg-type]
        return followed

    assert check(USER) == ["helpers.py", "user.py"]
    assert check(f"{USER}measure(2)\n") == ["user.py"]
    assert check(f"{USER}\n\ndef measure(value):\n    return 2\n") == ["helpers.py", "user.py"]
