"""`synclint rule CODE`: the page of a rule."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from ..output.text import escape
from ..parameters import RuleNames

if TYPE_CHECKING:
    from ..rule import Rule


@click.command()
@click.argument("name", required=False, type=RuleNames())
@click.option("--all", "every", is_flag=True, help="Print all rules.")
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(name: str | None, every: bool, output_format: str) -> None:
    """Print the page of a rule, given by code or name."""
    from ..settings.files import ConfigError, rules_here
    from ..settings.selection import UnknownRuleError, meant

    if (name is None) is not every:
        raise click.UsageError("expected the code or name of one rule, or --all")
    try:
        rules = rules_here()
        codes = {each.code for each in rules} if name is None else meant([name], rules)
    except (ConfigError, UnknownRuleError) as error:
        raise click.UsageError(str(error)) from error
    pages = [_page(each) for each in rules if each.code in codes]
    if output_format == "json":
        import json

        click.echo(json.dumps(pages, indent=2))
        return
    click.echo("\n\n".join(_readable(page, every) for page in pages))


def _page(each: Rule) -> dict[str, Any]:
    from ..evidence import recordings

    return {
        "code": each.code,
        "name": each.name,
        "kind": each.kind.value,
        "default": each.default,
        "title": each.title,
        "instead": each.instead,
        "page": each.page,
        "evidence": [asdict(recording) for recording in recordings(each.code)],
        "url": each.url,
    }


def _readable(page: dict[str, Any], short: bool) -> str:
    head = f"{page['code']} {page['name']} ({page['kind']}{'' if page['default'] else ', not in the default set'})"
    return f"{head}\n{page['title']}" if short else f"{head}\n\n{page['page']}\n{_proof(page)}"


def _proof(page: dict[str, Any]) -> str:
    """Return what has shown that the example's lines wait; nothing for rules about the linting itself."""
    from ..evidence import sentences

    if page["kind"] == "meta" or not page["code"].startswith("SYNC"):
        return ""
    return "".join(f"\nEvidence: {escape(each)}" for each in sentences(page["code"])) + "\n"
