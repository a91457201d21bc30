"""By which name a file is imported, and which file an import means."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from synclint.lint.inference.reading.modules import forget, imported_as, module_name

FILES = (
    "train.py",
    "wandb/run/log.txt",
    "scripts/train.py",
    "scripts/utils.py",
    "scripts/logging.py",
    "pkg/__init__.py",
    "pkg/models/__init__.py",
    "pkg/models/net.py",
    "src/inner/__init__.py",
    "src/inner/ops.py",
    "space/plain.py",
    "space/part/__init__.py",
    "space/part/deep.py",
)


@pytest.fixture(autouse=True)
def project(tmp_path: Path) -> Iterator[Path]:
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    forget()
    yield tmp_path
    forget()


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("train.py", "train"),
        ("scripts/utils.py", "scripts.utils"),
        ("pkg/__init__.py", "pkg"),
        ("pkg/models/net.py", "pkg.models.net"),
        ("src/inner/ops.py", "inner.ops"),
        ("space/plain.py", "space.plain"),
        ("space/part/deep.py", "part.deep"),
    ],
)
def test_a_module_is_named_by_its_package_or_its_place_in_the_project(project: Path, file: str, name: str) -> None:
    assert module_name(str(project / file), str(project))[0] == name


def test_the_name_does_not_depend_on_the_current_directory(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project / "scripts")
    assert module_name("utils.py", "..") == ("scripts.utils", False)


@pytest.mark.parametrize(
    ("folder", "name", "meant"),
    [
        ("scripts", "utils.metric", "scripts.utils.metric"),
        ("scripts", "train", "scripts.train"),
        ("", "train", "train"),
        ("scripts", "pkg.models.net.Net", "pkg.models.net.Net"),
        ("scripts", "space.plain.f", "space.plain.f"),
        ("", "space.part.deep.f", "part.deep.f"),
        ("", "src.inner.ops.f", "inner.ops.f"),
        ("pkg/models", "pkg.models.net", "pkg.models.net"),
        ("pkg/models", "net", "net"),
        ("pkg/models", "space.plain", "space.plain"),
        ("scripts", "logging.info", "logging.info"),
        ("", "wandb.log", "wandb.log"),
        ("scripts", "torch.nn", "torch.nn"),
        ("scripts", "nowhere.f", "nowhere.f"),
    ],
)
def test_an_import_means_the_file_that_python_would_find(project: Path, folder: str, name: str, meant: str) -> None:
    assert imported_as(name, os.path.join(project, folder).rstrip("/"), str(project)) == meant
