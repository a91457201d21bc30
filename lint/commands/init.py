"""`synclint init`: a first configuration, and the hook for pre-commit."""

from __future__ import annotations

import click


@click.command()
@click.option("--pre-commit", is_flag=True, help="Add the hook to .pre-commit-config.yaml, or make that file.")
def command(pre_commit: bool) -> None:
    """Write a configuration whose keys are explained, in pyproject.toml or else in synclint.toml.

    Nothing that is there is changed or overwritten.
    """
    from ..initial import HOOK, add_configuration, add_hook

    try:
        click.echo(add_configuration())
        if pre_commit:
            click.echo(add_hook())
    except OSError as error:
        raise click.ClickException(f"{error.filename}: cannot be written: {error.strerror}") from error
    if not pre_commit:
        click.echo(f"\nA hook for the `repos:` of .pre-commit-config.yaml (--pre-commit adds it):\n\n{HOOK}", nl=False)
    click.echo(
        "\nOld findings can wait: `synclint check --write-baseline` remembers them, and only new ones are reported."
    )
