"""A cache never costs a user a file, and nothing that comes with a project passes for one of its entries."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from synclint.lint.run import cache
from synclint.lint.store import folder as cache_folder
from synclint.lint.store import user_cache

TRAIN = "import torch\n\nfor batch in torch.utils.data.DataLoader([1]):\n    batch.cuda().sum().item()\n"
LINT = (sys.executable, "-m", "synclint", "check", "--output-format", "json")
KILLS = int(os.environ.get("SYNCLINT_TEST_KILLS", "20"))

Lint = Callable[..., "subprocess.CompletedProcess[str]"]
posix = pytest.mark.skipif(os.name != "posix", reason="needs links, permissions and fork")


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one file, in the current directory."""
    monkeypatch.setenv("GITHUB_ACTIONS", "")
    folder = tmp_path / "repo"
    folder.mkdir()
    monkeypatch.chdir(folder)
    (folder / "pyproject.toml").touch()
    (folder / "train.py").write_text(TRAIN)
    return folder


def lint(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*LINT, *words, "."], capture_output=True, text=True, env=os.environ | environment)


def synclint(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*LINT[:3], *words], capture_output=True, text=True)


def codes(done: subprocess.CompletedProcess[str]) -> list[str]:
    return [row["code"] for row in json.loads(done.stdout)]


FOUND = ["SYNC601", "SYNC101", "SYNC301"]


def tree(folder: Path) -> dict[str, bytes]:
    """All that stands below a folder."""
    return {
        str(each.relative_to(folder)): os.readlink(each).encode() if each.is_symlink() else each.read_bytes()
        for each in folder.rglob("*")
        if each.is_symlink() or each.is_file()
    }


def users_cache() -> Path:
    return Path(os.environ["XDG_CACHE_HOME"], "synclint")


def precious(folder: Path) -> dict[str, bytes]:
    """Fill a folder with files of all sorts, some of which have names as the cache gives them."""
    (folder / "0.1.0-py311-0123456789ab" / "runs").mkdir(parents=True)
    (folder / ".gitignore").write_text("mine\n")
    for number in range(30):
        (folder / f"{number}.txt").write_text(f"{number}")
        (folder / f"{number:032x}.json").write_text(f"{number}")
        (folder / "0.1.0-py311-0123456789ab" / "runs" / f"{number:032x}.json").write_text(f"{number}")
    return tree(folder)


@pytest.mark.parametrize("command", [("check",), ("clean", "--cache-dir", "there")], ids=lambda words: words[0])
def test_a_folder_of_the_user_is_left_alone(repo: Path, command: tuple[str, ...]) -> None:
    (repo / "there").mkdir()
    before = precious(repo / "there")
    done = lint("--cache-dir", "there") if command == ("check",) else synclint(*command)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "contains more than a synclint cache; choose a new or empty directory" in done.stderr
    assert tree(repo / "there") == before


@pytest.mark.parametrize("tag", [cache_folder._TAG_HEAD, cache_folder._TAG_HEAD + b"0" * 32 + b"\n"])
def test_a_tag_alone_proves_nothing(repo: Path, tag: bytes) -> None:
    (repo / "there").mkdir()
    precious(repo / "there")
    (repo / "there/CACHEDIR.TAG").write_bytes(tag)
    before = tree(repo / "there")
    done = lint("--cache-dir", "there")
    assert codes(done) == FOUND
    assert "no cache:" in done.stderr
    assert "is the cache of another user or machine; remove it or choose another directory" in done.stderr
    assert synclint("clean", "--cache-dir", "there").returncode == 2
    assert tree(repo / "there") == before


@posix
@pytest.mark.parametrize("odd", [".", "..", "/", "~", "train.py", "link", "link/new", "/dev/null"])
def test_odd_places_are_refused(repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, odd: str) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    (repo / "link").symlink_to(tmp_path / "home")
    before = tree(tmp_path)
    done = lint("--cache-dir", os.path.expanduser(odd))
    assert done.stderr.count("\n") == 1
    assert done.returncode == 2 or codes(done) == FOUND
    assert synclint("clean", "--cache-dir", os.path.expanduser(odd)).stdout.startswith("removed") is False
    assert tree(tmp_path) == before


