"""The steps after `summarize`, each from files to files: link, and merge."""

from __future__ import annotations

import os
from collections.abc import Sequence

from ..check import adoption_of, finished, no_collection, print_failures
from ..fix.lookup import Lookup
from ..options import Options
from ..report import outputs
from ..run.file import File
from ..settings.configurations import Configurations
from ..task import Task
from . import findings
from .arguments import expanded, save, working_in
from .link import chosen, collected, linked
from .merge import merged
from .summary import Summary


def link(arguments: Sequence[str], roots: Sequence[str], base: str, output: str, options: Options) -> None:
    """Write what is found in the files that are summarized in some others. Raises PartError and click.UsageError."""
    output, options = os.path.abspath(output), options.elsewhere()
    summaries = collected(expanded(arguments))
    program: dict[str, Summary] = {}

    def files(configurations: Configurations) -> list[File]:
        program.update(chosen(summaries, roots, configurations))
        return [File(name, data=each.data) for name, each in program.items()]

    with working_in(base), no_collection():
        result = linked(Task.given(options, files, is_closed=bool(roots)), program)
        save(output, findings.written(result, program))
    print_failures(result, options.verbose)


def merge(arguments: Sequence[str], base: str, options: Options) -> int:
    """Report what links have found, and return the exit code. Raises PartError and click.UsageError."""
    where, options = outputs(options), options.elsewhere()
    parts = findings.read(expanded(arguments))
    names = sorted({name for part in parts for name in part.files})
    with working_in(base):
        task = Task.given(options, lambda _: [File(name) for name in names])
        result = merged(parts)
        lookup = Lookup(result.findings, result.texts.source)  # nothing that could confirm a fix is here
        return finished(task, result, adoption_of(task), where, lookup.fix)
