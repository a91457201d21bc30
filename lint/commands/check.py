"""`synclint check PATH…`: the options of the command."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from ..output.targets import format_names


def _split(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Options that name rules may be repeated, and may hold several names with commas between."""
    for value in values:
        if not value.strip(", "):
            raise click.BadParameter("names no rule; give codes, prefixes or names, or leave the option away")
    return tuple(filter(None, (name.strip() for value in values for name in value.split(","))))


def _names(option: str, explanation: str) -> Callable[[Any], Any]:
    return click.option(option, multiple=True, callback=_split, metavar="RULES", help=explanation)


class _Check(click.Command):
    """Takes `--add-ignore` without a value: what follows it is a path."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments."""
        end = args.index("--") if "--" in args else len(args)
        return super().parse_args(ctx, [f"{arg}=" if arg == "--add-ignore" else arg for arg in args[:end]] + args[end:])


@click.command(cls=_Check)
@click.argument("paths", nargs=-1, type=click.Path())
@_names("--select", "Rules to use instead of the configured ones: codes, prefixes or names, with commas between.")
@_names("--extend-select", "Rules to use as well.")
@_names("--ignore", "Rules not to use.")
@click.option("--min-confidence", type=click.Choice(["possible", "likely", "certain"]), help="Report no less.")
@click.option("--fail-on", type=click.Choice(["note", "warning", "error", "never"]), help="Exit with 1 from here on.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever is found.")
@click.option(
    "--output-format",
    type=click.Choice(format_names()),
    help="How to print what is found: `full`, or what GitHub Actions reads where it runs us.",
)
@click.option(
    "--output", multiple=True, metavar="FORMAT=FILE", help="Write a report in that format as well; `-` prints it."
)
@click.option("--show-notes", is_flag=True, help="Show notes as well, not only their number.")
@click.option("--statistics", is_flag=True, help="Show how often each rule reports, instead of the findings.")
@click.option("--write-baseline", is_flag=True, help="Take everything found for known, in .synclint-baseline.json.")
@click.option("--prune-baseline", is_flag=True, help="Remove from the baseline what is not found any more.")
@click.option("--no-baseline", is_flag=True, help="Report what the baseline knows as well.")
@click.option("--new-from", metavar="REF", help="Report only what this commit, or where HEAD parted from it, had not.")
@click.option("--diff-only", metavar="REF", help="Report only changed lines since HEAD parted from this commit.")
@click.option("--add-ignore", metavar="[=REASON]", help="Write a comment that suppresses what is found, and why.")
@click.option("--isolated", is_flag=True, help="Read no configuration, baseline or requirements of the project.")
@click.option("--config", type=click.Path(), help="A configuration file to use instead of the nearest one.")
@click.option("--exclude", multiple=True, metavar="PATTERN", help="Leave out what the gitignore pattern matches.")
@click.option("--force-exclude", is_flag=True, help="Treat files given by name like found ones: excluded is excluded.")
@click.option("--stdin-filename", metavar="FILE", help="The name of what is read from standard input with `-`.")
@click.option("--no-cache", is_flag=True, help="Neither use what earlier runs found out nor keep it.")
@click.option(
    "--cache-dir",
    type=click.Path(),
    envvar="SYNCLINT_CACHE_DIR",
    show_envvar=True,
    help="Where to keep it, instead of the user's cache directory.",
)
@click.option("--jobs", type=click.IntRange(min=1), help="How many processes to use.")
@click.option("--no-color", is_flag=True, help="No colours or links; also set by NO_COLOR.")
@click.option("--quiet", "-q", is_flag=True, help="Print findings only.")
@click.option("--verbose", "-v", is_flag=True, help="Print what is done, and tracebacks of internal errors.")
def command(paths: tuple[str, ...], **options: Any) -> int:
    """Check files and directories (`.` if none is given; `-` is standard input)."""
    from ..check import check as run

    return run(paths or (".",), options)
