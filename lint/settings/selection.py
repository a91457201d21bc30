"""Which rules a code, a prefix of codes or a name selects, and which rules a run uses."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..rule import Rule, all_rules

UNREADABLE = "SYNC902"
"""A file that cannot be checked is reported whatever is selected; only ignoring the rule by name suppresses it."""

WITHOUT_REASON = "SYNC903"
"""The rule that `require-reason` enables."""

_PREFIX = re.compile(r"SYNC\d{0,3}", re.IGNORECASE)


class UnknownRuleError(ValueError):
    """A rule was named that does not exist; the message says so and suggests the nearest."""

    def __init__(self, selector: str) -> None:
        nearest = did_you_mean(selector, [word for rule in all_rules() for word in (rule.code, rule.name)])
        super().__init__(f"there is no rule `{selector}`{nearest} (`synclint rule --all` lists them)")


@dataclass(frozen=True, slots=True)
class Layer:
    """One place where rules are selected: a configuration file, or the command line."""

    select: tuple[str, ...] = ()
    extend: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """Return `; did you mean …?` for the most similar word, or nothing."""
    close = difflib.get_close_matches(word.lower(), [each.lower() for each in words], 1)
    return f"; did you mean `{next(each for each in words if each.lower() == close[0])}`?" if close else ""


def selects(selector: str, rule: Rule) -> bool:
    """Whether a code, a prefix of codes, a name or `ALL` selects this rule."""
    if selector == rule.name or selector == "ALL":
        return True
    return bool(_PREFIX.fullmatch(selector)) and rule.code.startswith(selector.upper())


def meant(selectors: Sequence[str]) -> set[str]:
    """Return the codes of the selected rules. Raises UnknownRuleError if a selector matches none."""
    codes: set[str] = set()
    for selector in selectors:
        chosen = {rule.code for rule in all_rules() if selects(selector, rule)}
        if not chosen:
            raise UnknownRuleError(selector)
        codes |= chosen
    return codes


def chosen_rules(layers: Sequence[Layer]) -> tuple[Rule, ...]:
    """Return the rules of a run: the default set, changed by each layer in turn.

    A layer that selects rules discards what the layers before it selected. Raises UnknownRuleError.
    """
    codes = {rule.code for rule in all_rules() if rule.default}
    for layer in layers:
        if layer.select:
            codes = meant(layer.select) | {UNREADABLE}
        codes = (codes | meant(layer.extend)) - meant(layer.ignore)
    return tuple(rule for rule in all_rules() if rule.code in codes)
