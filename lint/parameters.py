"""How the command line is shown and completed: options in groups, and the names of rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click
from click.shell_completion import CompletionItem

OTHER: Final = "Other"
"""The heading over options that belong to no group."""


if TYPE_CHECKING:
    _ParamType = click.ParamType[str]
else:
    _ParamType = click.ParamType  # older versions of click have no type arguments


class GroupedOption(click.Option):
    """An option that the help shows under the heading of its `group`."""

    def __init__(self, *names: Any, group: str = OTHER, **settings: Any) -> None:
        super().__init__(*names, **settings)
        self.group = group


class GroupedCommand(click.Command):
    """A command whose help shows its options by group, in the order in which the groups first come."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options under the headings of their groups; those of no group come last."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx) if isinstance(parameter, click.Option) else None
            if record is not None:
                groups.setdefault(getattr(parameter, "group", OTHER), []).append(record)
        for group in sorted(groups, key=lambda name: name == OTHER):
            with formatter.section(group):
                formatter.write_dl(groups[group])


class RuleNames(_ParamType):
    """Codes, prefixes and names of rules, separated by commas; a shell completes the last of them."""

    name = "rules"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return the codes and names that begin with what is typed."""
        from .settings.files import ConfigError, rules_here

        try:
            rules = rules_here()
        except ConfigError:
            return []
        before, comma, typed = incomplete.rpartition(",")
        pairs = [(name, each.title) for each in rules for name in (each.code, each.name)]
        return [
            CompletionItem(f"{before}{comma}{name}", help=title)
            for name, title in pairs
            if name.lower().startswith(typed.lower())
        ]