def test_names_that_are_none(repo: Path) -> None:
    with pytest.raises(user_cache.CacheError, match="is not a directory name"):
        cache.cache_of(cache.Settings(root=repo), "a\0b")
    assert codes(lint("--cache-dir", "x" * 5000)) == codes(lint("--cache-dir", "train.py/x")) == FOUND


@posix
def test_links_in_a_cache_are_not_followed(repo: Path, tmp_path: Path) -> None:
    lint("--cache-dir", "there")
    (version,) = (each for each in (repo / "there").iterdir() if each.is_dir())
    other = tmp_path / "other"
    other.mkdir()
    precious(other)
    for name in ("runs", "files", "new"):
        for each in (version / name).iterdir():
            each.unlink()
        (version / name).rmdir()
        (version / name).symlink_to(other)
    before = tree(other)
    assert codes(lint("--cache-dir", "there")) == FOUND
    assert tree(other) == before
    synclint("clean", "--cache-dir", "there")
    assert tree(other) == before


def test_clean_removes_what_is_ours_and_nothing_else(repo: Path) -> None:
    lint("--cache-dir", "there")
    (version,) = (each for each in (repo / "there").iterdir() if each.is_dir())
    for place in (repo / "there", version, version / "files"):
        (place / "mine.txt").write_text("mine")
    assert synclint("clean", "--cache-dir", "there").stdout == f"removed {repo / 'there'}\n"
    assert set(tree(repo / "there")) == {
        "mine.txt",
        os.path.join(version.name, "mine.txt"),
        os.path.join(version.name, "files", "mine.txt"),
    }


def test_a_cache_that_comes_with_the_project_is_not_believed(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The attacker lints a harmless text with a key of their own and commits what was kept, for the harmful one."""
    for folder in ("there", ".synclint_cache"):
        lint("--cache-dir", folder, XDG_CACHE_HOME=str(tmp_path / "attacker"))
        entry = next((repo / folder).glob("*/runs/*.json"))
        entry.write_bytes(b"[null,[6]]" + entry.read_bytes()[-32:])
        assert codes(lint("--cache-dir", folder)) == FOUND
    assert codes(lint()) == FOUND


def test_every_flip_of_a_character_is_noticed(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = lint()
    for kind in ("files", "runs"):
        for entry in users_cache().glob(f"*/*/{kind}/*.json"):
            data = entry.read_bytes()
            folder = cache._folder(str(entry.parents[2]), str(repo))
            assert folder is not None
            assert folder.read(kind, entry.name)
            for at in range(len(data)):
                entry.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
                assert folder.read(kind, entry.name) == ""
            assert folder.read("runs" if kind == "files" else "files", entry.name) == ""
    assert lint().stdout == first.stdout


def test_an_entry_that_was_written_since_is_another_version(tmp_path: Path) -> None:
    folder, name = cache_folder.Folder(str(tmp_path / "cache"), "0.1.0-py311-0123456789ab", b"key"), f"{1:032x}.json"
    first = folder.write(cache_folder.RUNS, name, iter(["one", "\n", "two"]))
    assert folder.read(cache_folder.RUNS, name) == folder.read(cache_folder.RUNS, name, first) == "one\ntwo"
    second = folder.write(cache_folder.RUNS, name, ["three"])
    assert folder.read(cache_folder.RUNS, name, first) == ""
    assert folder.read(cache_folder.RUNS, name, second) == "three"


def test_findings_are_about_files_of_the_run(
    repo: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Were an entry doctored all the same, no other file's lines would be printed."""
    from synclint.lint.cli import cli

    written = cache.Cache.keep_run
    (repo / "secret.txt").write_text("a secret\n")

    def doctored(self: Any, key: str, result: Any) -> None:
        from dataclasses import replace

        span = replace(result[0].span, filename="secret.txt", row=1, end_row=1)
        written(self, key, tuple(replace(each, span=span) for each in result))

    monkeypatch.setattr(cache.Cache, "keep_run", doctored)
    for _ in range(2):
        cli.main(["check", "."], standalone_mode=False)
        assert "secret" not in capsys.readouterr().out


@posix
def test_a_key_that_others_can_read_is_none(repo: Path) -> None:
    lint()
    (users_cache() / "key").chmod(0o644)
    done = lint()
    assert codes(done) == FOUND
    assert "is not private to this user; remove it, or set XDG_CACHE_HOME" in done.stderr
    assert "no cache" not in lint("--quiet").stderr
    (users_cache() / "key").unlink()
    (users_cache() / "key").symlink_to(repo / "train.py")
    assert codes(lint()) == FOUND
    assert (repo / "train.py").read_text() == TRAIN


def test_a_users_cache_in_the_project_is_not_believed(repo: Path) -> None:
    done = lint(XDG_CACHE_HOME=str(repo / ".cache"))
    assert codes(done) == FOUND
    assert "is inside the checked project; set XDG_CACHE_HOME to a directory outside" in done.stderr
    assert not (repo / ".cache").exists()


def test_caches_of_projects_that_nobody_checks_go(repo: Path, tmp_path: Path) -> None:
    lint()
    (old,) = users_cache().glob("*/CACHEDIR.TAG")
    long_ago = time.time() - cache.UNUSED - 1
    os.utime(old, (long_ago, long_ago))
    (tmp_path / "other").mkdir()
    (tmp_path / "other/pyproject.toml").touch()
    (tmp_path / "other/train.py").write_text(TRAIN)
    subprocess.run([*LINT, str(tmp_path / "other")], capture_output=True)
    assert not old.exists()
    assert len(list(users_cache().glob("*/CACHEDIR.TAG"))) == 1


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EIO])
def test_where_nothing_can_be_written(
    repo: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], number: int
) -> None:
    from synclint.lint.cli import cli

    def found() -> list[str]:
        capsys.readouterr()
        cli.main(["check", "--output-format", "json", "."], standalone_mode=False)
        return [row["code"] for row in json.loads(capsys.readouterr().out)]

    opens = os.open

    def fails(*words: Any, **options: Any) -> int:
        if len(words) > 1 and isinstance(words[1], int) and not words[1] & (os.O_WRONLY | os.O_RDWR):
            return opens(*words, **options)  # for reading
        raise OSError(number, os.strerror(number))

    for names in (("open",), ("replace",), ("utime",), ("mkdir", "makedirs", "link"), ("replace", "utime", "remove")):
        with monkeypatch.context() as broken:
            for name in names:
                broken.setattr(os, name, fails)
            (repo / "train.py").write_text(f"{TRAIN}# {names}\n")
            assert found() == FOUND
            assert found() == FOUND
        assert found() == FOUND


