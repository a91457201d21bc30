"""Asks git: for the files of an older commit, and for the lines changed since; read-only, and never over the network.

Git is only asked for objects, never for the state of the working tree, so that no filter, hook, monitor, external diff
or text conversion of a repository ever runs; changed lines are computed from contents, in a directory of ours.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from ..files import paths
from ..files.paths import real
from ..files.regular import read
from ..finding import Span
from ..limits import LARGEST_ANSWER, LARGEST_FILE
from .git_program import GitError, git

Ranges = list[tuple[int, int]]

_DIFF: Final = (
    *("diff", "--no-index", "--no-ext-diff", "--no-textconv", "--text", "--no-color", "--find-renames"),
    *("--unified=0", "--inter-hunk-context=0", "--no-prefix", "--", "a", "b"),
)
_HUNK: Final = re.compile(rb"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit of the repository whose working tree is `top`."""

    top: str
    name: str

    def files(self) -> dict[str, tuple[str, str]]:
        """Return the regular files of the commit and its submodules: real path to repository and blob name."""
        found = {}
        for mode, name, path in self._listed():
            if mode in (b"100644", b"100755"):
                found[path] = (self.top, name)
        for submodule in self.submodules():
            found.update(submodule.files())
        return found

    def links(self) -> dict[str, bytes]:
        """Return the symbolic links of the commit and its submodules: real path to what each says. Raises GitError."""
        blobs = {path: (self.top, name) for mode, name, path in self._listed() if mode == b"120000"}
        found = contents(blobs)
        for submodule in self.submodules():
            found.update(submodule.links())
        return found

    def submodules(self) -> Iterator[Commit]:
        """Yield the commits of the submodules that are checked out."""
        for mode, name, path in self._listed():
            if mode == b"160000" and os.path.exists(os.path.join(path, ".git")):
                yield commit(path, name)

    def _listed(self) -> Iterator[tuple[bytes, str, str]]:
        for row in git(self.top, "ls-tree", "-r", "-z", "--full-tree", self.name).split(b"\0")[:-1]:
            head, _, path = row.partition(b"\t")
            mode, _, name = head.split(b" ")
            yield mode, name.decode(), real(os.path.join(self.top, os.fsdecode(path)))


def tracked(directory: str) -> Iterator[str]:
    """Yield the real paths of the files that git tracks in the repository of a directory. Raises GitError."""
    top = repository(directory)
    for name in git(top, "ls-files", "-z").split(b"\0")[:-1]:
        yield os.path.join(top, os.fsdecode(name))


def repository(directory: str) -> str:
    """Return the top of the working tree that contains a directory. Raises GitError."""
    try:
        if paths.repository(os.path.realpath(directory)) is None:
            raise GitError("not a git repository")
        return os.path.realpath(os.fsdecode(git(directory, "rev-parse", "--show-toplevel")[:-1]))
    except GitError as error:
        if "not a git repository" in str(error) or "work tree" in str(error):
            message = f"{directory} is not in a git working tree; run synclint in one, or omit the option"
            raise GitError(message) from error
        raise


def commit(top: str, ref: str) -> Commit:
    """Return the commit that a name refers to. Raises GitError."""
    try:
        if ref.startswith("-"):
            raise GitError("an option")
        return Commit(top, git(top, "rev-parse", "--verify", "--quiet", ref + "^{commit}").decode().strip())
    except GitError as error:
        raise GitError(f"there is no commit `{ref}` in {top}; check the name, or {_more_history(top)}") from error


def base(newest: Commit) -> Commit | None:
    """Return the merge base of HEAD and another commit, if git knows one."""
    try:
        return Commit(newest.top, git(newest.top, "merge-base", newest.name, "HEAD").decode().split()[0])
    except (GitError, IndexError):
        return None


def parting(newest: Commit, ref: str) -> Commit:
    """Return the merge base, which has to be known. Raises GitError."""
    found = base(newest)
    if found is None:
        raise GitError(f"`{ref}` and HEAD have no common commit; {_more_history(newest.top)}")
    return found


def _more_history(top: str) -> str:
    if git(top, "rev-parse", "--is-shallow-repository").strip() == b"true":
        return "fetch it: this clone is shallow (`git fetch --unshallow`; `fetch-depth: 0` for actions/checkout)"
    return "fetch it (`git fetch origin`)"


