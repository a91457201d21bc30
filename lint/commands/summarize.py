"""`synclint summarize FILE… -o OUT`: what files say by themselves, for `synclint link`."""

from __future__ import annotations

import click


@click.command()
@click.argument("files", nargs=-1, required=True)
@click.option("--output", "-o", required=True, type=click.Path(), help="The file to write the summaries to.")
@click.option(
    "--base",
    multiple=True,
    type=click.Path(),
    default=["."],
    show_default="the working directory",
    help="The directory that names are relative to. May be repeated: the innermost counts.",
)
@click.option(
    "--names",
    type=click.Path(),
    help="A file with the names of other files of the program, one per line, that imports may refer to.",
)
def command(files: tuple[str, ...], output: str, base: tuple[str, ...], names: str | None) -> int:
    """Write what files say by themselves; `@LIST` names a file with one name per line.

    A summary depends on the file and its name alone: on no configuration, cache, directory or machine. Where `--names`
    is missing or out of date, linking costs more, and finds the same.
    """
    from ..distributed.arguments import by_name, names_in, save
    from ..distributed.parts import PartError
    from ..distributed.summarize import summarize

    try:
        paths = by_name(files, base)
        others = names_in(names, base) if names else []
        data, failures = summarize(paths, others)
        save(output, data)
    except PartError as error:
        raise click.ClickException(str(error)) from error
    for each in failures:
        click.echo(each, err=True)
    return 0
