"""The plugins that configurations name, and the rules and facts known with them. Cheap where there are none."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from ..declared import Fact
from ..rule import Rule, all_rules


class PluginError(ValueError):
    """A plugin cannot be used; the message is one line that says which, why, and what to do."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A plugin that has been imported; `identity` changes when its version or its rules do.

    `places` are the files and directories that its module is made of.
    """

    name: str
    identity: str
    rules: tuple[Rule, ...]
    facts: tuple[Fact, ...]
    examples: Path | None
    places: tuple[str, ...]


_LOADED: Final[dict[str, Loaded]] = {}
"""The plugins that this process has imported, by the names that configurations give them."""


def load(names: Iterable[str], checked: Collection[tuple[Path, Path]] = ()) -> tuple[Loaded, ...]:
    """Return the plugins that a configuration names.

    `checked` has directories of which files are checked, each with where the configuration was found that is for them;
    both are the current directory if none is given. Raises PluginError.
    """
    if not (names := tuple(names)):
        return ()
    from .load import imported, refuse_checked, refuse_collisions
    from .trust import untrusted_around

    here = Path.cwd()
    untrusted = {
        place for start, directory in checked or [(here, here)] for place in untrusted_around(start, directory)
    }
    for name in names:
        if name not in _LOADED:
            _LOADED[name] = imported(name, untrusted)
        refuse_checked(name, _LOADED[name].places, untrusted)
    found = tuple({each.name: each for each in map(_LOADED.__getitem__, names)}.values())
    refuse_collisions(found)
    return found


def known_rules(plugins: Iterable[str] = ()) -> tuple[Rule, ...]:
    """Return the rules of the package and of some plugins, by code. Raises PluginError."""
    brought = tuple(rule for each in load(plugins) for rule in each.rules)
    return tuple(sorted((*all_rules(), *brought), key=lambda rule: rule.code)) if brought else all_rules()


def loaded_rules() -> tuple[Rule, ...]:
    """Return the rules of the package and of all plugins that have been imported."""
    return (*all_rules(), *(rule for each in _LOADED.values() for rule in each.rules))


def facts(plugins: Iterable[str]) -> tuple[Fact, ...]:
    """Return the facts that some plugins declare. Raises PluginError."""
    return tuple(fact for each in load(plugins) for fact in each.facts)


@cache
def identity(plugins: tuple[str, ...]) -> str:
    """Return what the results of a run depend on beside the names of the plugins."""
    return " ".join(f"{each.name} {each.identity}" for each in load(plugins))
