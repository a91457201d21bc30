"""What a rule is: a code, a name, a page, and a check that looks at one operation."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import typing
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from .finding import Confidence, Finding, Frequency, Kind, Reason, Severity, Span, severity_of


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a check: the message and the confidence; the rule turns it into a Finding.

    `cap` is the highest severity allowed here; `instead` replaces the page's general advice, and `kind` the rule's own
    if a rule about waits has found the code that sets one up.
    """

    message: str
    span: Span
    frequency: Frequency
    confidence: Confidence
    reasons: tuple[Reason, ...] = ()
    scope: str = ""
    statement: tuple[int, int] = (0, 0)
    instead: str = ""
    cap: Severity = Severity.ERROR
    kind: Kind | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule; `handles` are the operation types that its check wants to see."""

    code: str
    name: str
    kind: Kind
    default: bool
    check: Callable[[Any], Report | None]
    handles: tuple[type, ...]
    page: str

    @property
    def title(self) -> str:
        """The page's first sentence."""
        return self.page.partition("\n\n")[0].replace("\n", " ")

    @property
    def instead(self) -> str:
        """The page's second paragraph: what to write instead."""
        return self.page.partition("\n\n")[2].partition("\n\n")[0].replace("\n", " ")

    def finding(self, report: Report, statement: str = "") -> Finding:
        """Return the finished finding; `statement` is the normalised source of the report's statement."""
        kind = report.kind or self.kind
        severity = min(severity_of(kind, report.frequency, report.confidence), report.cap)
        return Finding(
            code=self.code,
            name=self.name,
            span=report.span,
            message=report.message,
            severity=severity,
            frequency=report.frequency,
            confidence=report.confidence,
            reasons=report.reasons,
            instead=report.instead or ("" if kind is Kind.META else self.instead),
            scope=report.scope,
            statement=statement,
            kind=kind,
        )


def rule(
    code: str, name: str, *, kind: Kind = Kind.STALL, default: bool = True
) -> Callable[[Callable[[Any], Report | None]], Rule]:
    """Make a rule from a check; the type of the check's parameter selects the operations it sees.

    The module's docstring is the rule's page: the first paragraph says what happens, the second what to write instead.
    """

    def make(check: Callable[[Any], Report | None]) -> Rule:
        hints = typing.get_type_hints(check)
        hints.pop("return", None)
        (wanted,) = hints.values()
        handles = typing.get_args(wanted) or (wanted,)
        page = inspect.cleandoc(importlib.import_module(check.__module__).__doc__ or "")
        return Rule(code, name, kind, default, check, handles, page)

    return make


@cache
def all_rules() -> tuple[Rule, ...]:
    """Return every rule of the package, by code; a rule is found because its file is in `rules/`."""
    from .. import rules

    found = []
    for module in pkgutil.iter_modules(rules.__path__, rules.__name__ + "."):
        found += [item for item in vars(importlib.import_module(module.name)).values() if isinstance(item, Rule)]
    return tuple(sorted(found, key=lambda each: each.code))