@posix
@pytest.mark.parametrize("size", [0, 10, 100, 1000, 3000])
def test_a_disk_that_is_full(repo: Path, size: int) -> None:
    """No file may grow beyond a size: entries are cut short in the middle of a write."""
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))"
    program = f"{limit}\nfrom synclint.lint.cli import main; main()"
    words = [sys.executable, "-c", program, *LINT[3:], "."]
    for _ in range(2):
        done = subprocess.run(words, capture_output=True, text=True)
        assert codes(done) == FOUND
    assert codes(lint()) == codes(lint()) == FOUND
    assert not list(users_cache().rglob("new-*"))


@posix
def test_runs_that_are_killed(repo: Path) -> None:
    """At any moment, again and again: the next run finds the same, and so does the one after it."""
    from synclint.lint import cli

    expected = lint("--no-cache").stdout
    before, chance = tree(repo), random.Random(0)
    for number in range(KILLS):
        (repo / "other.py").write_text(f"import torch\nnumber = {number}\n")
        child = os.fork()
        if not child:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            sys.argv = ["synclint", "check", "."]
            with contextlib.suppress(BaseException):
                cli.main()
            os._exit(0)
        time.sleep(chance.uniform(0, 0.15))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        if number % 10 == 9:
            assert lint().stdout == lint().stdout == expected
    (repo / "other.py").unlink()
    assert lint().stdout == lint().stdout == expected
    assert tree(repo) == before
    assert "removed" in synclint("clean").stdout
    assert [each.name for each in users_cache().iterdir() if not each.name.startswith("new-")] == ["key"]


def test_runs_at_once_make_one_key_and_find_the_same(repo: Path) -> None:
    running = [subprocess.Popen([*LINT, "."], stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(6)]
    outputs = [process.communicate() for process in running]
    assert {out for out, _ in outputs} == {lint("--no-cache").stdout.encode()}
    assert {error for _, error in outputs} == {b""}
    assert len(list(users_cache().rglob("key"))) == 1
    assert not list(users_cache().rglob("new-*"))
