"""Files that say nothing of tensors, between those that do."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from synclint.lint.files.modules import Modules
from synclint.lint.run import connected as module
from synclint.lint.run.connected import connected, connections
from synclint.lint.run.file import File

FILES = {
    "train.py": """
import torch
from metrics import score
from meters import Meter

def train(loader):
    meter = Meter()
    for batch in loader:
        loss = score(torch.ones(3, device="cuda"))
        meter.update(loss)
        loss.backward()
        if meter.last > 3:
            break
""",
    "metrics/__init__.py": "from .scores import score\n",
    "metrics/scores.py": "import torch\n\ndef score(x):\n    print(float(x.max()))\n    return x.sum()\n",
    "meters.py": "import names\n\nclass Meter:\n    def update(self, value):\n        self.last = value\n",
    "names.py": "LAST = 'last'\n",
    "start.py": "from train import train\n\nif __name__ == '__main__':\n    train([1, 2])\n",
    "site/build.py": "import names, pages\n",
    "site/pages.py": "PAGES = []\n",
}

Find = Callable[..., list[tuple[str, int, str, str]]]


@pytest.fixture
def find(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, real_command: Callable[..., object]) -> Find:
    """Lints a project; returns the file, the line, the severity and the frequency of each finding."""
    monkeypatch.chdir(tmp_path)
    Path("pyproject.toml").touch()
    for name, text in FILES.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text)

    def run(*options: str) -> list[tuple[str, int, str, str]]:
        done = real_command("check", ".", "--exit-zero", "--output-format", "json", *options)
        return [
            (each["filename"], each["location"]["row"], each["severity"], each["frequency"])
            for each in json.loads(done.out)  # type: ignore[attr-defined]
        ]

    return run


@pytest.mark.usefixtures("find")
def test_what_leads_to_tensors_is_read_and_what_that_imports() -> None:
    files = [File(name) for name in FILES]
    assert connected(files, Modules(".", FILES)) == {"metrics/__init__.py", "meters.py", "names.py", "start.py"}
    silent = [file for file in files if file.name in ("meters.py", "names.py", "site/build.py")]
    assert connected(silent, Modules(".", FILES)) == frozenset()


def test_callers_are_seen_through_a_package_and_values_in_objects(find: Find) -> None:
    found = find()
    assert found == [("metrics/scores.py", 4, "error", "every step"), ("train.py", 12, "error", "every step")]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("metrics/__init__.py", "from .others import score\n"),
        ("meters.py", "class Meter:\n    last = 0\n"),
        ("site/pages.py", "from train import train\ntrain([])\n"),
        ("train.py", FILES["train.py"].replace("from meters import Meter", "Meter = print")),
    ],
)
def test_a_changed_connection_is_noticed_by_the_next_run(find: Find, name: str, text: str) -> None:
    first = find()
    Path(name).write_text(text)
    assert find() == find("--no-cache")
    Path(name).write_text(FILES[name])
    assert find() == first


@pytest.mark.usefixtures("find")
def test_only_what_has_changed_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    files, modules = [File(name) for name in FILES], Modules("", FILES)
    before = connections(files, modules, FILES, None)
    read: list[str] = []
    monkeypatch.setattr(module, "content", lambda path, name: read.append(name) or Path(path).read_bytes())
    Path("names.py").write_text("LAST = 'first'\n")
    now = connections(files, modules, {**FILES, "names.py": "other"}, before)
    assert (read, now.names) == (["names.py"], before.names)
    Path("meters.py").write_text(FILES["meters.py"].replace("import names\n", ""))
    assert "names.py" not in connections(files, modules, {**FILES, "meters.py": "other"}, before).names


def test_a_file_that_stops_to_speak_of_tensors_is_noticed_where_all_did(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names = ["train.py", "scores.py"]
    for name in names:
        Path(name).write_text("import torch\nimport scores\n")
    files, modules = [File(name) for name in names], Modules("", names)
    before = connections(files, modules, dict.fromkeys(names, "first"), None)
    Path("scores.py").write_text("import train\n")
    now = connections(files, modules, dict.fromkeys(names, "then"), before)
    assert (before.names, now.names) == ([], ["scores.py"])
