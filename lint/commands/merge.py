"""`synclint merge FINDINGS…`: one report of what several links have found."""

from __future__ import annotations

from typing import Any, Final

import click

from ..parameters import GroupedCommand, GroupedOption
from . import check

_TAKEN: Final = (
    *("output_format", "output", "show_notes", "show_all", "group_by", "statistics", "color", "quiet", "verbose"),
    "show_fixes",
    *("fail_on", "exit_zero", "write_baseline", "prune_baseline", "no_baseline", "diff_only", "config", "isolated"),
)


@click.command(cls=GroupedCommand, params=check.parameters(*_TAKEN))
@click.argument("findings", nargs=-1, required=True)
@click.option(
    "--base",
    cls=GroupedOption,
    group="Files and settings",
    type=click.Path(),
    default=".",
    show_default="the working directory",
    help="The directory that names are relative to, and where the configuration and the baseline are.",
)
def command(findings: tuple[str, ...], base: str, **options: Any) -> int:
    """Report what links have found, each finding once; `@LIST` names a file with one name per line.

    Where programs share code, the loudest report of a line counts.
    """
    from ..distributed.parts import PartError
    from ..distributed.steps import merge

    try:
        return merge(findings, base, check.options(**options))
    except PartError as error:
        raise click.ClickException(str(error)) from error
