"""`synclint trace FILE...`: joins a profiler's trace of a real run with the project's findings."""

from __future__ import annotations

import click


@click.command()
@click.argument("traces", nargs=-1, required=True, metavar="FILE...")
@click.option("--project", default=".", show_default=True, help="The directory or file of the program's source.")
@click.option(
    "--fail-on",
    type=click.Choice(["never", "confirmed", "not-reported", "any"]),
    default="never",
    show_default=True,
    help="Exit with 1 if a reported wait was seen, or one that is not reported.",
)
@click.option(
    "--min-ms", "at_least", type=float, default=0.0, help="Fail only on lines that blocked at least that long."
)
@click.option("--output-format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
def command(traces: tuple[str, ...], project: str, fail_on: str, at_least: float, form: str) -> int:
    """Join traces of a real run with the findings about the program.

    FILE is a Chrome trace of torch.profiler (`with_stack=True`), packed or not, or a SQLite export of Nsight Systems.
    """
    from ...runtime_checker.traces.command import main

    return main(traces, project, fail_on, at_least, form)
