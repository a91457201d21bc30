"""`synclint verify`: runs the examples of the rules."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("rules", nargs=-1, metavar="[RULE]...")
@click.option(
    "--device", type=click.Choice(["auto", "cuda", "emulated", "simulated"]), default="auto", show_default=True
)
@click.option("--record", is_flag=True, help="Keep what a GPU, or the emulated device, has shown as evidence.")
@click.option("--fixes", is_flag=True, help="Fix the examples, and compare what waits and what is computed.")
def command(rules: tuple[str, ...], device: str, record: bool, fixes: bool) -> int:
    """Run the examples of the rules and check that their marked lines wait, and no others."""
    if fixes:
        from ...runtime_checker.verify.fixes import verify_fixes

        return verify_fixes(rules, device)
    from ...runtime_checker.verify.command import verify

    return verify(rules, device, record, _examples_of_plugins())


def _examples_of_plugins() -> list[Path]:
    """Return where the plugins of the configuration in the current directory have examples."""
    from ..plugins.known import load
    from ..settings.files import ConfigError, find_settings

    try:
        plugins = load(find_settings(Path.cwd()).plugins)
    except ConfigError as error:
        raise click.UsageError(str(error)) from error
    return [each.examples for each in plugins if each.examples is not None]
