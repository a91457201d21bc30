"""`synclint link SUMMARIES… -o FINDINGS`: the findings in a program, from the summaries of its files."""

from __future__ import annotations

from typing import Any

import click

from ..parameters import GroupedCommand, GroupedOption
from . import check


@click.command(
    cls=GroupedCommand,
    params=check.parameters(*check.LINKING),
)
@click.argument("summaries", nargs=-1, required=True)
@click.option("--output", "-o", cls=GroupedOption, group="Program", required=True, help="The file for the findings.")
@click.option(
    "--root",
    "roots",
    cls=GroupedOption,
    group="Program",
    multiple=True,
    metavar="FILE",
    help="A file that the program starts with: what it imports, at any depth, is linked. May be repeated.",
)
@click.option(
    "--open-world",
    is_flag=True,
    cls=GroupedOption,
    group="Program",
    help="Link all that is given, as a library, whose callers are not all known; so does `synclint check`.",
)
@click.option(
    "--base",
    cls=GroupedOption,
    group="Files and settings",
    type=click.Path(),
    default=".",
    show_default="the working directory",
    help="The directory that names are relative to, and where configurations are.",
)
def command(summaries: tuple[str, ...], output: str, roots: tuple[str, ...], open_world: bool, **options: Any) -> int:
    """Write the findings in a program to a file for `synclint merge`; `@LIST` names a file with one name per line.

    The files themselves are not read. The exit code is 0 whatever is found.
    """
    if bool(roots) == open_world:
        raise click.UsageError("specify what is linked: a program with `--root FILE`, or a library with `--open-world`")
    from ..distributed.parts import PartError
    from ..distributed.steps import link

    base = options.pop("base")
    try:
        link(summaries, roots, base, output, check.options(**options))
    except PartError as error:
        raise click.ClickException(str(error)) from error
    return 0
