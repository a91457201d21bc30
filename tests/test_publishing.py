"""What a release uploads: complete, the same from its own sources, and described as an index takes it."""

from __future__ import annotations

import email
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from email.message import Message
from pathlib import Path

import pytest
from synclint import __version__
from synclint.lint.home import HOME

setuptools = pytest.importorskip("setuptools", minversion="77", reason="what builds us")

ROOT = Path(__file__).parent.parent
NAME = f"synclint-{__version__}"
MADE = {"PKG-INFO", "setup.cfg"}
"""What a source distribution has besides the repository, and its `.egg-info`."""

LISTING = "synclint.egg-info/SOURCES.txt"
"""Which setuptools reads again, and so lists itself the second time."""


def build(source: Path, kind: str, target: Path) -> Path:
    code = f"import sys; from setuptools import build_meta; build_meta.build_{kind}(sys.argv[1])"
    environment = dict(os.environ, SOURCE_DATE_EPOCH="1700000000")
    target.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-c", code, str(target)]
    done = subprocess.run(command, cwd=source, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (built,) = target.glob({"wheel": "*.whl", "sdist": "*.tar.gz"}[kind])
    return built


def tracked() -> list[str]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("needs a checkout")
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def unpacked(file: Path, target: Path) -> dict[str, bytes]:
    with tarfile.open(file) as archive:
        archive.extractall(target)
    top = target / NAME
    return {path.relative_to(top).as_posix(): path.read_bytes() for path in top.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """A clean checkout, the source distribution made of it, and the wheel made of that."""
    place = tmp_path_factory.mktemp("publishing")
    checkout = place / "checkout"
    for name in tracked():
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, checkout / name)
    source = build(checkout, "sdist", place / "dist")
    unpacked(source, place / "unpacked")
    return checkout, source, build(place / "unpacked" / NAME, "wheel", place / "dist")


@pytest.fixture(scope="module")
def metadata(built: tuple[Path, Path, Path]) -> Message:
    with zipfile.ZipFile(built[2]) as wheel:
        return email.message_from_bytes(wheel.read(f"{NAME}.dist-info/METADATA"))


def test_the_sources_are_the_whole_repository(built: tuple[Path, Path, Path], tmp_path: Path) -> None:
    found = {name for name in unpacked(built[1], tmp_path) if not name.startswith("synclint.egg-info/")}
    assert found - MADE == set(tracked())


def test_they_build_the_same_wheel_and_the_same_sources(built: tuple[Path, Path, Path], tmp_path: Path) -> None:
    checkout, source, wheel = built
    assert build(checkout, "wheel", tmp_path / "wheel").read_bytes() == wheel.read_bytes()
    first = unpacked(source, tmp_path / "first")
    second = unpacked(build(tmp_path / "first" / NAME, "sdist", tmp_path / "again"), tmp_path / "second")
    assert first.pop(LISTING)
    assert second.pop(LISTING)
    assert second == first


def test_every_package_is_in_the_wheel(built: tuple[Path, Path, Path]) -> None:
    with zipfile.ZipFile(built[2]) as wheel:
        inside = {name.removeprefix("synclint/") for name in wheel.namelist()}
    ours = [name for name in tracked() if name.startswith(("lint/", "rules/", "runtime_checker/"))]
    assert {name for name in ours if not name.endswith((".LICENSE", ".md"))} <= inside
    assert not any(name.startswith(("tests/", "docs/", "setup")) for name in inside)


def test_licenses(built: tuple[Path, Path, Path], metadata: Message) -> None:
    """uPlot's MIT License asks that its notice be in all copies, and the pages with charts are copies."""
    assert metadata["License-Expression"] == "Apache-2.0 AND MIT"
    with zipfile.ZipFile(built[2]) as wheel:
        names = metadata.get_all("License-File", [])
        texts = [wheel.read(f"{NAME}.dist-info/licenses/{name}").decode() for name in names]
    assert [re.findall(r"Apache License|MIT License", text)[0] for text in texts] == ["Apache License", "MIT License"]


def test_what_an_index_shows(metadata: Message) -> None:
    description = metadata.get_payload()
    links = re.findall(r"\]\(([^)]+)\)", str(description))
    assert len(links) > 50
    assert [link for link in links if not link.startswith(("https://", "#"))] == []
    assert f"{HOME}/blob/main/docs/rules/item-call.md" in links
    classifiers = metadata.get_all("Classifier", [])
    assert [f"Programming Language :: Python :: 3.{minor}" in classifiers for minor in range(10, 15)] == [True] * 5
    assert all(url.split(", ")[1].startswith(HOME) for url in metadata.get_all("Project-URL", []))
    assert metadata["Author"]
