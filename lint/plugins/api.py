"""What a plugin says about itself; `synclint.plugin` offers it, with all that rules may use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..declared import Fact
from ..rule import Rule

API_VERSION: Final = 1
"""The version of what `synclint.plugin` offers; it is raised where a plugin would have to be changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugin:
    """Rules and facts of one distribution, which an entry point of the group `synclint.plugins` names.

    `api` is the version of `synclint.plugin` that the plugin was written for, as a number of its own: `API_VERSION` is
    always today's. The codes of the rules are the `prefix` and three digits. `url` is where a rule's page is, in which
    `{code}` and `{name}` stand for those of the rule. `examples` is the folder, beside the module that makes the
    plugin, that has a `hazard.py` and a `fixed.py` for each rule, in a folder of the rule's name.
    """

    api: int
    prefix: str
    url: str
    rules: tuple[Rule, ...] = ()
    facts: tuple[Fact, ...] = ()
    examples: str = ""
