"""`synclint ranks FILE...`: what the runs of several ranks come to."""

from __future__ import annotations

import click


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="RANK.json...")
def command(files: tuple[str, ...]) -> int:
    """Join the runs of several ranks: a line waits if it waits on any of them.

    RANK.json is written by `synclint run --output json=FILE` under torchrun, one file for each rank.
    """
    from ...runtime_checker.comparison.ranks import main

    return main(files)
