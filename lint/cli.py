"""The command line: `synclint PATH…` and the other commands."""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Final

import click
from click.shell_completion import CompletionItem

from .. import __version__
from . import commands
from .home import HOME

_BRIEF: Final = ("check", "explain", "link", "merge", "stats", "summarize")
"""Commands that leave garbage only at their end, when the system takes it back sooner than we find it."""


class Commands(click.Group):
    """The commands, one per module of `commands`, each imported on demand; `check` may be omitted."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        names = (os.path.splitext(each) for each in os.listdir(commands.__path__[0]))
        return sorted(name for name, form in names if form == ".py" and name != "__init__")

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command with that name."""
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = importlib.import_module(f"{commands.__name__}.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what each command does, as a whole sentence over several lines if need be."""
        found = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        with formatter.section("Commands"):
            formatter.write_dl([(name, each.get_short_help_str(limit=300)) for name, each in found if each])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Insert `check` before arguments that start with no command and ask for neither the help nor the version.

        Without any, show the help. Raises click.UsageError for what looks like a mistyped command, and for names of
        files that would be taken for something else.
        """
        args = args or ["--help"]
        _refuse_names(args, self.list_commands(ctx))
        if args[0] not in (*self.list_commands(ctx), "--help", "-h", "--version"):
            self._refuse_mistyped(ctx, args[0])
            args = ["check", *args]
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is asked for; garbage is collected if it goes on for long, or runs a program."""
        name, command, rest = super().resolve_command(ctx, args)
        if name not in _BRIEF:
            gc.enable()
        return name, command, rest

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return what completes a word, also options of `check`, which may be omitted."""
        found = super().shell_complete(ctx, incomplete)
        check = self.get_command(ctx, "check") if incomplete.startswith("-") else None
        return found if check is None else [*found, *check.shell_complete(ctx, incomplete)]

    def _refuse_mistyped(self, ctx: click.Context, word: str) -> None:
        if not word.isidentifier() or os.path.lexists(word):
            return
        import difflib

        near = difflib.get_close_matches(word.lower(), self.list_commands(ctx), 1)
        if near:
            raise click.UsageError(f"`{word}` is neither a command nor a path; did you mean `{near[0]}`?")


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(__version__, prog_name="synclint")
def cli() -> None:
    """Find the lines of PyTorch code that make the CPU wait for the GPU.

    `synclint PATH...` is short for `synclint check PATH...`.
    """


def _refuse_names(words: Sequence[str], commands: Sequence[str]) -> None:
    """Raise click.UsageError for a word that is an option, or a command, and the name of a file: a hook may append it.

    git names files from the top of the repository. A command is meant, unless all that the working directory shows is
    given, as by `synclint *`.
    """
    end = words.index("--") if "--" in words else len(words)
    options = [each for each in words[:end] if each.startswith("-") and each != "-"]
    options += [each for each in words if each == "-"]
    if options:
        from .files.paths import repository

        places = (os.curdir, repository(os.getcwd()) or os.curdir)
        for each in options:
            if any(os.path.lexists(os.path.join(place, each)) for place in places):
                raise click.UsageError(f"`{each}` is the name of a file here, too; for the file, write `./{each}`")
    if words[0] in commands and os.path.lexists(words[0]) and _visible() <= set(words):
        raise click.UsageError(f"`{words[0]}` is the name of a file here, too; for all files, write `./*`")


def _visible() -> set[str]:
    """Return the names that `*` stands for."""
    return {name for name in os.listdir() if not name.startswith(".")}


def main() -> None:
    """Run the command line and exit: 0 clean, 1 findings, 2 wrong usage or an internal error, 130 after Ctrl-C."""
    _fill_standard_streams()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    gc.set_threshold(100_000, 50, 50)  # syntax trees are many small objects without cycles
    gc.disable()
    code = _exit_code()
    if not gc.isenabled():
        gc.freeze()  # else Python would look for garbage at exit
    raise SystemExit(code)  # a program that was run may have replaced `sys.exit`


def _exit_code() -> int:
    """Run the command and return its exit code; every error becomes one line."""
    try:
        os.getcwd()
        code = cli.main(prog_name="synclint", standalone_mode=False)
        if sys.stdout:
            sys.stdout.flush()
    except (click.exceptions.Abort, KeyboardInterrupt):
        return 130
    except click.ClickException as error:
        _drop_what_cannot_be_written()
        return _complain(error.format_message())
    except BrokenPipeError:  # the reader of our output, such as `head`, closed the pipe
        _forget_output()
        return 1
    except OSError as error:
        _forget_output()
        return _complain(f"{error.filename or _what_failed()}: {error.strerror or error}")
    except Exception as error:
        if "--verbose" in sys.argv or "-v" in sys.argv:
            import traceback

            traceback.print_exc()
        return _complain(f"internal error: {type(error).__name__}: {error}; please report it at {HOME}/issues")
    return code if isinstance(code, int) else 0


def _complain(message: str) -> int:
    from .output.text import escape

    with contextlib.suppress(OSError):
        click.echo(f"synclint: {escape(message)}", err=True)
    return 2


def _what_failed() -> str:
    """Return what a system error is about that names no file."""
    try:
        os.getcwd()
    except OSError:
        return "the working directory cannot be used; go to another"
    return "standard output cannot be written"


def _drop_what_cannot_be_written() -> None:
    """Write what is left for standard output, or forget it where the error at hand is that nobody can."""
    try:
        if sys.stdout:
            sys.stdout.flush()
    except OSError:
        _forget_output()


def _forget_output() -> None:
    """Keep Python from trying again, at exit, to write what could not be written."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _fill_standard_streams() -> None:
    """Open what was closed of standard input, output and error: else the next file would take its place."""
    while (handle := os.open(os.devnull, os.O_RDWR)) < 3:
        pass
    os.close(handle)
