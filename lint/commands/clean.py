"""`synclint clean`: the cache removed."""

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
    from ..cache import cache_of, clean
    from ..config import ConfigError, find_settings
    from ..output.text import escape

    try:
        folder = Path(cache_dir) if cache_dir else cache_of(find_settings(Path(path)))
        removed = clean(folder)
    except (ConfigError, OSError) as error:
        raise click.UsageError(str(error)) from error
    click.echo(escape(f"removed {folder}" if removed else f"there is no cache at {folder}"))
