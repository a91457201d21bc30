"""Which rules a code, a prefix of codes or a name selects, and which rules a run uses."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..plugins.known import known_rules
from ..regex import regex
from ..rule import Rule

UNREADABLE = "SYNC902"
"""A file that cannot be checked is reported whatever is selected; only ignoring the rule by name suppresses it."""

ON_PURPOSE = "SYNC111"
"""The rule about explicit waits, which make others beside them pointless to cure, selected or not."""

WITHOUT_REASON = "SYNC903"
"""The rule that `require-reason` enables."""

_PREFIX = regex(r"([A-Z]+)\d{0,3}", re.IGNORECASE)


class UnknownRuleError(ValueError):
    """A rule was named that does not exist; the message says so and suggests the nearest."""

    def __init__(self, selector: str, rules: Iterable[Rule]) -> None:
        nearest = did_you_mean(selector, [word for rule in rules for word in (rule.code, rule.name)])
        super().__init__(f"there is no rule `{selector}`{nearest} (`synclint rule --all` lists them)")


@dataclass(frozen=True, slots=True)
class Layer:
    """One place where rules are selected: a configuration file, or the command line."""

    select: tuple[str, ...] = ()
    extend: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def among(self, rules: Sequence[Rule]) -> Layer:
        """Return the layer with what it says about these rules, and nothing about those of other plugins."""
        lists = (self.select, self.extend, self.ignore)
        select, *rest = (tuple(each for each in names if any(selects(each, rule) for rule in rules)) for names in lists)
        return Layer(select or ((UNREADABLE,) if self.select else ()), *rest)


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """Return `; did you mean …?` for the most similar word, or nothing; numbers that look alike mean nothing alike."""
    if any(map(str.isdigit, word)):
        return ""
    close = difflib.get_close_matches(word.lower(), [each.lower() for each in words], 1)
    return f"; did you mean `{next(each for each in words if each.lower() == close[0])}`?" if close else ""


def selects(selector: str, rule: Rule) -> bool:
    """Whether a code, a prefix of codes, a name or `ALL` selects this rule."""
    if selector == rule.name or selector == "ALL":
        return True
    code = _PREFIX.fullmatch(selector)
    return code is not None and rule.code[:-3] == code[1].upper() and rule.code.startswith(selector.upper())


def meant(selectors: Iterable[str], rules: Iterable[Rule]) -> set[str]:
    """Return the codes of the selected ones among the rules. Raises UnknownRuleError if a selector matches none."""
    codes: set[str] = set()
    for selector in selectors:
        chosen = {rule.code for rule in rules if selects(selector, rule)}
        if not chosen:
            raise UnknownRuleError(selector, rules)
        codes |= chosen
    return codes


def chosen_rules(layers: Sequence[Layer], plugins: tuple[str, ...] = ()) -> tuple[Rule, ...]:
    """Return the rules of a run: the default set, with that of the plugins, changed by each layer in turn.

    A layer that selects rules discards what the layers before it selected. Raises UnknownRuleError and PluginError.
    """
    rules = known_rules(plugins)
    codes = {rule.code for rule in rules if rule.default}
    for layer in layers:
        if layer.select:
            codes = meant(layer.select, rules) | {UNREADABLE}
        codes = (codes | meant(layer.extend, rules)) - meant(layer.ignore, rules)
    return tuple(rule for rule in rules if rule.code in codes)
