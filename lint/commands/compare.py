"""`synclint compare BEFORE AFTER`: what became of a program's waits between two runs."""

from __future__ import annotations

import click


@click.command()
@click.argument("before", metavar="BEFORE.json")
@click.argument("after", metavar="AFTER.json")
@click.option(
    "--output",
    multiple=True,
    metavar="FORMAT=FILE",
    help="Write all numbers as `json`, or a page for browsers as `html`.",
)
@click.option(
    "--fail-on",
    type=click.Choice(["never", "more"]),
    default="never",
    show_default=True,
    help="Exit with 1 if a line waits that did not, or more often.",
)
def command(before: str, after: str, output: tuple[str, ...], fail_on: str) -> int:
    """Compare two runs: which lines wait no more, which wait now, and which wait more or less often.

    BEFORE.json and AFTER.json are written by `synclint run --output json=FILE`.
    """
    from ...runtime_checker.comparison.command import main

    return main(before, after, output, fail_on)
