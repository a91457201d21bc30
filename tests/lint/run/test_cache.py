"""What is kept between runs never changes a result, whatever happens to it."""

from __future__ import annotations

import json
import math
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from synclint.lint.cli import cli
from synclint.lint.run import cache, project
from synclint.lint.run.cache import Cache
from synclint.lint.run.file import File, Project
from synclint.lint.store import folder as cache_folder
from synclint.lint.store.late import Late

ROOT = Path(__file__).parents[3]

TRAIN = """
import torch
from helpers import measure

model = torch.nn.Linear(3, 3).cuda()
for batch in torch.utils.data.DataLoader(range(9), pin_memory=True):
    loss = model(batch.cuda(non_blocking=True)).sum()
    measure(loss)
"""
HELPERS = """
def measure(value):
    return value.item()
"""

Lint = Callable[..., str]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of two files, in the current directory."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "train.py").write_text(TRAIN)
    (tmp_path / "helpers.py").write_text(HELPERS)
    return tmp_path


@pytest.fixture
def lint(capsys: pytest.CaptureFixture[str]) -> Lint:
    """Lints as the command line does, and returns the findings as JSON."""

    def run(*arguments: str) -> str:
        cli.main(["check", "--output-format", "json", *arguments], standalone_mode=False)
        return capsys.readouterr().out

    return run


def kept() -> Path:
    """The cache of the project, in the user's cache directory."""
    (folder,) = (each for each in Path(os.environ["XDG_CACHE_HOME"], "synclint").iterdir() if each.is_dir())
    return folder


def entries(kind: str = "files") -> list[Path]:
    return sorted(kept().glob(f"*/{kind}/*.json"))


def codes(report: str) -> list[tuple[str, str]]:
    return [(row["filename"], row["code"]) for row in json.loads(report)]


