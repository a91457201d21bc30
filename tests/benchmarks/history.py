"""What the linter says about lines that real commits changed to remove a wait, and about lines that only look alike.

    python tests/benchmarks/history.py history.json --clones DIR

The cases name a repository, two commits, a path and lines. The files are read from clones below DIR, bare or not;
nothing is checked out and nothing of theirs is run. `README.md` beside this file describes the fields.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import subprocess
import sys
import tarfile
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from synclint.lint.finding import Confidence, Finding, Severity
from synclint.lint.inference.linking.link import link
from synclint.lint.inference.notes.operations import Call, Compare, Convert, Index, IndexWrite, Operation, Truth
from synclint.lint.inference.values import certainty
from synclint.lint.inference.values.union import Value
from synclint.lint.run.engine import run
from synclint.lint.run.project import File, check_file
from synclint.lint.settings.config import Settings
from synclint.lint.settings.selection import Layer, chosen_rules

LAYOUTS: Final = ("{owner}+{name}/repo", "{owner}+{name}", "{owner}/{name}", "{name}")
SETTINGS: Final = Settings(root=Path.cwd(), min_confidence=Confidence.POSSIBLE)
"""No configuration. The least sure findings are shown, too; they are notes at most, so they change no figure."""

Case = Mapping[str, Any]


class MissingError(Exception):
    """A clone, a commit or a file that a case names is not there."""


@dataclass(frozen=True)
class Clones:
    """The clones below one directory; a layout says how a clone's path is made of owner and name."""

    root: Path
    layouts: Sequence[str] = LAYOUTS

    def read(self, repo: str, commit: str, path: str) -> bytes:
        """One file's bytes at a commit."""
        return self._git(repo, "show", f"{commit}:{path}")

    def python_files(self, repo: str, commit: str) -> Iterator[tuple[str, bytes]]:
        """All Python files of a commit, with their paths."""
        packed = self._git(repo, "archive", "--format=tar", commit, "--", ":(glob)**/*.py")
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            for member in archive:
                if member.isfile() and (content := archive.extractfile(member)):
                    yield member.name, content.read()

    def _git(self, repo: str, *arguments: str) -> bytes:
        done = subprocess.run(["git", "-C", str(self._place(repo)), *arguments], capture_output=True)
        if done.returncode:
            raise MissingError(done.stderr.decode(errors="replace").strip())
        return done.stdout

    def _place(self, repo: str) -> Path:
        owner, _, name = repo.partition("/")
        for layout in self.layouts:
            place = self.root / layout.format(owner=owner, name=name)
            if (place / ".git").exists() or (place / "HEAD").is_file():
                return place
        raise MissingError(f"no clone of {repo} below {self.root} (tried {', '.join(self.layouts)})")


