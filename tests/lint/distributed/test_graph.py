"""The graph for ninja: it finds what one process finds, and does again only what a change can reach."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import names

Synclint = Callable[..., str]
NINJA = shutil.which("ninja")
needs_ninja = pytest.mark.skipif(NINJA is None, reason="ninja is not installed")


@pytest.fixture
def graph(project: Path, synclint: Synclint, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph with a bucket for every two files, in a directory with a space in its name."""
    place = tmp_path_factory.mktemp("the graph")
    synclint("ninja", str(place))
    return place


def ninja(place: Path, *arguments: str) -> str:
    done = subprocess.run([str(NINJA), "-C", str(place), *arguments], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def later(file: Path, text: str) -> None:
    """Write a file as if it were a while later."""
    file.write_text(text)
    os.utime(file, (file.stat().st_mtime + 5,) * 2)


@needs_ninja
def test_what_is_found_is_what_one_process_finds(project: Path, graph: Path, synclint: Synclint) -> None:
    ninja(graph)
    found = synclint("merge", str(graph / "all.findings"), "--output-format", "json", code=1)
    assert found == synclint("check", ".", "--no-cache", "--output-format", "json", code=1)
    assert "no work to do" in ninja(graph)


@needs_ninja
def test_a_change_is_summarized_and_linked(project: Path, graph: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("synclint.lint.distributed.graph.FILES_PER_STEP", 2)
    ninja(graph)
    later(project / "train.py", (project / "train.py").read_text() + "print(loss.item())\n")
    told = ninja(graph)
    assert told.count("summarize") == 1
    assert told.count("link") == 1
    os.utime(project / "train.py", (2e9, 2e9))
    told = ninja(graph)  # what is the same is not linked again
    assert told.count("summarize") == 1
    assert "link" not in told


@needs_ninja
def test_a_configuration_is_linked_with(project: Path, graph: Path, synclint: Synclint) -> None:
    ninja(graph)
    later(project / "synclint.toml", 'select = ["SYNC102"]\nexclude = ["third_party/"]\n')
    told = ninja(graph)
    assert "summarize" not in told
    found = synclint("merge", str(graph / "all.findings"), "--output-format", "json", code=1)
    assert found == synclint("check", ".", "--no-cache", "--output-format", "json", code=1)


@needs_ninja
def test_files_that_come_and_go(project: Path, graph: Path, synclint: Synclint) -> None:
    ninja(graph)
    (project / "train.py").unlink()
    shutil.rmtree(project / "src")
    later(
        project / "apps/new.py", "import torch\nfor b in torch.utils.data.DataLoader([]):\n    b.cuda().sum().item()\n"
    )
    for place in (project, project / "apps"):
        os.utime(place, (place.stat().st_mtime + 5,) * 2)
    told = ninja(graph)
    assert "look for files" in told
    found = synclint("merge", str(graph / "all.findings"), "--output-format", "json", code=1)
    assert found == synclint("check", ".", "--no-cache", "--output-format", "json", code=1)
    assert "apps/new.py" in found


@needs_ninja
def test_programs(project: Path, synclint: Synclint) -> None:
    synclint("ninja", "graph", "--root", "train.py", "--root", "apps/strict/main.py", "--select", "SYNC1")
    ninja(project / "graph")
    parts = [str(project / "graph" / f"{at}.findings") for at in range(2)]
    assert "pkg/losses.py:6:11: error" in synclint("merge", *parts, "--output-format", "concise", code=1)


def test_a_new_file_changes_one_bucket(project: Path, synclint: Synclint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("synclint.lint.distributed.graph.FILES_PER_STEP", 3)
    synclint("ninja", "graph")
    before = {file.name: file.read_text() for file in (project / "graph").glob("*.list")}
    (project / "new.py").write_text("")
    synclint("ninja", "graph")
    after = {file.name: file.read_text() for file in (project / "graph").glob("*.list")}
    assert len(before.items() ^ after.items()) in (1, 2)
    assert len(before) > 3


def test_names_that_ninja_and_shells_read_otherwise(project: Path, synclint: Synclint) -> None:
    (project / "it's $odd: #1 & co.py").write_text("import torch\ntorch.ones(1).cuda().item()\n")
    synclint("ninja", "graph")
    assert "it's$ $$odd$:$ #1$ &$ co.py" in (project / "graph/build.ninja").read_text()
    if NINJA:
        ninja(project / "graph")
    assert "it's $odd: #1 & co.py" in names(project)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("graph", "--root", "none.py"), "none.py: is given as a root, but"),
        (("train.py",), "could not be written"),
        (("graph", "--base", "none"), "none: No such file"),
        (("graph", "--select", "SYNC9999"), "there is no rule"),
    ],
)
def test_wrong_use(project: Path, synclint: Synclint, arguments: tuple[str, ...], message: str) -> None:
    told = synclint("ninja", *arguments, code=2)
    assert message in told
    assert told.count("\n") == 1
