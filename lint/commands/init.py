"""`synclint init`: a first configuration, and the pre-commit hook."""

from __future__ import annotations

import click


@click.command()
@click.option("--pre-commit", is_flag=True, help="Add the hook to .pre-commit-config.yaml, creating it if needed.")
def command(pre_commit: bool) -> None:
    """Write a configuration of the keys to begin with, to pyproject.toml or else to synclint.toml.

    Nothing existing is changed or overwritten.
    """
    from ..adoption.initial import CHOICE, HOOK, add_configuration, add_hook

    try:
        click.echo(add_configuration())
        if pre_commit:
            click.echo(add_hook())
    except OSError as error:
        raise click.ClickException(f"{error.filename}: could not be written: {error.strerror}") from error
    if not pre_commit:
        click.echo(f"\nA hook for the `repos:` of .pre-commit-config.yaml (--pre-commit adds it):\n\n{HOOK}", nl=False)
    click.echo(f'\n{CHOICE} With `fail-on = "warning"`, they make it fail too.')
    click.echo(
        "To start with existing findings, run `synclint check --write-baseline`; then only new ones are reported."
    )
