"""`synclint server`: the language server, for editors."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click


@click.command()
@click.option(
    "--stdio", is_flag=True, expose_value=False, help="Communicate over standard input and output; always on."
)
@click.option(
    "--cache-dir",
    type=click.Path(),
    envvar="SYNCLINT_CACHE_DIR",
    show_envvar=True,
    help="The cache directory to use instead of the user's.",
)
def command(cache_dir: str | None) -> None:
    """Serve an editor: findings as you type, what is known about an expression, suppression comments."""
    try:
        import lsprotocol  # noqa: F401
        import pygls  # noqa: F401
    except ImportError as error:
        raise click.ClickException(
            "the language server needs pygls and lsprotocol: pip install 'pygls>=2,<3' lsprotocol"
        ) from error
    from ..server.features import server

    if cache_dir:
        _refuse_other_folders(cache_dir)
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as editor:  # the server closes it; `main` flushes its own
        server(Path(cache_dir).absolute() if cache_dir else None).start_io(stdout=editor)


def _refuse_other_folders(cache_dir: str) -> None:
    """Raise click.UsageError for a directory that contains more than a cache."""
    from ..output.text import escape
    from ..run.cache import cache_of
    from ..settings.config import Settings
    from ..store.folder import NotACacheError
    from ..store.user_cache import CacheError

    try:
        cache_of(Settings(root=Path.cwd()), cache_dir)
    except NotACacheError as error:
        raise click.UsageError(f"--cache-dir: {error}") from error
    except CacheError as error:
        click.echo(f"synclint: no cache: {escape(str(error))}", err=True)
