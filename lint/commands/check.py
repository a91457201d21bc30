"""`synclint check PATH…`: the options of the command."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import click

FORMATS: Final = ("full", "concise", "json", "github")


def _split(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Options that name rules may be repeated, and may hold several names with commas between."""
    return tuple(filter(None, (name.strip() for value in values for name in value.split(","))))


def _names(option: str, explanation: str) -> Callable[[Any], Any]:
    return click.option(option, multiple=True, callback=_split, metavar="RULES", help=explanation)


@click.command()
@click.argument("paths", nargs=-1, type=click.Path())
@_names("--select", "Rules to use instead of the configured ones: codes, prefixes or names, with commas between.")
@_names("--extend-select", "Rules to use as well.")
@_names("--ignore", "Rules not to use.")
@click.option("--min-confidence", type=click.Choice(["possible", "likely", "certain"]), help="Report no less.")
@click.option("--fail-on", type=click.Choice(["note", "warning", "error", "never"]), help="Exit with 1 from here on.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever is found.")
@click.option("--output-format", type=click.Choice(FORMATS), default="full", show_default=True)
@click.option("--show-notes", is_flag=True, help="Show notes as well, not only their number.")
@click.option("--statistics", is_flag=True, help="Show how often each rule reports, instead of the findings.")
@click.option("--isolated", is_flag=True, help="Read no configuration and no requirements of the project.")
@click.option("--config", type=click.Path(), help="A configuration file to use instead of the nearest one.")
@click.option("--exclude", multiple=True, metavar="PATTERN", help="Leave out what the gitignore pattern matches.")
@click.option("--force-exclude", is_flag=True, help="Leave out excluded files even if they are given by name.")
@click.option("--stdin-filename", metavar="FILE", help="The name of what is read from standard input with `-`.")
@click.option("--jobs", type=click.IntRange(min=1), help="How many processes to use.")
@click.option("--no-color", is_flag=True, help="No colours or links; also set by NO_COLOR.")
@click.option("--quiet", "-q", is_flag=True, help="Print findings only.")
@click.option("--verbose", "-v", is_flag=True, help="Print what is done, and tracebacks of internal errors.")
def command(paths: tuple[str, ...], **options: Any) -> int:
    """Check files and directories (`.` if none is given; `-` is standard input)."""
    from ..check import check as run

    return run(paths or (".",), options)
