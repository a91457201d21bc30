"""`python -m synclint` in a folder whose files are called like modules."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DEPENDENCIES = ("click", "packaging", "tomli", "pygls", "lsprotocol")
TRAIN = "import torch\nfor batch in torch.utils.data.DataLoader([1]):\n    batch.cuda().sum().item()\n"


def python(*words: str, where: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")} | environment
    return subprocess.run([sys.executable, *words], cwd=where, env=env, capture_output=True, text=True)


def inevitable(where: Path) -> set[str]:
    """What Python itself imports before it looks for the module to run."""
    names = "import sys, runpy; print(*{name.partition('.')[0] for name in sys.modules})"
    return set(python("-S", "-c", names, where=where).stdout.split())


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A folder with a file for every module of the standard library, and for what is installed besides."""
    folder = tmp_path / "hostile"
    folder.mkdir()
    for name in {*sys.stdlib_module_names, *DEPENDENCIES, "lint", "rules"} - inevitable(tmp_path) - {"__main__"}:
        (folder / f"{name}.py").write_text(f"open({str(tmp_path / 'owned')!r}, 'a').write({name!r})\n")
    (folder / "x_train.py").write_text(TRAIN)
    return folder


@pytest.fixture
def installed(tmp_path: Path) -> str:
    """A module search path as after an installation that is not editable."""
    library = tmp_path / "library"
    library.mkdir()
    try:
        (library / "synclint").symlink_to(ROOT)
    except OSError:
        pytest.skip("needs links")
    return os.pathsep.join([str(library), str(metadata.distribution("click").locate_file(""))])


@pytest.mark.parametrize("words", [("-S", "-m", "synclint"), ("-m", "synclint")])
def test_files_of_the_current_folder_are_no_modules(
    hostile: Path, installed: str, tmp_path: Path, words: tuple[str, ...]
) -> None:
    for command in (
        ("x_train.py", "--output-format", "json"),
        ("stats", "x_train.py"),
        ("rule", "SYNC101"),
        ("--help",),
    ):
        done = python(*words, *command, where=hostile, PYTHONPATH=installed)
        assert (done.stderr, done.returncode in (0, 1)) == ("", True)
    assert len(
        json.loads(python(*words, "x_train.py", "--output-format=json", where=hostile, PYTHONPATH=installed).stdout)
    )
    assert not (tmp_path / "owned").exists()


def test_it_runs_where_it_stands(installed: str) -> None:
    """The current folder stays on the path where synclint itself was found in it."""
    library = Path(installed.split(os.pathsep)[0])
    done = python("-S", "-m", "synclint", "--version", where=library, PYTHONPATH=installed.split(os.pathsep)[1])
    assert done.stdout.startswith("synclint, version"), done.stderr


def test_started_processes_do_not_search_there_either(hostile: Path, installed: str, tmp_path: Path) -> None:
    """Where processes are spawned, as on macOS and Windows, each is a new Python with a search path of its own."""
    (hostile / "y_train.py").write_text(TRAIN)
    (tmp_path / "start.py").write_text(
        "import multiprocessing\ncontext = multiprocessing.get_context('spawn')\n"
        "multiprocessing.get_context = lambda *_: context\n"
        "from synclint.lint.cli import main\nif __name__ == '__main__':\n    main()\n"
    )
    words = (str(tmp_path / "start.py"), "check", "--jobs", "2", "--output-format", "json", "x_train.py", "y_train.py")
    done = python(*words, where=hostile, PYTHONPATH=installed)
    assert not (tmp_path / "owned").exists(), (tmp_path / "owned").read_text()
    assert done.stderr == ""
    assert {row["filename"] for row in json.loads(done.stdout)} == {"x_train.py", "y_train.py"}
