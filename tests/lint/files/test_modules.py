"""By which name a file is imported, and which file an import means."""

from __future__ import annotations

import os
import pickle
from collections.abc import Sequence
from pathlib import Path

import pytest
from synclint.lint.files.modules import Modules

FILES = (
    "train.py",
    "wandb/run/log.txt",
    "scripts/train.py",
    "scripts/utils.py",
    "scripts/logging.py",
    "pkg/__init__.py",
    "pkg/models/__init__.py",
    "pkg/models/net.py",
    "pkg/ops/kernels/__init__.py",
    "pkg/ops/kernels/fast.py",
    "src/inner/__init__.py",
    "src/inner/ops.py",
    "space/plain.py",
    "space/part/__init__.py",
    "space/part/deep.py",
)


def modules(root: Path, files: Sequence[str] = FILES) -> Modules:
    return Modules(str(root), [str(root / name) for name in files if name.endswith(".py")])


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
def test_a_module_is_named_by_its_package_or_its_place_in_the_project(tmp_path: Path, file: str, name: str) -> None:
    assert modules(tmp_path).name(str(tmp_path / file))[0] == name


TWINS = ("a/train.py", "a/common/__init__.py", "a/common/net.py", "b/src/common/__init__.py", "b/src/common/net.py")


def test_packages_of_the_same_name_are_told_apart(tmp_path: Path) -> None:
    found = modules(tmp_path, TWINS)
    assert found.name(str(tmp_path / "a/common/net.py"))[0] == "a.common.net"
    assert found.name(str(tmp_path / "b/src/common/net.py"))[0] == "b.src.common.net"
    assert found.imported_as("common.net", str(tmp_path / "a")) == "a.common.net"
    assert found.imported_as("common.net", str(tmp_path / "b/src/common")) == "b.src.common.net"


def test_the_name_does_not_depend_on_the_current_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "scripts").mkdir()
    monkeypatch.chdir(tmp_path / "scripts")
    assert Modules("..", ["utils.py"]).name("utils.py") == ("scripts.utils", False)


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
        ("pkg", "pkg.ops.kernels.fast.f", "kernels.fast.f"),
        ("pkg", ".ops.kernels.fast.f", "kernels.fast.f"),
        ("pkg/models", ".net.Net", "pkg.models.net.Net"),
        ("pkg/models", "..nowhere.f", "pkg.nowhere.f"),
        ("pkg/models", "..", "pkg"),
        ("scripts", ".utils.metric", "scripts.utils.metric"),
        ("scripts", "..train", "train"),
        ("scripts", "...train", ""),
        ("scripts", "logging.info", "logging.info"),
        ("", "wandb.log", "wandb.log"),
        ("scripts", "torch.nn", "torch.nn"),
        ("scripts", "nowhere.f", "nowhere.f"),
    ],
)
def test_an_import_means_the_file_that_python_would_find(tmp_path: Path, folder: str, name: str, meant: str) -> None:
    found = modules(tmp_path)
    assert found.imported_as(name, os.path.join(tmp_path, folder).rstrip("/")) == meant
    assert pickle.loads(pickle.dumps(found)).imported_as(name, os.path.join(tmp_path, folder).rstrip("/")) == meant


def test_a_folder_that_a_script_adds_to_the_path_is_searched_last(tmp_path: Path) -> None:
    found = modules(tmp_path, (*FILES, "core/net.py", "core/utils/ops.py", "core/train.py"))
    added = ("../core", ".")
    folder = str(tmp_path / "scripts")
    assert found.imported_as("net.Net", folder) == "net.Net"
    assert found.imported_as("net.Net", folder, added) == "core.net.Net"
    assert found.imported_as("train.run", folder, added) == "scripts.train.run"
    assert found.imported_as("net.Net", str(tmp_path / "pkg/models"), (".",)) == "pkg.models.net.Net"


def test_an_inner_module_is_looked_for_in_packages_alone(tmp_path: Path) -> None:
    found = modules(tmp_path, ("utils/masking.py", "layers/utils.py", "layers/attention.py"))
    folder = str(tmp_path / "layers")
    assert found.imported_as("utils.masking.Mask", folder) == "utils.masking.Mask"
    assert found.imported_as("utils.filters", folder) == "layers.utils.filters"


def test_a_folder_of_nothing_but_folders_is_a_package_if_it_has_the_inner_module(tmp_path: Path) -> None:
    found = modules(tmp_path, (*FILES, "gym/method/training/trainer.py", "gym/method/models/net.py", "gym/run.py"))
    for folder in ("gym", "gym/method/training"):
        at = str(tmp_path / folder)
        assert found.imported_as("method.training.trainer.Trainer", at) == "gym.method.training.trainer.Trainer"
        assert found.imported_as("method.nowhere.f", at) == "method.nowhere.f"
    assert found.imported_as("method.training.trainer", str(tmp_path)) == "method.training.trainer"


@pytest.mark.parametrize("folder", ["lab", "lab/core/models"])
def test_so_it_is_where_a_module_of_its_name_is_nearer(tmp_path: Path, folder: str) -> None:
    found = modules(tmp_path, ("lab/run.py", "lab/core/models/core.py", "lab/core/training/trainer.py"))
    at = str(tmp_path / folder)
    assert found.imported_as("core.training.trainer.Trainer", at) == "lab.core.training.trainer.Trainer"
    assert found.imported_as("core.models.core.Net", at) == "lab.core.models.core.Net"
    assert not found.imported_as("core.plots.draw", at).startswith("lab.core.plots")


def test_what_lies_around_the_files_of_the_run_changes_nothing(tmp_path: Path) -> None:
    """The root is a package itself, and neighbours have the names of libraries that it imports."""
    for name in ("lightning/__init__.py", "package/__init__.py", "package/train.py", "package/lightning/__init__.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    found = modules(tmp_path / "package", ["__init__.py", "train.py"])
    assert found.name(str(tmp_path / "package/train.py")) == ("package.train", False)
    assert found.imported_as("lightning.Trainer", str(tmp_path / "package")) == "lightning.Trainer"
