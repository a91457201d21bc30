"""Links the summaries of a program's files: the second half of a run, without their sources."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from ..files.modules import Modules
from ..files.source import may_matter
from ..run.cache import is_placed
from ..run.engine import run, speaks_of
from ..run.file import Checked, File
from ..run.project import check_files
from ..run.result import Result
from ..settings.configurations import Configurations
from ..task import Task
from .parts import PartError
from .program import program
from .summary import Summary, read


def collected(paths: Iterable[str]) -> dict[str, Summary]:
    """Return the summaries in some files, by the names of what they are about, in the order of these. Raises PartError.

    The same file may be in several of them, but not with different contents.
    """
    found: dict[str, Summary] = {}
    for path in paths:
        for each in read(path):
            known = found.setdefault(each.name, each)
            if known.content != each.content:
                raise PartError(f"{path}: {each.name} is summarized twice, with different contents; drop one of them")
            found[each.name] = min(known, each, key=lambda summary: summary.lines)
    return {name: found[name] for name in sorted(found)}


def chosen(
    summaries: Mapping[str, Summary], roots: Sequence[str], configurations: Configurations
) -> dict[str, Summary]:
    """Return the summaries that are linked: no file that a configuration excludes; with roots, what these import.

    Raises PartError and ConfigError.
    """
    left = {name: each for name, each in summaries.items() if not _is_excluded(name, configurations)}
    if not roots:
        return left
    return program(roots, left, Modules(os.path.abspath(configurations.run.top), left))


def linked(task: Task, summaries: Mapping[str, Summary]) -> Result:
    """Return the findings in the files of a task. Raises PartError."""
    found = _run(task, summaries)
    if not speaks_of(found.findings, set(summaries), ()):
        raise PartError("a summary refers to files that are not in it; summarize the files again")
    new = [each.filename for each in found.failures if not _failed(each.filename, summaries)]
    if new and not _run(task, summaries, reads_all=True).failures:
        raise PartError(f"{new[0]}: its summary, or that of a file it uses, is wrong; summarize the files again")
    return found


def _run(task: Task, summaries: Mapping[str, Summary], reads_all: bool = False) -> Result:
    analyses = _analyses(summaries, reads_all)
    return run(task.files, task.settings, task.rules, analyses=analyses, groups=task.groups)


def _failed(name: str, summaries: Mapping[str, Summary]) -> bool:
    """Whether a file could not be summarized because of an error of ours."""
    return name in summaries and summaries[name].checked().failure is not None


def _is_excluded(name: str, configurations: Configurations) -> bool:
    path = os.path.abspath(name)
    excluded = configurations.excluded(os.path.dirname(path))
    return excluded is not None and excluded.cover(path)


def _analyses(
    summaries: Mapping[str, Summary], reads_all: bool
) -> Callable[[Sequence[File], int | None], Iterator[Checked]]:
    """Return where each file's analysis comes from: its summary, or a second read where it depends on the run."""

    def analyses(files: Sequence[File], jobs: int | None) -> Iterator[Checked]:
        again = []
        for file in files:
            checked = summaries[file.name].checked()
            if reads_all or _says_more(file) or not is_placed(checked, file):
                again.append(file)
            else:
                yield checked if file.connected or may_matter(file.data or b"") else _unread(checked)
        yield from check_files(again, jobs)

    return analyses


def _unread(checked: Checked) -> Checked:
    """Return what is known of a file that turns out to have nothing to do with the others."""
    return Checked(checked.filename, mentions=checked.mentions) if checked.mentions else checked


def _says_more(file: File) -> bool:
    """Whether what the configuration declares, or calls that rules from outside want to see, may be in a file."""
    about = file.project
    names = (*about.gpu_names, *about.calls, *(fact.name for fact in about.facts))
    words = {name.rpartition(".")[2].encode() for name in names}
    data = file.data or b""
    if about.makes_elsewhere and (b"torch" in data or not data.isascii()):
        return True
    return bool(words) and (not data.isascii() or any(word in data for word in words))
