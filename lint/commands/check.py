"""`synclint check PATH…`: the options of the command."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import click

from ..output.targets import format_names
from ..parameters import GroupedCommand, GroupedOption, RuleNames

if TYPE_CHECKING:
    from ..options import Options


def _split(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Return the rules of an option that may be repeated and may list several rules, separated by commas."""
    for value in values:
        if not value.strip(", "):
            raise click.BadParameter("names no rule; give codes, prefixes or names, or omit the option")
    return tuple(filter(None, (name.strip() for value in values for name in value.split(","))))


_rules = partial(click.option, cls=GroupedOption, group="Rules")
_report = partial(click.option, cls=GroupedOption, group="Report")
_exit = partial(click.option, cls=GroupedOption, group="Exit code")
_fixes = partial(click.option, cls=GroupedOption, group="Fixes")
_existing = partial(click.option, cls=GroupedOption, group="Existing findings")
_files = partial(click.option, cls=GroupedOption, group="Files and settings")
_running = partial(click.option, cls=GroupedOption, group="Running")


def _names(option: str, explanation: str) -> Callable[[Any], Any]:
    return _rules(option, multiple=True, callback=_split, type=RuleNames(), metavar="RULES", help=explanation)


LINKING: Final = (
    *("select", "extend_select", "ignore", "per_file_ignores", "min_confidence"),
    *("config", "isolated", "exclude"),
)
"""Options that say what is found in a program, for commands that link it."""


class _Check(GroupedCommand):
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
@_rules(
    "--per-file-ignores",
    multiple=True,
    metavar="PATTERN:RULES",
    help="Rules that are not reported in files that match this gitignore pattern, besides the configured ones.",
)
@_rules(
    "--min-confidence", type=click.Choice(["possible", "likely", "certain"]), help="The minimum confidence to report."
)
@_report(
    "--output-format",
    type=click.Choice(format_names()),
    help="The format of the report; the default is `full`, or `github` in GitHub Actions.",
)
@_report(
    "--output",
    multiple=True,
    metavar="FORMAT=FILE",
    help="Also write a report in this format; `-` is standard output. May be repeated.",
)
@_report("--show-notes", is_flag=True, help="Show notes, not only their number.")
@_report("--show-all", is_flag=True, help="Show notes, and what is in docs, examples and vendored code.")
@_report(
    "--group-by",
    type=click.Choice(["program", "file"]),
    default="program",
    help="In the format `full`: what stalls each program, or each file's findings in one place.",
)
@_report("--statistics", is_flag=True, help="Show the number of findings per rule instead of the findings.")
@_report(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    help="Colors and links: `auto` on a terminal, unless NO_COLOR or FORCE_COLOR say otherwise.",
)
@_report("--quiet", "-q", is_flag=True, help="Print only findings.")
@_report("--verbose", "-v", is_flag=True, help="Print progress, the limits met, and tracebacks of internal errors.")
@_exit(
    "--fail-on",
    type=click.Choice(["note", "warning", "error", "never"]),
    help="The minimum severity that makes the exit code 1.",
)
@_exit("--exit-zero", is_flag=True, help="Exit with 0 even if there are findings.")
@_fixes("--fix", is_flag=True, help="Fix what can be fixed without changing what the program computes.")
@_fixes("--unsafe-fixes", is_flag=True, help="Include fixes that may change it; each rule's page says how.")
@_fixes("--fix-only", is_flag=True, help="Fix, but do not report what is left; exit with 0.")
@_fixes("--diff", is_flag=True, help="Show what `--fix` would change; exit with 1 if that is anything.")
@_fixes("--show-fixes", is_flag=True, help="Show the fix of each finding, or what was fixed where.")
@_report(
    "--evidence",
    multiple=True,
    metavar="FILE",
    help="What recorded runs have seen, by `run --record` and `trace --record`: it ranks findings. May be repeated.",
)
@_report("--trust-evidence", is_flag=True, help="Make notes of what ran in them without a wait.")
@_existing("--write-baseline", is_flag=True, help="Write all findings to the baseline, .synclint-baseline.json.")
@_existing("--prune-baseline", is_flag=True, help="Remove findings that are gone from the baseline.")
@_existing("--no-baseline", is_flag=True, help="Ignore the baseline and report everything.")
@_existing("--new-from", metavar="REF", help="Report only findings that are new since the merge base with this commit.")
@_existing("--diff-only", metavar="REF", help="Report only lines changed since the merge base with this commit.")
@_existing("--add-ignore", metavar="[=REASON]", help="Add a suppression comment for every finding, with this reason.")
@_files(
    "--config",
    multiple=True,
    metavar="FILE|KEY=VALUE",
    help="The configuration file to use instead of the nearest one, or a key to set, in TOML. May be repeated.",
)
@_files("--isolated", is_flag=True, help="Ignore the project's configuration, baseline and requirements.")
@_files("--exclude", multiple=True, metavar="PATTERN", help="Exclude files that match this gitignore pattern.")
@_files("--force-exclude", is_flag=True, help="Apply exclusions also to files given by name.")
@_files("--stdin-filename", metavar="FILE", help="The file name to use for standard input (`-`).")
@_files("--show-files", is_flag=True, help="Show the files that would be checked, and check none.")
@_files("--show-settings", is_flag=True, help="Show the settings of the files, and where they come from.")
@_running("--watch", is_flag=True, help="Check again whenever a file changes, until Ctrl-C.")
@_running("--no-cache", is_flag=True, help="Neither read nor write the cache.")
@_running(
    "--cache-dir",
    type=click.Path(),
    envvar="SYNCLINT_CACHE_DIR",
    show_envvar=True,
    help="Where to keep it, instead of the user's cache directory.",
)
@_running("--jobs", type=click.IntRange(min=1), help="The number of processes to use.")
def command(paths: tuple[str, ...], **options: Any) -> int:
    """Check files and directories (`.` if none is given; `-` is standard input)."""
    from ..check import check as run
    from ..options import Options

    given, chosen = paths or (".",), Options(**options)
    if chosen.watch:
        from ..watch import watch

        return watch(given, lambda: run(given, chosen))
    return run(given, chosen)


def options(**given: Any) -> Options:
    """Return the options of `check` for another command that takes some of them; the others have their defaults."""
    from ..options import Options

    every = command.make_context("check", []).params | given
    return Options(**{name: value for name, value in every.items() if name != "paths"})


def parameters(*names: str) -> list[click.Parameter]:
    """Return some of the options of `check`, in its order, for another command that takes them."""
    return [each for each in command.params if each.name in names]
