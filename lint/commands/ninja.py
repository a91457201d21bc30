"""`synclint ninja DIRECTORY`: the steps of the project as a graph for ninja."""

from __future__ import annotations

from typing import Any

import click

from ..parameters import GroupedCommand, GroupedOption
from . import check


@click.command(cls=GroupedCommand, params=check.parameters(*check.LINKING))
@click.argument("directory", type=click.Path())
@click.option(
    "--root",
    "roots",
    cls=GroupedOption,
    group="Program",
    multiple=True,
    metavar="FILE",
    help="A file that a program starts with. May be repeated; without it, the project is linked as a library.",
)
@click.option(
    "--base",
    cls=GroupedOption,
    group="Files and settings",
    type=click.Path(),
    default=".",
    show_default="the working directory",
    help="The project's directory.",
)
def command(directory: str, roots: tuple[str, ...], base: str, **options: Any) -> int:
    """Write a graph for `ninja -C DIRECTORY`; `ninja -C DIRECTORY report` prints what is found.

    It has all files that `synclint check` would find, and is made again when files come and go.
    """
    from ..distributed.parts import PartError
    from ..distributed.planned import planned

    try:
        planned(directory, roots, base, check.options(**options))
    except PartError as error:
        raise click.ClickException(str(error)) from error
    return 0
