"""A rule: a code, a name, a page, and a check that looks at one operation."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import typing
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from .finding import Confidence, Finding, Frequency, Kind, Reason, Severity, Span, page_of
from .offers import Offer
from .severity import severity_of


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a check: the message and the confidence; the rule turns it into a Finding.

    `cap` is the highest severity allowed here; `instead` replaces the page's general advice, and `kind` the rule's own
    if a rule about waits has found the code that sets one up; `offers` are what could be written, the best first.
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
    offers: tuple[Offer, ...] = ()


OF_ANYTHING = "?."
"""How the full name of a method begins that is known only by its last name, because its receiver is unknown."""


class Calls:
    """Functions and methods, each given by the end of its full name in whole words.

    `torch.unique` is a function, `Tensor.unique` a method of tensors, and `unique` whatever is called so.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self.names = frozenset(names)
        self._last_names = frozenset(map(_last_word, self.names))
        self.methods = frozenset(_last_word(each) for each in self.names if _may_be_method(each))
        """The last names of those that may be methods of a value about which nothing is known."""

    def have(self, name: str) -> bool:
        """Whether the function or method with this full name is one of them."""
        last = _last_word(name)
        if last not in self._last_names:
            return False
        return last in self.methods if name.startswith(OF_ANYTHING) else any(end in self.names for end in ends(name))


def _last_word(name: str) -> str:
    return name.rpartition(".")[2]


def _may_be_method(name: str) -> bool:
    """Whether a name stands for a method: it has no words before the last one, or a class."""
    owner = _last_word(name.rpartition(".")[0])
    return not owner or owner[0].isupper()


def ends(name: str) -> Iterator[str]:
    """Yield a full name, then the same without its first word, and so on."""
    while name:
        yield name
        name = name.partition(".")[2]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule; `handles` are the operation types that its check wants to see, and `calls` the calls, if not all.

    `plugin` is the name of the one that brought it, `link` the address of its page there.
    """

    code: str
    name: str
    kind: Kind
    default: bool
    check: Callable[[Any], Report | None]
    handles: tuple[type, ...]
    page: str
    calls: Calls | None = None
    plugin: str = ""
    link: str = ""

    @property
    def url(self) -> str:
        """The address of the rule's page."""
        return self.link or page_of(self.name)

    @property
    def title(self) -> str:
        """The page's first sentence."""
        return self.page.partition("\n\n")[0].replace("\n", " ")

    @property
    def instead(self) -> str:
        """The page's second paragraph: what to write instead."""
        return self.page.partition("\n\n")[2].partition("\n\n")[0].replace("\n", " ")

    def wants(self, kind: type, name: str) -> bool:
        """Whether the check handles operations of this type; `name` is the function's if it is a call."""
        return issubclass(kind, self.handles) and (self.calls is None or not name or self.calls.have(name))

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
            offers=report.offers,
            link=self.link,
        )


def rule(
    code: str, name: str, *, kind: Kind = Kind.STALL, default: bool = True, calls: Iterable[str] = ()
) -> Callable[[Callable[[Any], Report | None]], Rule]:
    """Make a rule from a check; the type of the check's parameter selects the operations it sees.

    If it sees calls, `calls` names the functions and methods (see `Calls`). Without `calls`, it sees each call that is
    recorded: those that other rules name, and those that linking follows, such as the constructors of metrics.
    The module's docstring is the rule's page: the first paragraph says what happens, the second what to write instead.
    """
    names = tuple(calls)

    def make(check: Callable[[Any], Report | None]) -> Rule:
        hints = typing.get_type_hints(check)
        hints.pop("return", None)
        (wanted,) = hints.values()
        handles = typing.get_args(wanted) or (wanted,)
        page = inspect.cleandoc(importlib.import_module(check.__module__).__doc__ or "")
        return Rule(code, name, kind, default, check, handles, page, Calls(names) if names else None)

    return make


@cache
def all_rules() -> tuple[Rule, ...]:
    """Return every rule of the package, by code; a rule is found because its file is in `rules/`."""
    from .. import rules

    found = []
    for module in pkgutil.iter_modules(rules.__path__, rules.__name__ + "."):
        found += [item for item in vars(importlib.import_module(module.name)).values() if isinstance(item, Rule)]
    return tuple(sorted(found, key=lambda each: each.code))


def names_of_calls(rules: Iterable[Rule]) -> frozenset[str]:
    """Return the names of all calls that the rules want to see."""
    return frozenset(name for each in rules if each.calls for name in each.calls.names)