def contents(files: Mapping[str, tuple[str, str]]) -> dict[str, bytes]:
    """Return the contents of files as named by `Commit.files`, but of those that are too large. Raises GitError."""
    found: dict[str, bytes] = {}
    for top in sorted({top for top, _ in files.values()}):
        wanted = {path: name for path, (place, name) in files.items() if place == top}
        try:
            sizes = _sizes(top, wanted.values())
            wanted = {path: name for path, name in wanted.items() if sizes[name] <= LARGEST_FILE}
            if sum(sizes[name] for name in wanted.values()) > LARGEST_ANSWER:
                raise GitError(f"{top} has more than {LARGEST_ANSWER >> 20} MiB of older files; exclude some")
            answer = list(_batch(_objects(top, "--batch", wanted.values()), len(wanted)))
        except _MissingError as error:
            message = f"{top} lacks the contents of older files (a partial clone?); fetch them: `git fetch --refetch`"
            raise GitError(message) from error
        found.update(zip(wanted, answer))
    return found


class _MissingError(Exception):
    """Git does not have the contents."""


def _objects(top: str, how: str, names: Iterable[str]) -> bytes:
    """Return what git says about objects. Raises _MissingError."""
    try:
        return git(top, "cat-file", how, given="".join(f"{name}\n" for name in names).encode())
    except GitError as error:
        raise _MissingError from error


def _sizes(top: str, names: Iterable[str]) -> dict[str, int]:
    """Return the sizes of objects by their names. Raises _MissingError."""
    rows = [row.split(b" ") for row in _objects(top, "--batch-check", names).splitlines()]
    if any(len(row) != 3 for row in rows):
        raise _MissingError
    return {name.decode(): int(size) for name, _, size in rows}


def _batch(answer: bytes, number: int) -> Iterator[bytes]:
    at = 0
    for _ in range(number):
        end = answer.find(b"\n", at)
        head = answer[at:end].split(b" ")
        if end < 0 or len(head) != 3:
            raise _MissingError
        at = end + 1 + int(head[2])
        yield answer[end + 1 : at]
        at += 1


def changed(earlier: Commit, paths: Iterable[str], suffixes: tuple[str, ...]) -> dict[str, Ranges]:
    """Return the rows that files have and a commit does not; an unreadable file is omitted. Raises GitError.

    A file that the commit does not know may be one with one of the suffixes that is gone now.
    """
    blobs = earlier.files()
    newer = {path: _rows_of(data) for path in sorted(set(paths)) if (data := _read(path)) is not None}
    gone = [path for path in blobs if path.endswith(suffixes) and not os.path.lexists(path)]
    moved = gone if any(path not in blobs for path in newer) else []
    known = contents({path: blobs[path] for path in (*newer, *moved) if path in blobs})
    older = {path: _rows_of(data) for path, data in known.items()}
    different = [path for path in newer if newer[path] != older.get(path)]
    numbers = {path: number for number, path in enumerate((*different, *moved))}
    patch = _patch(
        {number: older[path] for path, number in numbers.items() if path in older},
        {numbers[path]: newer[path] for path in different},
    )
    rows = changed_rows(patch)
    return {path: rows.get(numbers[path], []) if path in numbers else [] for path in newer}


def _read(path: str) -> bytes | None:
    try:
        return read(path)
    except OSError:
        return None


def _rows_of(data: bytes) -> bytes:
    """Return the content with line feeds only: git's line ends in a working tree do not change a line."""
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _patch(older: Mapping[int, bytes], newer: Mapping[int, bytes]) -> bytes:
    """Return git's diff of two sets of contents, in a new directory where only the user's own settings apply."""
    if not newer:
        return b""
    try:
        return _compared(older, newer)
    except OSError as error:
        raise GitError(f"could not write to a temporary directory: {error.strerror}; set TMPDIR") from error


def _compared(older: Mapping[int, bytes], newer: Mapping[int, bytes]) -> bytes:
    with tempfile.TemporaryDirectory(prefix="synclint-", ignore_cleanup_errors=True) as folder:
        for side, contents in (("a", older), ("b", newer)):
            os.mkdir(os.path.join(folder, side))
            for number, data in contents.items():
                with open(os.path.join(folder, side, str(number)), "xb") as file:
                    file.write(data)
        return git(folder, *_DIFF, ceiling=os.path.dirname(os.path.realpath(folder)), codes=(0, 1))


def changed_rows(patch: bytes) -> dict[int, Ranges]:
    """Return the first and last rows of what a context-free patch adds, for each numbered file it changes."""
    found: dict[int, Ranges] = {}
    rows: Ranges = []
    left = 0
    for line in patch.split(b"\n"):
        if left:
            left -= not line.startswith(b"\\")
        elif line.startswith((b"+++ b/", b"rename to b/")):
            rows = found.setdefault(int(line.rpartition(b"/")[2]), [])
        elif match := _HUNK.match(line):
            removed, first, added = (int(match[1] or 1), int(match[2]), int(match[3] or 1))
            left = removed + added
            rows += [(first, first + added - 1)] if added else []
    return found


def touches(ranges: Ranges, span: Span) -> bool:
    """Whether any row of a span was changed."""
    span = span.on_disk
    return any(first <= span.end_row and span.row <= last for first, last in ranges)
