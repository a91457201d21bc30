"""Runs git so that nothing of a repository is run, nothing is written or fetched, and no answer is without end.

`docs/security.md` lists the calls.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread, Timer
from typing import Final

from ..files.paths import repository
from ..limits import LARGEST_ANSWER, LARGEST_COMPLAINT

_SAFE: Final = (
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    f"core.attributesFile={os.devnull}",
    "core.quotePath=off",
    "safe.bareRepository=explicit",
)
_KEPT: Final = ("GIT_CONFIG", "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM", "GIT_EXEC_PATH")
"""Of the variables that control git, the user's own settings; the directory alone determines the repository."""

_SET: Final = {
    "LC_ALL": "C",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_GRAFT_FILE": os.devnull,
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
}
_LONGEST: Final = 300.0
"""The seconds after which a call of git is abandoned."""

_LONGEST_NAMING: Final = 10.0
"""The same for calls that hardly do more than read the configuration, which may include a pipe without a writer."""

_NAMING: Final = ("rev-parse", "ls-files")


class GitError(Exception):
    """Git cannot answer; the message is one line: what is missing and what to do."""


def git(
    directory: str, *arguments: str, given: bytes = b"", ceiling: str | None = None, codes: tuple[int, ...] = (0,)
) -> bytes:
    """Return the output of git. Raises GitError with its complaint."""
    variables = {key: value for key, value in os.environ.items() if key.startswith(_KEPT) or key[:4] != "GIT_"} | _SET
    if ceiling:
        variables["GIT_CEILING_DIRECTORIES"] = ceiling
    settings = [part for each in _SAFE for part in ("-c", each)]
    command = [_program(directory), "--no-pager", "--literal-pathspecs", *settings, *arguments]
    try:
        code, output, complaint = _answer(command, directory, variables, given, arguments[0])
    except OSError as error:
        raise GitError(f"git could not be run in {directory}: {error.strerror}") from error
    if code not in codes:
        said = complaint.decode(errors="replace").strip().splitlines() or [f"exit code {code}"]
        advice = "; trust it: `git config --global --add safe.directory PATH`" if "dubious" in said[0] else ""
        raise GitError(f"git {arguments[0]} failed in {directory}: {said[0]}{advice}")
    return output


def _answer(
    command: list[str], directory: str, variables: dict[str, str], given: bytes, name: str
) -> tuple[int, bytes, bytes]:
    """Return the exit code of git, its output and its complaint. Raises OSError, and GitError for what has no end."""
    seconds = _LONGEST_NAMING if name in _NAMING else _LONGEST
    pipe, late, complaints = subprocess.PIPE, Event(), list[bytes]()
    with subprocess.Popen(command, cwd=directory, env=variables, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        timer = Timer(seconds, _end, (process, late))
        timer.daemon = True
        others = (
            timer,
            Thread(target=_give, args=(process, given)),
            Thread(target=_listen, args=(process, complaints)),
        )
        for each in others:
            each.start()
        assert process.stdout is not None
        output = process.stdout.read(LARGEST_ANSWER + 1)
        if len(output) > LARGEST_ANSWER:
            process.kill()
        code = process.wait()
        timer.cancel()
        for each in others:
            each.join()
    if late.is_set():
        raise GitError(f"git {name} took longer than {seconds:g} s in {directory}; is the repository damaged?")
    if len(output) > LARGEST_ANSWER:
        raise GitError(f"git {name} answers with more than {LARGEST_ANSWER >> 20} MiB in {directory}")
    return code, output, b"".join(complaints)


def _end(process: subprocess.Popen[bytes], late: Event) -> None:
    late.set()
    process.kill()


def _give(process: subprocess.Popen[bytes], data: bytes) -> None:
    """Write what git is to read; it may have ended before."""
    assert process.stdin is not None
    with suppress(OSError):
        process.stdin.write(data)
    with suppress(OSError):
        process.stdin.close()


def _listen(process: subprocess.Popen[bytes], complaints: list[bytes]) -> None:
    assert process.stderr is not None
    complaints.append(process.stderr.read(LARGEST_COMPLAINT))


def _program(directory: str) -> str:
    """Return the path of git, never one that is in a repository: it may be part of what is checked. Raises GitError.

    Some systems look in the current directory first, and tools for environments add folders of a project to the PATH.
    """
    name = "git.exe" if sys.platform == "win32" else "git"
    checked = tuple(os.path.join(os.path.realpath(place), "") for place in _checked(directory))
    for place in filter(os.path.isabs, os.get_exec_path()):
        path = os.path.join(place, name)
        if os.path.isfile(path) and os.access(path, os.X_OK) and not os.path.realpath(path).startswith(checked):
            return path
    raise GitError("git is not installed, or not on the PATH; install it, or omit the option")


def _checked(directory: str) -> Iterator[Path]:
    """Yield the repositories of a directory and of the current one, with those of which they are a part."""
    for start in (directory, os.getcwd()):
        place = repository(os.path.realpath(start))
        while place is not None:
            yield place
            place = repository(place.parent) if os.path.isfile(place / ".git") else None
