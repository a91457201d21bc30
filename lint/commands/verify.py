"""`synclint verify`: the examples of the rules, run."""

from __future__ import annotations

import click


@click.command()
@click.argument("rules", nargs=-1, metavar="[RULE]...")
@click.option(
    "--device", type=click.Choice(["auto", "cuda", "emulated", "simulated"]), default="auto", show_default=True
)
@click.option("--record", is_flag=True, help="Keep what a GPU, or the emulated device, has shown as evidence.")
def command(rules: tuple[str, ...], device: str, record: bool) -> int:
    """Run the examples of the rules and see whether their marked lines, and no others, wait."""
    from ...runtime_checker.verify.command import verify

    return verify(rules, device, record)