@dataclass(frozen=True)
class Page:
    """One file at one commit and what the linter says about it; `trouble` says why it was not checked."""

    name: str
    data: bytes
    findings: Sequence[Finding]
    trouble: str = ""

    @cached_property
    def lines(self) -> list[str]:
        """The file's lines, without line ends."""
        return self.data.decode(errors="replace").replace("\r\n", "\n").split("\n")

    @cached_property
    def heads(self) -> list[tuple[int, int]]:
        """First and last row of every statement, the inner ones last; of compound statements the head alone."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(self.data)
        return sorted(_rows(node) for node in ast.walk(tree) if isinstance(node, ast.stmt))

    def on(self, line: int) -> list[Finding]:
        """The findings whose span or whose statement has this line in it, loudest first."""
        found = [each for each in self.findings if line in self._rows_of(each)]
        return sorted(found, key=lambda each: -each.severity)

    def around(self, line: int, distance: int = 3) -> list[Finding]:
        """The findings a few rows away, for a reader who wonders."""
        return [each for each in self.findings if 0 < abs(each.span.row - line) <= distance]

    def operations(self, line: int) -> list[str]:
        """What the inference saw on a line, before any rule: a reader sees whether it or a rule was silent."""
        summary = check_file(File(self.name, named=True, data=self.data)).summary
        seen = link([summary], SETTINGS) if summary else ()
        return [_seen(each) for each in seen if each.span.row <= line <= each.span.end_row]

    def _rows_of(self, finding: Finding) -> range:
        row, end = finding.span.row, finding.span.end_row
        around = [head for head in self.heads if head[0] <= row <= head[1]]
        first, last = around[-1] if around else (row, end)
        return range(min(first, row), max(last, end) + 1)


def _seen(operation: Operation) -> str:
    """An operation with the values it looks at, how sure it is that they are on the GPU, and its frequency."""
    match operation:
        case Call():
            values: Sequence[Value] = [operation.subject]
        case Compare():
            values = operation.values
        case Index() | IndexWrite():
            values = [operation.base, *operation.indices]
        case Truth() | Convert():
            values = [operation.value]
        case _:
            values = []
    sure = certainty.of(values)
    words = f"{sure.words if sure else 'not'} on the GPU, {operation.frequency.level.words}"
    return f"{type(operation).__name__} {operation.text}: {', '.join(map(str, values))} [{words}]"


def _rows(statement: ast.stmt) -> tuple[int, int]:
    body = getattr(statement, "body", None) or getattr(statement, "cases", None)
    if not body:
        return statement.lineno, statement.end_lineno or statement.lineno
    inner = body[0].pattern.lineno if isinstance(body[0], ast.match_case) else body[0].lineno
    return statement.lineno, max(statement.lineno, inner - 1)


class Library:
    """The pages that the cases ask for, each file linted once: alone, or with all files of its repository."""

    def __init__(self, clones: Clones, whole: bool, more_rules: Sequence[str] = ()) -> None:
        self.clones = clones
        self.whole = whole
        self.rules = chosen_rules([Layer(extend=tuple(more_rules))])
        self._pages: dict[tuple[str, str, str], Page] = {}
        self._commits: dict[tuple[str, str], dict[str, Page]] = {}

    def page(self, repo: str, commit: str, path: str) -> Page:
        """One file's page. Raises MissingError."""
        if self.whole:
            return self._page_of_commit(repo, commit, path)
        key = repo, commit, path
        if key not in self._pages:
            data = self.clones.read(*key)
            self._pages[key] = self._lint([File(path, named=True, data=data)])[path]
        return self._pages[key]

    def _page_of_commit(self, repo: str, commit: str, path: str) -> Page:
        if (repo, commit) not in self._commits:
            files = self.clones.python_files(repo, commit)
            self._commits[repo, commit] = self._lint([File(name, data=data) for name, data in files])
        pages = self._commits[repo, commit]
        if path not in pages:
            raise MissingError(f"{path} is not in {repo} at {commit}")
        return pages[path]

    def _lint(self, files: Sequence[File]) -> dict[str, Page]:
        result = run(files, SETTINGS, self.rules)
        troubles = {each.filename: f"internal error in {each.part}: {each.error}" for each in result.failures}
        findings: dict[str, list[Finding]] = {file.name: [] for file in files}
        for each in result.findings:
            findings[each.span.filename].append(each)
            if each.name == "unreadable-file":
                troubles.setdefault(each.span.filename, each.message)
        return {
            file.name: Page(file.name, file.data or b"", findings[file.name], troubles.get(file.name, ""))
            for file in files
        }


@dataclass(frozen=True)
class Verdict:
    """One line and what was said about it. `part` is before, after or look-alike; `ok` that it is as it should be.

    `group` is what it takes to see a case (`detect`), or what is expected of a look-alike (`none`, `downgrade`).
    """

    part: str
    id: str
    group: str
    kind: str
    place: str
    source: str
    expected: str
    ok: bool
    severity: str
    said: Sequence[str]
    around: Sequence[str] = ()
    operations: Sequence[str] = ()


def judge(library: Library, part: str, case: Case, line: int) -> Verdict:
    """The verdict on one line. A line of a file that could not be checked is never right."""
    commit = case["commit_after" if part == "after" else "commit_before"]
    place = f"{case['repo']}@{commit[:10]}:{case['path']}:{line}"
    page, trouble = _page(library, case, commit)
    found = page.on(line) if page and not trouble else []
    sure = [each.severity for each in found if each.confidence > Confidence.POSSIBLE]
    loudest = max(sure, default=Severity.NONE)
    ok = not trouble and (loudest >= Severity.WARNING) == (part == "before")
    wonder = page is not None and not trouble and not ok
    return Verdict(
        part=part,
        id=case["id"],
        group=case.get("detect") or case.get("expect") or "",
        kind=case["kind"],
        place=place,
        source=page.lines[line - 1].strip() if page and line <= len(page.lines) else "",
        expected=case.get("spelling", "") if part == "before" else case.get("why") or case.get("fix_kind") or "",
        ok=ok,
        severity=loudest.words,
        said=[trouble] if trouble else [_brief(each) for each in found],
        around=[_brief(each) for each in page.around(line) if each not in found] if page and wonder else (),
        operations=page.operations(line) if page and wonder else (),
    )


def _page(library: Library, case: Case, commit: str) -> tuple[Page | None, str]:
    try:
        page = library.page(case["repo"], commit, case["path"])
    except MissingError as error:
        return None, f"not checked: {error}"
    return page, page.trouble and f"not checked: {page.trouble}"


