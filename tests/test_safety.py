"""What every command does to a hostile repository: it reads it, and that is all."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import time
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from synclint.lint.output.targets import format_names

ROOT = Path(__file__).parent.parent
GIT = shutil.which("git")
sys.path.append(str(Path(__file__).parent))
from hostile_repository import make, snapshot  # noqa: E402

pytestmark = pytest.mark.skipif(GIT is None or os.name != "posix", reason="the traps are links, scripts and git's")

CALLS = {"rev-parse", "merge-base", "ls-files", "ls-tree", "cat-file", "diff"}
"""The commands of git that are used, all listed in docs/security.md."""

CHANGES = (
    "write",
    "os.remove",
    "os.rename",
    "os.rmdir",
    "os.mkdir",
    "os.link",
    "os.utime",
    "shutil.rmtree",
    "os.chmod",
)


SYSTEM = ("/dev/null", "/dev/urandom", "/etc/mime.types")
"""What Python and its library read of the system."""


class Place:
    """A hostile repository, and what happened to it."""

    def __init__(self, folder: Path, cache: Path) -> None:
        self.folder, self.cache, self.log, self.sprung = folder / "repo", cache, folder / "log", folder / "sprung"
        make(self.folder, self.sprung)
        self.outside, self.temporary = folder / "outside", folder / "tmp"
        self.temporary.mkdir()
        self.before = snapshot(self.folder, self.outside)
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        self.environment |= {"TMPDIR": str(self.temporary), "GITHUB_ACTIONS": "", "HOME": str(folder / "home")}
        self.environment["PYTHONDONTWRITEBYTECODE"] = "1"
        self.command = [sys.executable, str(ROOT / "tests/audited.py"), str(self.log)]

    def run(self, *words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*self.command, *words], cwd=cwd or self.folder, env=self.environment, capture_output=True, text=True
        )

    def events(self) -> list[tuple[str, list[Any]]]:
        return [(event, words) for event, words in map(json.loads, self.log.read_text().splitlines())]

    def judge(self, *written: Path, processes: bool = False, sockets: bool = False) -> None:
        """Nothing happened but what is listed."""
        trusted = [ROOT, Path(sys.prefix), Path(sys.base_prefix), Path(sysconfig.get_path("stdlib"))]
        trusted += [Path(str(metadata.distribution(name).locate_file(""))) for name in ("click", "pygls")]
        own = (self.cache, self.temporary, *written)
        for event, words in self.events():
            what = f"{event} {words}"
            paths = [os.path.join(self.folder, word) for word in words if isinstance(word, str)]
            if event in ("os.remove", "os.rmdir") and words[-1] != -1:
                continue  # relative to a directory that `shutil.rmtree` is at, which is judged by its own event
            if event in CHANGES:
                assert paths, what
                assert all(_is_below(path, *own) or path == os.devnull for path in paths), what
            elif event == "read":
                assert _is_below(paths[0], self.folder, self.outside, *own, *trusted) or paths[0] in SYSTEM, what
            elif event == "import":
                assert not words[1] or _is_below(paths[1], *trusted), what
            elif event == "exec":
                assert words[0].startswith("<") or _is_below(paths[0], *trusted), what
            elif event == "subprocess.Popen":
                assert words[0] == GIT, what
                assert CALLS & set(words[1]), what
            elif event == "os.fork":
                assert processes, what
            elif event in ("socket.__new__", "os.fchmod", "os.kill"):
                assert sockets or processes, what
            else:
                pytest.fail(what)
        assert not self.sprung.exists()
        after = snapshot(self.folder, self.outside)
        assert {path for path in {*after, *self.before} if after.get(path) != self.before.get(path)} <= set(
            map(str, written)
        )
        assert not list(self.temporary.iterdir())


def _is_below(path: str, *folders: Path) -> bool:
    return any(Path(path) == folder or folder in Path(path).parents for folder in folders)


def test_the_calls_of_git_are_listed() -> None:
    rows = (ROOT / "docs/security.md").read_text(encoding="utf-8").split("## git")[1].splitlines()
    assert {row.split("`")[1].split()[0] for row in rows if row.startswith("| `")} == CALLS


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path, Path(os.environ["XDG_CACHE_HOME"]))


def test_a_plugin_that_the_repository_brings_and_names_is_not_imported(place: Place) -> None:
    """Found through what `PYTHONPATH=.` adds, too; the rest of the repository would spring traps of its own there."""
    brought = place.folder / "brought"
    (brought / "evil-1.0.dist-info").mkdir(parents=True)
    (brought / "evil-1.0.dist-info/METADATA").write_text("Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n")
    (brought / "evil-1.0.dist-info/entry_points.txt").write_text("[synclint.plugins]\nevil = evil_rules:plugin\n")
    (brought / "evil_rules.py").write_text(f"open({str(place.sprung)!r}, 'w')\n")
    for name in ("evil", "evil_rules", "train", "click"):
        (place.folder / "synclint.toml").write_text(f'plugins = ["{name}"]\n')
        place.before = snapshot(place.folder, place.outside)
        for path in ("", str(brought)):
            place.environment["PYTHONPATH"] = path
            done = place.run("check", ".")
            assert (done.returncode, done.stdout) == (2, "")
            assert f"no plugin `{name}` is installed" in done.stderr
            assert done.stderr.count("\n") == 1
    place.judge()


def test_nor_with_a_configuration_of_ones_own(place: Place) -> None:
    """`--config` is trusted, the tree that is named on the command line is not, wherever the command is run."""
    brought = place.folder / "brought"
    (brought / "evil-1.0.dist-info").mkdir(parents=True)
    (brought / "evil-1.0.dist-info/METADATA").write_text("Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n")
    (brought / "evil-1.0.dist-info/entry_points.txt").write_text("[synclint.plugins]\nevil = evil_rules:plugin\n")
    (brought / "evil_rules.py").write_text(f"open({str(place.sprung)!r}, 'w')\n")
    place.outside.mkdir(exist_ok=True)
    (place.outside / "own.toml").write_text('plugins = ["evil"]\n')
    place.before = snapshot(place.folder, place.outside)
    place.environment["PYTHONPATH"] = str(brought)
    for checked in (place.folder, next(place.folder.glob("*.py"))):
        done = place.run("check", "--config", "own.toml", str(checked), cwd=place.outside)
        assert (done.returncode, done.stdout) == (2, "")
        assert "no plugin `evil` is installed" in done.stderr
    place.judge()


def test_nor_where_its_configuration_is_named(place: Place) -> None:
    """Whoever takes the settings of a repository for other files takes none of its code."""
    brought = place.folder / "brought"
    (brought / "evil-1.0.dist-info").mkdir(parents=True)
    (brought / "evil-1.0.dist-info/METADATA").write_text("Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n")
    (brought / "evil-1.0.dist-info/entry_points.txt").write_text("[synclint.plugins]\nevil = evil_rules:plugin\n")
    (brought / "evil_rules.py").write_text(f"open({str(place.sprung)!r}, 'w')\n")
    (place.folder / "synclint.toml").write_text('plugins = ["evil"]\n')
    place.before = snapshot(place.folder, place.outside)
    place.environment["PYTHONPATH"] = str(brought)
    done = place.run("check", "--config", str(place.folder / "synclint.toml"), "1.py", cwd=place.outside)
    assert (done.returncode, done.stdout) == (2, "")
    assert "no plugin `evil` is installed" in done.stderr
    place.judge()


@pytest.mark.parametrize(
    "words",
    [
        ("check", "."),
        ("check", ".", "--show-notes", "--statistics"),
        ("check", "train.py", "click.py", "notebook.ipynb", "linked.py", "tree/1.py", "coding.py"),
        ("check", ".", "--new-from", "HEAD"),
        ("check", ".", "--diff-only", "HEAD"),
        ("check", ".", "--no-cache", "--isolated"),
        ("stats", "."),
        ("stats", ".", "--output-format", "json"),
        ("explain", "train.py:5"),
        ("explain", "notebook.ipynb:cell 4:1"),
        ("rule", "SYNC101"),
        ("clean",),
        ("--help",),
        *(("check", ".", "--output-format", name) for name in format_names()),
    ],
    ids=" ".join,
)
def test_nothing_is_run_and_nothing_is_written_but_the_cache(place: Place, words: tuple[str, ...]) -> None:
    for _ in range(2):
        done = place.run(*words)
        assert "internal error" not in done.stderr
        assert "Traceback" not in done.stderr
    place.judge()


def test_with_worker_processes(place: Place) -> None:
    done = place.run("check", ".", "--jobs", "2", "--no-cache", "--output-format", "json")
    place.judge(processes=True)
    assert done.stdout == place.run("check", ".", "--jobs", "1", "--no-cache", "--output-format", "json").stdout


@pytest.mark.parametrize("folder", [".synclint_cache", ".cache/synclint", "tree", ".", "loop", ".git", "train.py"])
def test_no_folder_of_it_becomes_a_cache(place: Place, folder: str) -> None:
    for words in (("check", "train.py"), ("clean",), ("server",)):
        assert place.run(*words, "--cache-dir", folder).returncode == 2
    place.judge()


def test_a_report_is_the_only_file_written(place: Place) -> None:
    report = place.folder / "report.sarif"
    place.run("check", ".", "--output", f"sarif={report.name}")
    assert json.loads(report.read_text())["version"] == "2.1.0"
    place.judge(report, *_temporary(place, report))


def test_a_baseline_is_the_only_file_written(place: Place) -> None:
    baseline = place.folder / ".synclint-baseline.json"
    place.run("check", ".", "--write-baseline")
    assert baseline.exists()
    place.judge(*place.folder.glob(".synclint-baseline*"), *_temporary(place, baseline))


def _temporary(place: Place, file: Path) -> list[Path]:
    """The names under which a file was written before it had its own."""
    names = (words[0] for event, words in place.events() if event == "os.rename" and words[1] == str(file))
    return [Path(name) for name in names]


def test_the_server(place: Place) -> None:
    text = (place.folder / "train.py").read_text()
    uri = (place.folder / "train.py").as_uri()
    with subprocess.Popen(
        [*place.command, "server"],
        cwd=place.folder,
        env=place.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        root = place.folder.as_uri()
        _send(server.stdin, 1, "initialize", processId=None, rootUri=root, capabilities={})
        _send(server.stdin, None, "initialized")
        document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
        _send(server.stdin, None, "textDocument/didOpen", textDocument=document)
        answered = b""
        deadline = time.monotonic() + 60
        while b"SYNC101" not in answered and time.monotonic() < deadline:
            answered += os.read(server.stdout.fileno(), 65536)
        _send(server.stdin, 2, "shutdown")
        _send(server.stdin, None, "exit")
        server.communicate(timeout=60)
    assert b"SYNC101" in answered
    place.judge(sockets=True)


def _send(pipe: Any, number: int | None, method: str, **parameters: Any) -> None:
    message = {"jsonrpc": "2.0", "method": method, "params": parameters} | ({"id": number} if number else {})
    data = json.dumps(message).encode()
    pipe.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
    pipe.flush()
