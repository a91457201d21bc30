"""`synclint check PATH…`: the options of the command."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from ..output.targets import format_names

if TYPE_CHECKING:
    from ..options import Options


def _split(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Return the rules of an option that may be repeated and may list several rules, separated by commas."""
    for value in values:
        if not value.strip(", "):
            raise click.BadParameter("names no rule; give codes, prefixes or names, or omit the option")
    return tuple(filter(None, (name.strip() for value in values for name in value.split(","))))


def _names(option: str, explanation: str) -> Callable[[Any], Any]:
    return click.option(option, multiple=True, callback=_split, metavar="RULES", help=explanation)


class _Check(click.Command):
    """Accepts `--add-ignore` without a value: what follows it is a path."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments."""
        end = args.index("--") if "--" in args else len(args)
        return super().parse_args(ctx, [f"{arg}=" if arg == "--add-ignore" else arg for arg in args[:end]] + args[end:])


@click.command(cls=_Check)
@click.argument("paths", nargs=-1, type=click.Path())
@_names("--select", "Rules to use instead of the configured ones: comma-separated codes, prefixes or names.")
@_names("--extend-select", "Additional rules to use.")
@_names("--ignore", "Rules to disable.")
@click.option(
    "--min-confidence", type=click.Choice(["possible", "likely", "certain"]), help="The minimum confidence to report."
)
@click.option(
    "--fail-on",
    type=click.Choice(["note", "warning", "error", "never"]),
    help="The minimum severity that makes the exit code 1.",
)
@click.option("--exit-zero", is_flag=True, help="Exit with 0 even if there are findings.")
@click.option(
    "--output-format",
    type=click.Choice(format_names()),
    help="The format of the report; the default is `full`, or `github` in GitHub Actions.",
)
@click.option(
    "--output",
    multiple=True,
    metavar="FORMAT=FILE",
    help="Also write a report in this format; `-` is standard output. May be repeated.",
)
@click.option("--show-notes", is_flag=True, help="Show notes, not only their number.")
@click.option("--statistics", is_flag=True, help="Show the number of findings per rule instead of the findings.")
@click.option("--fix", is_flag=True, help="Fix what can be fixed without changing what the program computes.")
@click.option("--unsafe-fixes", is_flag=True, help="Include fixes that may change it; each rule's page says how.")
@click.option("--fix-only", is_flag=True, help="Fix, but do not report what is left; exit with 0.")
@click.option("--diff", is_flag=True, help="Show what `--fix` would change; exit with 1 if that is anything.")
@click.option("--show-fixes", is_flag=True, help="Show the fix of each finding, or what was fixed where.")
@click.option("--write-baseline", is_flag=True, help="Write all findings to the baseline, .synclint-baseline.json.")
@click.option("--prune-baseline", is_flag=True, help="Remove findings that are gone from the baseline.")
@click.option("--no-baseline", is_flag=True, help="Ignore the baseline and report everything.")
@click.option(
    "--new-from", metavar="REF", help="Report only findings that are new since the merge base with this commit."
)
@click.option("--diff-only", metavar="REF", help="Report only lines changed since the merge base with this commit.")
@click.option(
    "--add-ignore", metavar="[=REASON]", help="Add a suppression comment for every finding, with this reason."
)
@click.option("--isolated", is_flag=True, help="Ignore the project's configuration, baseline and requirements.")
@click.option("--config", type=click.Path(), help="The configuration file to use instead of the nearest one.")
@click.option("--exclude", multiple=True, metavar="PATTERN", help="Exclude files that match this gitignore pattern.")
@click.option("--force-exclude", is_flag=True, help="Apply exclusions also to files given by name.")
@click.option("--stdin-filename", metavar="FILE", help="The file name to use for standard input (`-`).")
@click.option("--no-cache", is_flag=True, help="Neither read nor write the cache.")
@click.option(
    "--cache-dir",
    type=click.Path(),
    envvar="SYNCLINT_CACHE_DIR",
    show_envvar=True,
    help="Where to keep it, instead of the user's cache directory.",
)
@click.option("--jobs", type=click.IntRange(min=1), help="The number of processes to use.")
@click.option("--no-color", is_flag=True, help="Disable colors and links, as does the variable NO_COLOR.")
@click.option("--quiet", "-q", is_flag=True, help="Print only findings.")
@click.option("--verbose", "-v", is_flag=True, help="Print progress, and tracebacks of internal errors.")
def command(paths: tuple[str, ...], **options: Any) -> int:
    """Check files and directories (`.` if none is given; `-` is standard input)."""
    from ..check import check as run
    from ..options import Options

    return run(paths or (".",), Options(**options))


def options(**given: Any) -> Options:
    """Return the options of `check` for another command that takes some of them; the others have their defaults."""
    from ..options import Options

    every = command.make_context("check", []).params | given
    return Options(**{name: value for name, value in every.items() if name != "paths"})
