"""`synclint run SCRIPT`: runs a program and reports what really waited."""

from __future__ import annotations

from typing import Any

import click


@click.command(
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
    options_metavar="[OPTIONS]",
)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="SCRIPT|-m MODULE [ARGS]...")
@click.option(
    "--device",
    type=click.Choice(["auto", "cuda", "emulated", "simulated"]),
    default="auto",
    show_default=True,
    help="Where it runs; `auto` is the GPU, or the simulated device if there is none.",
)
@click.option("--steps", type=click.IntRange(min=1), help="Stop after this many optimizer steps.")
@click.option(
    "--warmup",
    type=click.IntRange(min=0),
    default=3,
    show_default=True,
    help="The number of initial steps not to count.",
)
@click.option(
    "--output",
    multiple=True,
    metavar="FORMAT=FILE",
    help="Write all numbers as `json`, a page for browsers as `html`, or confirmed findings in any other format.",
)
@click.option(
    "--trace",
    metavar="FILE",
    default="",
    help="Write each wait and each step as a trace: for Perfetto and chrome://tracing, or, if the name ends in "
    "`.speedscope.json`, for speedscope.",
)
@click.option(
    "--record",
    metavar="FILE",
    default="",
    help="Add what was seen to a file of evidence, such as .synclint/evidence.json, for `check --evidence`.",
)
@click.option(
    "--fail-on",
    type=click.Choice(["missed", "more"]),
    multiple=True,
    help="Exit with 1 if a line waited that nothing reports, or a function more often than in the baseline.",
)
@click.option("--baseline", metavar="FILE", default="", help="The evidence of an earlier run, for `--fail-on more`.")
@click.option(
    "--max-waits", type=click.FloatRange(min=0), help="Exit with 1 if a step waits more often; without steps, the run."
)
def command(words: tuple[str, ...], **options: Any) -> int:
    """Run a program, see what really waits, and compare it with what `check` reports."""
    from ...runtime_checker.script.command import main as run_script

    return run_script(words, **options)
