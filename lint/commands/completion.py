"""`synclint completion SHELL`: the script by which a shell completes commands, options and the names of rules."""

from __future__ import annotations

import click


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print what a shell reads once to complete commands, options and the names of rules.

    For bash, `eval "$(synclint completion bash)"` in ~/.bashrc; for zsh the same in ~/.zshrc; for fish,
    `synclint completion fish | source` in ~/.config/fish/config.fish.
    """
    from click.shell_completion import get_completion_class

    from ..cli import cli

    found = get_completion_class(shell)
    assert found is not None
    click.echo(found(cli, {}, "synclint", "_SYNCLINT_COMPLETE").source())
