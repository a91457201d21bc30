"""The hook, as pre-commit installs and runs it. pre-commit builds an environment with pip, from the index pip knows."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PRE_COMMIT = shutil.which("pre-commit", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
MEBIBYTE = 1 << 20
NOT_REACHED = ("Could not find a version", "No matching distribution", "Temporary failure in name resolution")

pytestmark = [
    pytest.mark.skipif(PRE_COMMIT is None, reason="pre-commit is not installed; it is in the extra `test`"),
    pytest.mark.skipif(shutil.which("git") is None, reason="pre-commit wants git"),
]
HAZARD = "import torch\n\n\ndef training_step(x):\n    return x.cuda().sum().item()\n"


def run(where: Path, home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "GITHUB_", "PRE_COMMIT"))}
    env |= {"PRE_COMMIT_HOME": str(home), "PYTHONPATH": "", "NO_COLOR": "1"}
    return subprocess.run(words, cwd=where, env=env, text=True, capture_output=True, stdin=subprocess.DEVNULL)


def git(where: Path, *words: str) -> str:
    name = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    done = run(where, where, "git", *name, *words)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`hooks`, our repository as it is now, committed; `project`, which uses it; `home`, where pre-commit builds."""
    place = tmp_path_factory.mktemp("pre_commit")
    ignored = shutil.ignore_patterns("__pycache__", "tests", "build", "*.egg-info", ".[!p]*", "runs")
    shutil.copytree(ROOT, place / "hooks", ignore=ignored)
    for name in ("project", "home"):
        (place / name).mkdir()
    (place / "project" / "train.py").write_text(HAZARD)
    (place / "project" / "left_out.py").write_text(HAZARD)
    (place / "project" / "synclint.toml").write_text('exclude = ["left_out.py"]\n')
    for name in ("hooks", "project"):
        git(place / name, "init", "-q")
        git(place / name, "add", "-A")
        git(place / name, "commit", "-qm", "first")
    tried = run(place / "project", place / "home", str(PRE_COMMIT), "try-repo", str(place / "hooks"), "synclint", "-a")
    if any(words in tried.stdout + tried.stderr for words in NOT_REACHED):
        pytest.skip("pip cannot reach its index, from which the hook's environment is built")
    (place / "tried").write_text(f"{tried.returncode}\n{tried.stdout}{tried.stderr}")
    config = f"repos:\n  - repo: {place / 'hooks'}\n    rev: {git(place / 'hooks', 'rev-parse', 'HEAD')}\n"
    (place / "project" / ".pre-commit-config.yaml").write_text(f"{config}    hooks:\n      - id: synclint\n")
    git(place / "project", "add", "-A")
    git(place / "project", "commit", "-qm", "the hook")
    return place


def hook(place: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return run(place / "project", place / "home", str(PRE_COMMIT), "run", *words)


def test_it_can_be_tried(place: Path) -> None:
    code, _, said = (place / "tried").read_text().partition("\n")
    assert code == "1", said
    assert "train.py:5:12: error" in said
    assert "SYNC101 item-call" in said


def test_what_is_excluded_is_left_out_though_it_is_named(place: Path) -> None:
    assert "left_out.py" not in hook(place, "--all-files").stdout
    assert hook(place, "--files", "left_out.py").returncode == 0


def test_only_what_is_staged_is_checked(place: Path) -> None:
    project = place / "project"
    assert "(no files to check)Skipped" in hook(place).stdout
    (project / "other.py").write_text(HAZARD)
    git(project, "add", "other.py")
    try:
        said = hook(place)
        assert said.returncode == 1
        assert "other.py:5:12" in said.stdout
        assert "train.py:" not in said.stdout
    finally:
        git(project, "rm", "-qf", "other.py")


def test_the_rest_of_the_project_is_known(place: Path) -> None:
    """The function is harmless by itself; a file that is not committed now calls it in every step, on the GPU."""
    project = place / "project"
    (project / "helper.py").write_text("def total(x):\n    return x.sum().item()\n")
    (project / "caller.py").write_text(
        "import torch\nfrom helper import total\n\n\ndef train(loader, optimizer):\n    for batch in loader:\n"
        "        optimizer.step()\n        total(batch.cuda())\n"
    )
    said = hook(place, "--files", "helper.py").stdout
    assert "helper.py:2:12: error" in said


def test_a_file_that_cannot_matter_passes(place: Path) -> None:
    (place / "project" / "plain.py").write_text("print(1)\n")
    assert hook(place, "--files", "plain.py").returncode == 0


def test_the_environment_is_small(place: Path) -> None:
    (environment,) = (place / "home").glob("repo*/py_env-*")
    size = sum(file.lstat().st_size for file in environment.rglob("*") if not file.is_dir())
    assert size < 60 * MEBIBYTE


@pytest.mark.parametrize("name", ["--exit-zero", "--output=concise=victim", "--write-baseline"])
def test_a_name_is_no_option(place: Path, name: str) -> None:
    """Neither with the arguments of the hook, nor with those of somebody who forgot the `--`."""
    project = place / "project"
    config = project / ".pre-commit-config.yaml"
    before = config.read_text()
    (project / name).write_text("#!/usr/bin/env python3\n" + HAZARD)
    (project / name).chmod(0o755)
    git(project, "add", "--", name)
    try:
        said = hook(place, "--all-files")
        assert said.returncode == 1
        assert f"{name}:6:12: error" in said.stdout
        config.write_text(f"{before}        args: [--no-cache]\n")
        said = hook(place, "--all-files")
        assert said.returncode == 1
        assert f"`{name}` is the name of a file here, too" in said.stdout
    finally:
        config.write_text(before)
        git(project, "rm", "-qf", "--", name)
    assert not (project / "victim").exists()
    assert not (project / ".synclint-baseline.json").exists()
