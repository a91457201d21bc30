"""What git knows: the files of an older commit, and the lines that changed since. It reads only, and never the network.

No hook, external diff or text conversion is run, and no name of a file is quoted, split or taken for a pattern.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from .finding import Span
from .paths import real

Ranges = list[tuple[int, int]]

_SAFE: Final = ("core.fsmonitor=false", f"core.hooksPath={os.devnull}", "core.quotePath=off", "log.showSignature=false")
_DIFF: Final = (
    *("diff", "--no-ext-diff", "--no-textconv", "--text", "--no-color", "--no-relative", "--ignore-submodules=all"),
    *("--find-renames", "--unified=0", "--inter-hunk-context=0", "--src-prefix=a/", "--dst-prefix=b/"),
)
_FORGOTTEN: Final = frozenset(
    f"GIT_{name}" for name in ("DIR", "WORK_TREE", "INDEX_FILE", "PREFIX", "NAMESPACE", "DIFF_OPTS", "EXTERNAL_DIFF")
)
"""Variables that a hook sets, or that change what a diff looks like: the directory alone says which repository."""

_HUNK: Final = re.compile(rb"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_ESCAPE: Final = re.compile(rb'\\([0-7]{3}|[abfnrtv"\\])')
_ESCAPED: Final = dict(zip(b"abfnrtv", b"\a\b\f\n\r\t\v"))


class GitError(Exception):
    """Git cannot tell what is asked; the message is one line: what is missing and what to do."""


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit of the repository whose working tree is `top`."""

    top: str
    name: str

    def files(self) -> dict[str, tuple[str, str]]:
        """The plain files of the commit and of its submodules: real path to repository and name of the content."""
        found = {}
        for mode, name, path in self._listed():
            if mode in (b"100644", b"100755"):
                found[path] = (self.top, name)
        for submodule in self.submodules():
            found.update(submodule.files())
        return found

    def submodules(self) -> Iterator[Commit]:
        """The commits of the submodules that are checked out."""
        for mode, name, path in self._listed():
            if mode == b"160000" and os.path.exists(os.path.join(path, ".git")):
                yield commit(path, name)

    def _listed(self) -> Iterator[tuple[bytes, str, str]]:
        for row in _git(self.top, "ls-tree", "-r", "-z", "--full-tree", self.name).split(b"\0")[:-1]:
            head, _, path = row.partition(b"\t")
            mode, _, name = head.split(b" ")
            yield mode, name.decode(), real(os.path.join(self.top, os.fsdecode(path)))

    def changed(self) -> dict[str, Ranges]:
        """The rows that the working tree has and the commit has not, of each file that differs and git tracks."""
        found = {
            real(os.path.join(self.top, os.fsdecode(path))): ranges
            for path, ranges in changed_rows(_git(self.top, *_DIFF, self.name, "--")).items()
        }
        for submodule in self.submodules():
            found.update(submodule.changed())
        return found


def repository(directory: str) -> str:
    """The top of the working tree a directory lies in. Raises GitError."""
    try:
        return os.path.realpath(os.fsdecode(_git(directory, "rev-parse", "--show-toplevel")[:-1]))
    except GitError as error:
        if "not a git repository" in str(error) or "work tree" in str(error):
            message = f"{directory} is in no git working tree; run synclint in one, or leave the option away"
            raise GitError(message) from error
        raise


def commit(top: str, ref: str) -> Commit:
    """The commit that a name means. Raises GitError."""
    try:
        if ref.startswith("-"):
            raise GitError("an option")
        return Commit(top, _git(top, "rev-parse", "--verify", "--quiet", ref + "^{commit}").decode().strip())
    except GitError as error:
        raise GitError(f"git knows no commit `{ref}` in {top}; correct the name, or {_more_history(top)}") from error


def base(newest: Commit) -> Commit | None:
    """The commit where HEAD and another one parted, if git knows one."""
    try:
        return Commit(newest.top, _git(newest.top, "merge-base", newest.name, "HEAD").decode().split()[0])
    except (GitError, IndexError):
        return None


