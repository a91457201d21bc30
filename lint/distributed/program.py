"""Which files a program consists of: those that its roots import, directly or indirectly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..files.modules import Modules
from .parts import PartError
from .summary import Summary


def program(roots: Sequence[str], summaries: Mapping[str, Summary], modules: Modules) -> dict[str, Summary]:
    """Return the summaries of what the roots import, by name. Raises PartError for a root without a summary."""
    missing = next((root for root in roots if root not in summaries), None)
    if missing is not None:
        raise PartError(f"{missing}: is given as a root, but has no summary; summarize it, or name another root")
    named = {modules.name(name)[0]: name for name in sorted(summaries, reverse=True)}
    found: set[str] = set()
    todo = list(roots)
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += (named[each] for each in _meant(summaries[name], modules) if each in named)
    return {name: each for name, each in summaries.items() if name in found}


def _meant(summary: Summary, modules: Modules) -> Iterator[str]:
    """Yield the full names of modules that a file's imports may refer to, and of the packages around them."""
    yield from _with_packages(modules.name(summary.name)[0])
    for written in summary.imports:
        yield from _with_packages(modules.full(written, summary.name, summary.added))


def _with_packages(full: str) -> Iterator[str]:
    while full:
        yield full
        full = full.rpartition(".")[0]
