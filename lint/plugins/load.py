"""Finds plugins among what is installed, and imports those that a configuration names."""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..declared import DEEDS
from ..finding import Kind
from ..rule import Rule, all_rules
from .api import API_VERSION, Plugin
from .known import Loaded, PluginError
from .trust import is_trusted, places_of, searching, trusted_path

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP: Final = "synclint.plugins"
_PREFIX: Final = re.compile(r"[A-Z]{2,12}")
_NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


# -- from a name to a plugin -------------------------------------------------------------------------------------------


def imported(name: str, untrusted: Collection[str]) -> Loaded:
    """Import a plugin, unless it is part of what is untrusted. Raises PluginError."""
    path = trusted_path(untrusted)
    entry, version = _entry_point(name, path)
    with searching(path):
        places = tuple(_places(name, _module(entry), untrusted))
        plugin = _made(name, entry)
    _refuse_misfits(name, plugin)
    folder = Path(places[0]).parent
    rules = tuple(replace(rule, plugin=entry.name, link=_page(plugin.url, rule)) for rule in plugin.rules)
    return Loaded(
        entry.name,
        f"{version} {_digest(_module(entry), rules)}",
        rules,
        tuple(replace(each, where=f"by the plugin `{entry.name}`") for each in plugin.facts),
        folder / plugin.examples if plugin.examples else None,
        places,
    )


def _entry_point(name: str, path: list[str]) -> tuple[EntryPoint, str]:
    """Return the entry point with this name, or for this module, and its distribution's name and version."""
    from importlib import metadata

    others = []
    for distribution in metadata.distributions(path=path):
        for entry in distribution.entry_points:
            if entry.group != GROUP:
                continue
            if name in (entry.name, _module(entry)):
                return entry, f"{distribution.metadata['Name']} {distribution.version}"
            others.append(entry.name)
    known = f" ({', '.join(sorted(set(others)))} would be)" if others else ""
    raise PluginError(
        f"no plugin `{name}` is installed{known}; install the distribution that brings it, into the environment of "
        "synclint and outside of what is checked, or remove the name"
    )


def _module(entry: EntryPoint) -> str:
    return entry.value.partition(":")[0].strip()


def _places(name: str, module: str, untrusted: Collection[str]) -> Iterator[str]:
    """Yield what the plugin's module is made of, its own file first; each package is judged before it is imported."""
    words = module.split(".")
    found: list[str] = []
    for number in range(1, len(words) + 1):
        try:
            spec = importlib.util.find_spec(".".join(words[:number]))
        except (Exception, SystemExit) as error:
            raise _broken(name, error) from error
        if spec is None:
            raise PluginError(f"the module `{module}` of the plugin `{name}` is missing; install it again")
        refuse_checked(name, places_of(spec), untrusted)
        found = [*places_of(spec), *found]
    yield from found


def _made(name: str, entry: EntryPoint) -> Plugin:
    try:
        plugin = entry.load()
    except (Exception, SystemExit) as error:
        raise _broken(name, error) from error
    if not isinstance(plugin, Plugin):
        raise PluginError(
            f"`{entry.value}`, which the plugin `{name}` names, is no synclint.plugin.Plugin; "
            "report it to the plugin's authors"
        )
    return plugin


def _page(url: str, rule: Rule) -> str:
    return url.replace("{code}", rule.code).replace("{name}", rule.name)


def _broken(name: str, error: BaseException) -> PluginError:
    text = f"{type(error).__name__}: {error}".split("\n")[0]
    return PluginError(f"the plugin `{name}` could not be imported: {text}; report it to its authors")


def _digest(module: str, rules: Sequence[Rule]) -> str:
    """Return a digest of the files in which the plugin and its rules are written: an author changes no version."""
    import hashlib

    names = sorted({module, *(rule.check.__module__ for rule in rules)})
    found = hashlib.blake2b(digest_size=8)
    for name in names:
        file = getattr(sys.modules.get(name), "__file__", None)
        if file and os.path.isfile(file):
            found.update(Path(file).read_bytes())
    return found.hexdigest()


# -- what is refused ---------------------------------------------------------------------------------------------------


def refuse_checked(name: str, places: Iterable[str], untrusted: Collection[str]) -> None:
    """Raise PluginError for what lies in the checked repository."""
    inside = next((each for each in places if not is_trusted(each, untrusted)), None)
    if inside:
        raise PluginError(
            f"the plugin `{name}` is in {inside}, which is part of what is checked and is never imported; "
            "install it from elsewhere, or without `-e`"
        )


def _refuse_misfits(name: str, plugin: Plugin) -> None:
    """Raise PluginError for a plugin that does not fit this version of synclint, or breaks the rules for plugins."""
    if plugin.api != API_VERSION:
        raise PluginError(
            f"the plugin `{name}` is written for version {plugin.api} of synclint's API, and this synclint has "
            f"version {API_VERSION}; install a version of it for that"
        )
    wrong = next(_mistakes(plugin), None)
    if wrong:
        raise PluginError(f"the plugin `{name}` cannot be used: {wrong}; report it to its authors")


def _mistakes(plugin: Plugin) -> Iterator[str]:
    if not _PREFIX.fullmatch(plugin.prefix) or plugin.prefix.startswith("SYNC"):
        yield f"`{plugin.prefix}` is no prefix for codes: 2 to 12 capital letters that do not begin with SYNC"
    if not plugin.url.startswith(("https://", "http://")):
        yield f"`{plugin.url}` is not the address of its rules' pages"
    if not all(isinstance(each, Rule) for each in plugin.rules):
        yield "not all of its rules are made by `synclint.plugin.rule`"
        return
    names = {rule.name for rule in all_rules()}
    for rule in plugin.rules:
        if not re.fullmatch(rf"{plugin.prefix}\d\d\d", rule.code):
            yield f"the code `{rule.code}` is not {plugin.prefix} and three digits"
        if not _NAME.fullmatch(rule.name) or rule.name in names:
            yield f"the name `{rule.name}` of {rule.code} is taken, or is not lower case with hyphens"
        if rule.kind is Kind.META:
            yield f"{rule.code} is of kind META, which is for synclint's own rules"
    for fact in plugin.facts:
        if fact.does not in DEEDS or "." not in fact.name:
            yield f"no function can be declared as `{fact.name}`: {fact.does}"


def refuse_collisions(plugins: Sequence[Loaded]) -> None:
    """Raise PluginError where two rules have the same code or name."""
    owners: dict[str, str] = {}
    for each in plugins:
        for word in (word for rule in each.rules for word in (rule.code, rule.name)):
            if word in owners:
                raise PluginError(
                    f"the plugins `{owners[word]}` and `{each.name}` both have a rule `{word}`; remove one of the two"
                )
            owners[word] = each.name