def _brief(finding: Finding) -> str:
    often = finding.frequency.level.words + (", assumed" if finding.frequency.assumed else "")
    how = f"{finding.severity.words}, {finding.confidence.words}, {often}"
    return f"{finding.span.row}: {finding.code} ({how}) {finding.message}"


def judge_all(library: Library, data: Mapping[str, Sequence[Case]], detect: Sequence[str]) -> Iterator[Verdict]:
    """The verdicts on all lines of the chosen cases, in the file's order."""
    cases = [case for case in data["cases"] if "all" in detect or case["detect"] in detect]
    for case in cases:
        yield judge(library, "before", case, case["line"])
    for case in cases:
        if case.get("path_after_exists") and not case["after_still_syncs"]:
            for line in case["after_lines"]:
                yield judge(library, "after", case, line)
    for case in data["look_alikes"]:
        yield judge(library, "look-alike", case, case["line"])


def share(verdicts: Sequence[Verdict]) -> str:
    """`31 of 43  72.1 %`."""
    right = sum(each.ok for each in verdicts)
    return f"{right:4} of {len(verdicts):<4} {100 * right / len(verdicts):5.1f} %" if verdicts else "   0"


def summary(verdicts: Sequence[Verdict], detail: Callable[[Verdict], str]) -> Iterator[str]:
    """The shares of one part, by a detail such as the kind."""
    groups: dict[str, list[Verdict]] = {}
    for each in verdicts:
        groups.setdefault(detail(each), []).append(each)
    for name, group in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])):
        yield f"    {share(group)}  {name}"


def report(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """The shares of all parts, with their details."""
    before, after, alike = (
        [each for each in verdicts if each.part == part] for part in ("before", "after", "look-alike")
    )
    yield f"before: reported as warning or error   {share(before)}"
    yield from summary(before, lambda each: each.group)
    yield "  by kind"
    yield from summary(before, lambda each: each.kind)
    yield f"       reported as a note              {sum(each.severity == 'note' for each in before):4} of {len(before)}"
    yield f"after: lines free of both              {share(after)}"
    cases = _by_case(after)
    yield f"       cases, all of their lines free  {sum(cases.values()):4} of {len(cases)}"
    yield f"look-alikes: free of both              {share(alike)}"
    yield from summary(alike, lambda each: each.kind)
    noted = [each for each in alike if each.severity == "note" and each.group != "downgrade"]
    yield f"       with a note where none should be{len(noted):4} of {len(alike)}"


def _by_case(verdicts: Iterable[Verdict]) -> dict[str, bool]:
    cases: dict[str, bool] = {}
    for each in verdicts:
        cases[each.id] = cases.get(each.id, True) and each.ok
    return cases


def table(verdicts: Iterable[Verdict]) -> Iterator[str]:
    """The verdicts for a reader: the line, what should be there, and what was said."""
    for each in verdicts:
        yield ""
        yield f"{'ok  ' if each.ok else 'MISS'} {each.part}  {each.id}  {each.group} {each.kind}"
        yield f"     {each.place}"
        yield f"     | {each.source}"
        yield f"     case:   {each.expected}"
        for title, words in (("said:  ", each.said), ("near:  ", each.around), ("seen:  ", each.operations)):
            for word in words:
                yield f"     {title} {word}"


def arguments() -> argparse.Namespace:
    """The words of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", type=Path, help="the JSON file with cases and look_alikes")
    parser.add_argument("--clones", type=Path, required=True, metavar="DIR", help="the directory of the clones")
    parser.add_argument(
        "--layout",
        action="append",
        help=f"how a clone lies below DIR; may be repeated (default: {' or '.join(LAYOUTS)})",
    )
    parser.add_argument("--detect", default="syntax,dataflow", help="classes of cases, with commas, or all")
    parser.add_argument("--context", choices=("file", "repo"), default="file", help="what is linted together")
    parser.add_argument("--extend-select", action="append", default=[], metavar="RULE", help="use this rule as well")
    parser.add_argument("--show", choices=("none", "misses", "all"), default="misses", help="the lines to list")
    parser.add_argument("--json", action="store_true", help="print all verdicts as JSON")
    return parser.parse_args()


def main() -> int:
    """Judge the cases and print what came of it."""
    given = arguments()
    data = json.loads(given.cases.read_text(encoding="utf-8"))
    clones = Clones(given.clones, given.layout or LAYOUTS)
    library = Library(clones, given.context == "repo", given.extend_select)
    verdicts = list(judge_all(library, data, given.detect.split(",")))
    if given.json:
        print(json.dumps([asdict(each) for each in verdicts], indent=1))
        return 0
    shown = [each for each in verdicts if given.show == "all" or (given.show == "misses" and not each.ok)]
    print("\n".join((*report(verdicts), *table(shown))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
