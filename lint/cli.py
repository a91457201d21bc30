"""The command line: `synclint PATH…`, and what else there is to ask."""

from __future__ import annotations

import gc
import importlib
import os
import pkgutil
import sys

import click

from .. import __version__
from . import commands
from .finding import HOME


class Commands(click.Group):
    """The commands: the modules of `commands`, each imported only when it is asked for; `check` may be left out."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands."""
        return sorted(module.name for module in pkgutil.iter_modules(commands.__path__))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name."""
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = importlib.import_module(f"{commands.__name__}.{cmd_name}").command
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put `check` before arguments that begin with no command and ask neither for help nor for the version."""
        if args and args[0] not in (*self.list_commands(ctx), "--help", "-h", "--version"):
            args = ["check", *args]
        return super().parse_args(ctx, args)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="synclint")
def cli() -> None:
    """Find the lines of PyTorch code that make the CPU wait for the GPU.

    `synclint PATH...` is short for `synclint check PATH...`.
    """


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
            import traceback

            traceback.print_exc()
        return _complain(f"internal error: {type(error).__name__}: {error}; please report it at {HOME}/issues")
    return code if isinstance(code, int) else 0


def _complain(message: str) -> int:
    from .output.text import escape

    click.echo(f"synclint: {escape(message)}", err=True)
    return 2
