"""The steps of a project as a graph for ninja: it runs those that a change can reach, as many at once as it may.

A step summarizes a bucket of files, since starting a process costs as much as reading several of them. Which bucket a
file is in depends on its name alone, so that a new file changes one bucket.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ..limits import MOST_BUILD_STEPS
from ..store.digests import digest
from .arguments import save

FILES_PER_STEP: Final = 64
NAMES: Final = "names"
GRAPH: Final = "build.ninja"
_RULES: Final = """\
ninja_required_version = 1.5
builddir = .

rule summarize
  command = $synclint summarize @$list --base $base --names {names} --output $out
  description = summarize $out
  restat = 1

rule link
  command = $synclint link @summaries {options} $program --base $base --output $out
  description = link $out
  restat = 1

rule merge
  command = $synclint merge $in {report} --base $base
  description = report
  pool = console

rule generate
  command = $synclint {again}
  description = look for files
  generator = 1
  depfile = {graph}.d
"""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a graph is made of: the files by name below `base`, the roots of programs, and what decides about both.

    `inputs` are configurations, on which links depend; `watched` are the directories where files may come and go;
    `options` are those of linking, `report` those of merging, and `again` is the command that makes the graph.
    """

    base: str
    names: Sequence[str]
    roots: Sequence[str]
    inputs: Sequence[str]
    watched: Sequence[str]
    options: Sequence[str]
    report: Sequence[str]
    again: Sequence[str]


def write(plan: Plan, directory: str) -> None:
    """Write the graph and the lists that it refers to. Raises PartError and OSError."""
    os.makedirs(directory, exist_ok=True)
    buckets = _buckets(plan.names)
    lists = {NAMES: plan.names, "summaries": [f"{bucket}.summary" for bucket in buckets]}
    lists |= {f"{bucket}.list": [os.path.join(plan.base, name) for name in names] for bucket, names in buckets.items()}
    for name, lines in lists.items():
        save(os.path.join(directory, name), "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape"))
    depends = " ".join(_in_depfile(path) for path in (*plan.inputs, *plan.watched))
    _replace(os.path.join(directory, f"{GRAPH}.d"), f"{GRAPH}: {depends}\n")
    _replace(os.path.join(directory, GRAPH), "\n".join(_lines(plan, buckets)) + "\n")


def _buckets(names: Sequence[str]) -> Mapping[str, list[str]]:
    number = 1
    while number < MOST_BUILD_STEPS and number * FILES_PER_STEP < len(names):
        number *= 2
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(f"{int(digest([name])[:8], 16) % number:03}", []).append(name)
    return dict(sorted(found.items()))


def _lines(plan: Plan, buckets: Mapping[str, list[str]]) -> Iterator[str]:
    """Yield the lines of the graph; what stays as it was is not written again, and so not linked."""
    yield f"synclint = {_escaped(_quoted([sys.executable, '-m', 'synclint']))}"
    yield f"base = {_escaped(_quoted([plan.base]))}"
    options, report, again = (_escaped(_quoted(words)) for words in (plan.options, plan.report, plan.again))
    yield _RULES.format(names=NAMES, graph=GRAPH, options=options, report=report, again=again)
    yield f"build {GRAPH}: generate"
    for bucket, names in buckets.items():
        files = " ".join(_path(os.path.join(plan.base, name)) for name in names)
        yield f"build {bucket}.summary: summarize {files} | {bucket}.list\n  list = {bucket}.list"
    summaries = " ".join(f"{bucket}.summary" for bucket in buckets)
    programs = {f"{at}.findings": ["--root", root] for at, root in enumerate(plan.roots)}
    for findings, program in (programs or {"all.findings": ["--open-world"]}).items():
        inputs = " ".join(map(_path, plan.inputs))
        yield f"build {findings}: link {summaries} | summaries {inputs}\n  program = {_escaped(_quoted(program))}"
    found = " ".join(programs or ["all.findings"])
    yield f"build findings: phony {found}\nbuild report: merge {found}\ndefault findings"


def _quoted(words: Iterable[str]) -> str:
    """Return the words as a part of a command, for the shell of the system."""
    return subprocess.list2cmdline(list(words)) if sys.platform == "win32" else shlex.join(words)


def _escaped(text: str) -> str:
    return text.replace("$", "$$")


def _path(path: str) -> str:
    return path.replace("$", "$$").replace(" ", "$ ").replace(":", "$:")


def _in_depfile(path: str) -> str:
    return path.replace("$", "$$").replace(" ", "\\ ").replace("#", "\\#")


def _replace(path: str, text: str) -> None:
    """Write a file anew, whatever was in it: ninja goes by its time."""
    with open(path, "w", encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        file.write(text)
