"""`synclint schema NAME`: the JSON Schema of the configuration, or of what a command writes."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

_FOLDER: Final = Path(__file__).parent.parent / "schemas"


@click.command()
@click.argument("name", type=click.Choice(sorted(file.stem for file in _FOLDER.glob("*.json"))))
def command(name: str) -> None:
    """Print the JSON Schema of the configuration, of the baseline, or of the JSON that a command writes.

    `check` is about `--output-format json`, and each line of `json-lines` is one of its items.
    """
    click.echo((_FOLDER / f"{name}.json").read_text(encoding="utf-8"), nl=False)
