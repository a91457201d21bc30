"""`synclint clean`: removes the cache."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("path", type=click.Path(exists=True), default=".")
@click.option(
    "--cache-dir", type=click.Path(), envvar="SYNCLINT_CACHE_DIR", show_envvar=True, help="The cache to remove."
)
def command(path: str, cache_dir: str | None) -> None:
    """Remove the cache of the project at PATH (`.` if none is given)."""
    from ..output.text import escape
    from ..run.cache import clean
    from ..settings.files import ConfigError, find_settings
    from ..store.user_cache import CacheError

    try:
        removed, folder = clean(find_settings(Path(path)), cache_dir)
    except (ConfigError, CacheError) as error:
        raise click.UsageError(str(error)) from error
    click.echo(escape(f"removed {folder}" if removed else f"there is no cache at {folder}"))
