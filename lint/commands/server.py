"""`synclint server`: the language server, for editors."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click


@click.command()
@click.option("--stdio", is_flag=True, expose_value=False, help="Talk over standard input and output; always so.")
@click.option(
    "--cache-dir",
    type=click.Path(),
    envvar="SYNCLINT_CACHE_DIR",
    show_envvar=True,
    help="Where to keep analyses, instead of `.synclint_cache` of each project.",
)
def command(cache_dir: str | None) -> None:
    """Serve an editor: findings as you type, what is known at a place, comments that suppress."""
    try:
        import pygls  # noqa: F401
    except ImportError as error:
        raise click.ClickException("the language server needs pygls; pip install 'synclint[server]'") from error
    from ..server.server import server

    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as editor:  # the server closes it; `main` flushes its own
        server(Path(cache_dir).absolute() if cache_dir else None).start_io(stdout=editor)
