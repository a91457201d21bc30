"""`synclint stats PATH…`: how many findings there are, of which kind, and where."""

from __future__ import annotations

from typing import Any

import click


@click.command()
@click.argument("paths", nargs=-1, type=click.Path())
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option(
    "--config",
    multiple=True,
    metavar="FILE|KEY=VALUE",
    help="The configuration file to use instead of the nearest one, or a key to set, in TOML. May be repeated.",
)
@click.option("--isolated", is_flag=True, help="Ignore the project's configuration and requirements.")
def command(paths: tuple[str, ...], output_format: str, **options: Any) -> int:
    """Count findings by rule, severity, frequency, confidence and directory, to plan a clean-up.

    Notes and findings in the baseline count; suppressed findings do not.
    """
    from ..check import examined, print_failures
    from ..output.outcome import Outcome
    from ..output.statistics import render_overview
    from ..output.targets import STDOUT, write
    from ..task import Task
    from . import check

    task = Task.of(paths or (".",), check.options(**options))
    result = examined(task)
    outcome = Outcome(result.findings, lines=result.texts.lines, failures=result.failures, files=result.files)
    write(STDOUT, render_overview(outcome, as_json=output_format == "json"))
    print_failures(result, verbose=False)
    return 2 if result.failures or task.found.missing else 0
