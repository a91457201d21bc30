"""`synclint trace FILE...`: joins a profiler's trace of a real run with the project's findings."""

from __future__ import annotations

from typing import Any

import click


@click.command()
@click.argument("traces", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--project", default=".", show_default=True, metavar="PATH", help="The directory or file of the program's source."
)
@click.option(
    "--fail-on",
    type=click.Choice(["never", "confirmed", "not-reported", "any"]),
    default="never",
    show_default=True,
    help="Exit with 1 if a reported wait was seen, or one that is not reported.",
)
@click.option(
    "--baseline", metavar="FILE", default="", help="Exit with 1 if a line blocked longer than in this report."
)
@click.option(
    "--tolerance",
    type=click.FloatRange(min=0),
    default=10.0,
    show_default=True,
    metavar="PERCENT",
    help="How much longer than in the baseline a line may block.",
)
@click.option(
    "--min-ms",
    "at_least",
    type=float,
    default=0.0,
    help="Fail only on lines that blocked at least that long, or that much longer than in the baseline.",
)
@click.option(
    "--output-format",
    "form",
    type=click.Choice(["table", "json"]),
    default="table",
    show_default=True,
    help="A table for people, or `json`, which also serves as a baseline.",
)
@click.option(
    "--record",
    metavar="FILE",
    default="",
    help="Add what waited on lines that are certain to a file of evidence, for `check --evidence`.",
)
def command(traces: tuple[str, ...], project: str, form: str, record: str, **limits: Any) -> int:
    """Join traces of a real run with the findings about the program.

    FILE is a Chrome trace of torch.profiler (`with_stack=True`), packed or not, or a SQLite export of Nsight Systems. A
    baseline is an earlier report, with `--output-format json`.
    """
    from ...runtime_checker.traces.command import Limits, main

    return main(traces, project, form, Limits(**limits), record)
