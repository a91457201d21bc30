"""The command line: `synclint PATH…`, and what else there is to ask."""

from __future__ import annotations

import gc
import os
import re
import sys
import traceback
from typing import TYPE_CHECKING, Any, Final

import click

from .. import __version__
from .finding import HOME

if TYPE_CHECKING:
    from collections.abc import Callable

    from .rule import Rule

FORMATS: Final = ("full", "concise", "json", "github")


class Commands(click.Group):
    """The commands; `check` may be left out."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put `check` before arguments that begin with no command and ask neither for help nor for the version."""
        if args and args[0] not in (*self.commands, "--help", "-h", "--version"):
            args = ["check", *args]
        return super().parse_args(ctx, args)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="synclint")
def cli() -> None:
    """Find the lines of PyTorch code that make the CPU wait for the GPU.

    `synclint PATH...` is short for `synclint check PATH...`.
    """


def _split(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Options that name rules may be repeated, and may hold several names with commas between."""
    return tuple(filter(None, (name.strip() for value in values for name in value.split(","))))


def _names(option: str, explanation: str) -> Callable[[Any], Any]:
    return click.option(option, multiple=True, callback=_split, metavar="RULES", help=explanation)


@cli.command()
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
def check(paths: tuple[str, ...], **options: Any) -> int:
    """Check files and directories (`.` if none is given; `-` is standard input)."""
    from .check import check as run

    return run(paths or (".",), options)


@cli.command()
@click.argument("name", required=False)
@click.option("--all", "every", is_flag=True, help="All rules.")
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True)
def rule(name: str | None, every: bool, output_format: str) -> None:
    """Print the page of a rule, given by code or name."""
    from .rule import all_rules
    from .selection import UnknownRuleError, meant

    if (name is None) is not every:
        raise click.UsageError("give the code or name of one rule, or --all")
    try:
        codes = {each.code for each in all_rules()} if name is None else meant([name])
    except UnknownRuleError as error:
        raise click.UsageError(str(error)) from error
    pages = [_page(each) for each in all_rules() if each.code in codes]
    if output_format == "json":
        import json

        click.echo(json.dumps(pages, indent=2))
        return
    click.echo("\n\n".join(_readable(page, every) for page in pages))


def _page(each: Rule) -> dict[str, Any]:
    return {
        "code": each.code,
        "name": each.name,
        "kind": each.kind.value,
        "default": each.default,
        "title": each.title,
        "instead": each.instead,
        "page": each.page,
        "url": f"{HOME}/blob/main/docs/rules/{each.name}.md",
    }


def _readable(page: dict[str, Any], short: bool) -> str:
    head = f"{page['code']} {page['name']} ({page['kind']}{'' if page['default'] else ', not in the default set'})"
    return f"{head}\n{page['title']}" if short else f"{head}\n\n{page['page']}\n"


@cli.command()
@click.argument("place", metavar="FILE:LINE[:COLUMN]")
def explain(place: str) -> None:
    """Print what is known about a line: each value, where it lives, how often the line runs, and why."""
    match = re.fullmatch(r"(.+?):(\d+)(?::(\d+))?", place)
    if match is None:
        raise click.UsageError(f"`{place}` is no place in a file; write FILE:LINE or FILE:LINE:COLUMN")
    from .inference.explain import explain as lines_about
    from .output.text import escape
    from .source import Source, read

    source = read(match[1], match[1], named=True)
    if not isinstance(source, Source):
        raise click.UsageError(f"{match[1]} {source.message if source else 'is empty'}")
    row = int(match[2])
    if not 1 <= row <= len(source.lines):
        raise click.UsageError(f"{match[1]} has {len(source.lines)} lines; there is no line {row}")
    for line in lines_about(source, row, int(match[3]) if match[3] else None):
        click.echo(escape(line))


@cli.command(
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
    options_metavar="[OPTIONS]",
)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="SCRIPT|-m MODULE [ARGS]...")
@click.option("--device", type=click.Choice(["auto", "cuda", "simulated"]), default="auto", show_default=True)
@click.option("--steps", type=click.IntRange(min=1), help="Stop after so many steps of the optimizer.")
@click.option("--warmup", type=click.IntRange(min=0), default=3, show_default=True, help="First steps not to count.")
@click.option(
    "--output", multiple=True, metavar="FORMAT=FILE", help="json, or confirmed findings as full, concise, github."
)
def run(words: tuple[str, ...], **options: Any) -> int:
    """Run a program, see what really waits, and compare it with what `check` says."""
    from ..runtime_checker.script import main as run_script

    return run_script(words, **options)


@cli.command(name="verify")
@click.argument("rules", nargs=-1, metavar="[RULE]...")
@click.option("--device", type=click.Choice(["auto", "cuda", "simulated"]), default="auto", show_default=True)
@click.option("--record", is_flag=True, help="Keep what a GPU has shown as evidence.")
def verify_examples(rules: tuple[str, ...], device: str, record: bool) -> int:
    """Run the examples of the rules and see whether their marked lines, and no others, wait."""
    from ..runtime_checker.verify import verify

    return verify(rules, device, record)


def main() -> None:
    """Run the command line and exit: 0 clean, 1 findings, 2 wrong usage or an error of our own, 130 after Ctrl-C."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    gc.set_threshold(100_000, 50, 50)  # syntax trees are many small objects without cycles
    sys.exit(_exit_code())


def _exit_code() -> int:
    """Run the command; every error becomes one line and a code."""
    try:
        code = cli.main(prog_name="synclint", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Abort:
        return 130
    except click.ClickException as error:
        return _complain(error.format_message())
    except BrokenPipeError:  # whoever reads our output, `head` for instance, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:
        if "--verbose" in sys.argv or "-v" in sys.argv:
            traceback.print_exc()
        return _complain(f"internal error: {type(error).__name__}: {error}; please report it at {HOME}/issues")
    return code if isinstance(code, int) else 0


def _complain(message: str) -> int:
    from .output.text import escape

    click.echo(f"synclint: {escape(message)}", err=True)
    return 2