def parting(newest: Commit, ref: str) -> Commit:
    """The same, where it has to be known. Raises GitError."""
    found = base(newest)
    if found is None:
        raise GitError(f"git knows no commit that `{ref}` and HEAD have in common; {_more_history(newest.top)}")
    return found


def _more_history(top: str) -> str:
    if _git(top, "rev-parse", "--is-shallow-repository").strip() == b"true":
        return "fetch it: this clone is shallow (`git fetch --unshallow`; `fetch-depth: 0` for actions/checkout)"
    return "fetch it (`git fetch origin`)"


def contents(files: Mapping[str, tuple[str, str]]) -> dict[str, bytes]:
    """The contents of files as `Commit.files` names them. Raises GitError."""
    found: dict[str, bytes] = {}
    for top in sorted({top for top, _ in files.values()}):
        wanted = [(path, name) for path, (place, name) in files.items() if place == top]
        asked = "".join(f"{name}\n" for _, name in wanted).encode()
        try:
            answer = list(_batch(_git(top, "cat-file", "--batch", given=asked), len(wanted)))
        except GitError as error:
            message = f"{top} lacks contents of older files (a partial clone?); fetch them: `git fetch --refetch`"
            raise GitError(message) from error
        found.update(zip([path for path, _ in wanted], answer))
    return found


def _batch(answer: bytes, number: int) -> Iterator[bytes]:
    at = 0
    for _ in range(number):
        end = answer.find(b"\n", at)
        head = answer[at:end].split(b" ")
        if end < 0 or len(head) != 3:
            raise GitError("missing")
        at = end + 1 + int(head[2])
        yield answer[end + 1 : at]
        at += 1


def _git(directory: str, *arguments: str, given: bytes = b"") -> bytes:
    """What git prints. Raises GitError with what it complains about."""
    variables = {key: value for key, value in os.environ.items() if key not in _FORGOTTEN}
    variables |= {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}
    variables |= {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none", "GIT_PAGER": "cat"}
    settings = [part for each in _SAFE for part in ("-c", each)]
    command = ["git", "--no-pager", "--literal-pathspecs", *settings, *arguments]
    try:
        done = subprocess.run(command, cwd=directory, env=variables, input=given, capture_output=True, check=False)
    except FileNotFoundError as error:
        raise GitError("git is not installed, or not on the PATH; install it, or leave the option away") from error
    except OSError as error:
        raise GitError(f"git cannot be run in {directory}: {error.strerror}") from error
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines() or [f"it exits with {done.returncode}"]
        advice = "; trust it: `git config --global --add safe.directory PATH`" if "dubious" in said[0] else ""
        raise GitError(f"git {arguments[0]} fails in {directory}: {said[0]}{advice}")
    return done.stdout


def changed_rows(patch: bytes) -> dict[bytes, Ranges]:
    """The first and last rows of what a patch without context adds, for each file it makes or changes."""
    found: dict[bytes, Ranges] = {}
    rows: Ranges = []
    left = 0
    for line in patch.split(b"\n"):
        if left:
            left -= not line.startswith(b"\\")
        elif line.startswith((b"+++ b/", b'+++ "b/')):
            rows = found.setdefault(_unquoted(line[4:]).removeprefix(b"b/"), [])
        elif line.startswith(b"rename to "):
            found.setdefault(_unquoted(line[10:]), [])
        elif match := _HUNK.match(line):
            removed, first, added = (int(match[1] or 1), int(match[2]), int(match[3] or 1))
            left = removed + added
            rows += [(first, first + added - 1)] if added else []
    return found


def _unquoted(name: bytes) -> bytes:
    """A file's name in a patch: in quotes where it has control characters; a tab ends one that has spaces."""
    if not name.startswith(b'"'):
        return name.removesuffix(b"\t")
    return _ESCAPE.sub(lambda match: _character(match[1]), name.rstrip(b"\t")[1:-1])


def _character(code: bytes) -> bytes:
    if len(code) == 3:
        return bytes([int(code, 8)])
    return bytes([_ESCAPED.get(code[0], code[0])])


def touches(ranges: Ranges, span: Span) -> bool:
    """Whether any row of a span was changed."""
    span = span.on_disk
    return any(first <= span.end_row and span.row <= last for first, last in ranges)