def test_a_second_run_finds_the_same_without_reading_a_tree(
    here: Path, lint: Lint, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = lint(".")
    assert codes(first) == [("helpers.py", "SYNC101")]
    assert len(entries()) == 3  # one of them is the fixes in a file
    shutil.rmtree(next(kept().glob("*/runs")))
    monkeypatch.setattr(project, "parse", lambda *_: pytest.fail("parsed again"))
    assert lint(".") == first


def test_a_run_that_changed_nothing_analyses_nothing(lint: Lint, monkeypatch: pytest.MonkeyPatch) -> None:
    first = lint(".")
    monkeypatch.setattr("synclint.lint.run.engine.check_files", lambda *_: pytest.fail("asked for files"))
    assert lint(".") == first


def test_operations_of_files_that_are_not_reported_are_not_decoded(
    here: Path, lint: Lint, monkeypatch: pytest.MonkeyPatch
) -> None:
    lint(".")
    decoded: list[str] = []
    read = Late._items
    monkeypatch.setattr(Late, "_items", lambda late: decoded.append(str(read(late))) or read(late))
    (here / "train.py").write_text(TRAIN.replace("pin_memory=True", "").replace("DataLoader", "BatchSampler"))
    assert codes(lint("train.py")) == []
    assert decoded == []
    shutil.rmtree(next(kept().glob("*/runs")))
    lint(".")
    assert any("value.item()" in each for each in decoded)


def test_a_changed_file_is_read_again(here: Path, lint: Lint) -> None:
    lint(".")
    (here / "helpers.py").write_text("def measure(value):\n    return value.tolist()\n")
    assert codes(lint(".")) == [("helpers.py", "SYNC102")]
    assert len(entries()) == 3


def test_a_change_elsewhere_changes_the_report(here: Path, lint: Lint) -> None:
    lint(".")
    (here / "train.py").write_text("from helpers import measure\nimport torch\nmeasure(torch.ones(3).sum())\n")
    assert codes(lint(".")) == []


def test_an_import_that_means_another_file_now(here: Path, lint: Lint) -> None:
    (here / "scripts").mkdir()
    (here / "train.py").rename(here / "scripts/train.py")
    assert codes(lint(".")) == [("helpers.py", "SYNC101")]
    (here / "scripts/helpers.py").write_text("import torch\ndef measure(value):\n    pass\n")
    assert codes(lint(".", "--no-cache")) == codes(lint("."))


DECLARED = """
from mylib import put, read, train_loader

for batch in train_loader:
    read(put(batch))
"""


def test_what_is_declared_changes_the_results_of_the_next_run(here: Path, lint: Lint) -> None:
    """Without it, nothing in the file would matter: it does not mention a library that does."""
    (here / "helpers.py").unlink()
    (here / "train.py").write_text(DECLARED)
    for reads, found in (([], []), (["mylib.read"], [("train.py", "SYNC112")]), (["mylib.put"], [])):
        (here / "synclint.toml").write_text(f'moves-to-device = ["mylib.put"]\nreads-arguments = {reads}\n')
        for _ in range(2):
            assert codes(lint(".")) == found


def test_another_default_device_changes_the_results_of_the_next_run(here: Path, lint: Lint) -> None:
    (here / "helpers.py").unlink()
    (here / "train.py").write_text(
        "import torch\nfor batch in torch.utils.data.DataLoader([]):\n    torch.ones(3).tolist()\n"
    )
    for device, found in (("cpu", []), ("cuda:1", [("train.py", "SYNC102")]), ("cpu", [])):
        (here / "synclint.toml").write_text(f'default-device = "{device}"\n')
        assert codes(lint(".")) == found


def test_settings_that_matter_are_other_entries(here: Path, lint: Lint) -> None:
    assert codes(lint(".")) == [("helpers.py", "SYNC101")]
    (here / "synclint.toml").write_text('cold-functions = ["measure"]\n')
    assert codes(lint(".")) == []
    assert codes(lint(".", "--select", "SYNC2")) == []
    (here / "synclint.toml").write_text("")
    assert codes(lint(".")) == [("helpers.py", "SYNC101")]


@pytest.mark.parametrize("kind", ["files", "runs"])
@pytest.mark.parametrize("damage", [b"", b"\0" * 100, b"[[1]]", b"\xff\xfe", b'"\n[null,[99,1]]'])
def test_damaged_entries_count_for_nothing(here: Path, lint: Lint, kind: str, damage: bytes) -> None:
    first = lint(".")
    for entry in entries(kind):
        entry.write_bytes(damage)
    for entry in entries("runs" if kind == "files" else "none"):
        entry.unlink()
    assert lint(".") == first


def test_entries_cut_short_count_for_nothing(here: Path, lint: Lint) -> None:
    first = lint(".")
    for entry in entries():
        text = entry.read_text()
        entry.write_text(text[: len(text) // 2])
    shutil.rmtree(next(kept().glob("*/runs")))
    assert lint(".") == first


def cut(entry: Path, other: Path) -> None:
    entry.write_bytes(entry.read_bytes()[:-9])


def exchanged(entry: Path, other: Path) -> None:
    data = entry.read_bytes()
    entry.write_bytes(other.read_bytes())
    other.write_bytes(data)


def made_a_folder(entry: Path, other: Path) -> None:
    entry.unlink()
    (entry / "more").mkdir(parents=True)


@pytest.mark.parametrize("damage", [cut, exchanged, made_a_folder, lambda entry, other: entry.unlink()])
def test_any_part_may_be_damaged_before_a_run_after_an_edit(
    here: Path, lint: Lint, damage: Callable[[Path, Path], None]
) -> None:
    lint(".")
    (here / "helpers.py").write_text(f"{HELPERS}\n")
    lint(".")
    before = here.parent / f"{here.name} before"
    shutil.copytree(kept(), before)
    (here / "helpers.py").write_text(f"# moved\n{HELPERS}\n")
    (here / "train.py").write_text(TRAIN.replace("measure(loss)", "measure(loss.detach())"))
    expected = lint(".", "--no-cache")
    parts = sorted(each.relative_to(kept()) for each in kept().rglob("*") if each.is_file())
    place = kept()
    for at, part in enumerate(parts):
        shutil.rmtree(place)
        shutil.copytree(before, place)
        damage(place / part, place / parts[at - 1])
        assert lint(".") == lint(".") == expected, part


def test_no_cache_writes_nothing(here: Path, lint: Lint) -> None:
    assert codes(lint(".", "--no-cache")) == [("helpers.py", "SYNC101")]
    assert not list(Path(os.environ["XDG_CACHE_HOME"]).iterdir())


def test_nothing_is_written_into_the_project(here: Path, lint: Lint) -> None:
    lint(".")
    assert sorted(each.name for each in here.iterdir()) == ["helpers.py", "pyproject.toml", "train.py"]


def test_the_cache_may_stand_elsewhere(here: Path, lint: Lint, monkeypatch: pytest.MonkeyPatch) -> None:
    lint(".", "--cache-dir", "one")
    monkeypatch.setenv("SYNCLINT_CACHE_DIR", "two")
    lint(".")
    assert (here / "one/CACHEDIR.TAG").is_file()
    assert (here / "two/.gitignore").read_text() == "*\n"
    assert [each.name for each in Path(os.environ["XDG_CACHE_HOME"], "synclint").iterdir()] == ["key"]


def test_results_of_old_runs_and_versions_go(here: Path, lint: Lint, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(cache_folder.MOST_RUNS + 3):
        (here / "helpers.py").write_text(f"{HELPERS}\nnumber = {number}\n")
        lint(".")
    assert len(entries("runs")) == cache_folder.MOST_RUNS
    for number in range(cache_folder.MOST_VERSIONS + 2):
        monkeypatch.setattr(cache, "identity", lambda number=number: f"0.{number}-py311-0123456789ab")
        cache._folder.cache_clear()
        lint(".")
    assert len([each for each in kept().iterdir() if each.is_dir()]) == cache_folder.MOST_VERSIONS
    cache._folder.cache_clear()


def test_versions_that_take_turns_keep_their_own(here: Path, lint: Lint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "identity", lambda: version)
    before = {}
    for version in ("0.9-py311-0123456789ab", "0.1-py311-0123456789ab", "0.9-py312-0123456789ab") * 2:
        cache._folder.cache_clear()
        found = lint(".")
        files = sorted(kept().glob(f"{version}/files/*"))
        times = [each.stat().st_mtime_ns for each in files]
        assert before.setdefault(version, (found, files, times)) == (found, files, times)
    cache._folder.cache_clear()


def test_runs_at_the_same_time(here: Path, lint: Lint) -> None:
    command = [sys.executable, "-m", "synclint", "check", "--output-format", "json", "."]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    outputs = {process.communicate()[0] for process in running}
    assert outputs == {lint(".", "--no-cache")}


def test_clean(lint: Lint, capsys: pytest.CaptureFixture[str]) -> None:
    lint(".")
    folder = kept()
    cli.main(["clean"], standalone_mode=False)
    assert capsys.readouterr().out == f"removed {folder}\n"
    assert not folder.exists()
    cli.main(["clean"], standalone_mode=False)
    assert "there is no cache" in capsys.readouterr().out
    lint(".")
    assert entries()


def test_without_a_cache_nothing_is_known() -> None:
    file = File("train.py", project=Project("."))
    assert Cache(file.project).get(file) is None
    assert Cache(file.project).get_run("x") is None


def divisions(names: list[str]) -> Iterator[list[list[str]]]:
    """Two divisions into parts: any two names are apart in one of them, so each is asked for without each other."""
    side = math.isqrt(len(names)) + 1
    yield [names[at : at + side] for at in range(0, len(names), side)]
    yield [names[at::side] for at in range(side)]


@pytest.mark.slow
def test_results_do_not_depend_on_order_workers_cache_or_the_part_that_is_asked_for(
    here: Path, lint: Lint, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "tests/lint/inference/programs", here / "programs")
    shutil.copytree(ROOT / "rules", here / "package")
    monkeypatch.setattr(project, "ENOUGH_FILES", 0)
    cold = lint("programs", "package", "train.py", "helpers.py", "--show-notes", "--jobs", "1")
    assert len(codes(cold)) > 20
    warm = lint("programs", "package", "train.py", "helpers.py", "--show-notes")
    turned = lint("helpers.py", "package", "train.py", "programs", "--show-notes", "--jobs", "3", "--no-cache")
    shutil.rmtree(next(kept().glob("*/runs")))
    halfway = lint("train.py", "programs", "package", "helpers.py", "--show-notes")
    assert cold == warm == turned == halfway
    names = [os.path.join("programs", name) for name in sorted(os.listdir("programs"))]
    for division in divisions([*names, "helpers.py", "package", "train.py"]):
        together = [row for part in division for row in json.loads(lint(*part, "--show-notes"))]
        assert sorted(together, key=repr) == sorted(json.loads(cold), key=repr)
