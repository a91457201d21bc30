"""Calls of functions by what they are handed to: `def run(fn, x): return fn(x)` calls what `run(f, x)` gives it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from ...library.callbacks import PARTIAL, FunctionCall, function_call
from ...notes.summary import CallSite, FileSummary, FunctionSummary
from ...often.around import around
from ...values.arguments import Keywords
from ...values.joining import join_all
from ...values.ops import Op
from ...values.union import SPREAD, UNKNOWN, Deferred, Instance, Tensor, Value, options_of

OF: Final = ":"
"""What follows the name of a function in the name of a question for one of its parameters."""
_CALL: Final = ".__call__"


def called_in(summary: FileSummary) -> dict[str, dict[str, int]]:
    """Return the functions of a file that call a parameter, or constructors that keep one, with its position.

    The position is -1 for one that is not given by position.
    """
    asked = [site.callee for site in summary.calls if OF in site.callee and not site.on_anything]
    for cls in summary.classes.values():
        bound_to = (each for values in cls.attributes.values() for each in values)
        asked += [each.name for each in bound_to if isinstance(each, Deferred) and each.op is Op.PARAMETER]
    found: dict[str, dict[str, int]] = {}
    for name in asked:
        owner, _, parameter = name.rpartition(OF)
        if (function := summary.functions.get(owner)) is not None and parameter != function.extra:
            at = function.parameters.index(parameter) if parameter in function.parameters else -1
            found.setdefault(owner, {})[parameter] = at
    return found


def functions_in(value: Value) -> Iterator[FunctionCall]:
    """Yield the functions that a value may be, or the calls of an object, with what each is given first."""
    for option in options_of(value):
        if isinstance(option, Instance) and option.cls != PARTIAL:
            yield FunctionCall(f"{option.cls}{_CALL}", (option,), ())
        elif (call := function_call(option, ())) is not None:
            yield call


def bound(function: FunctionSummary, positional: tuple[Value, ...], keywords: Keywords) -> dict[str, Value]:
    """Return which parameter gets which argument, which is `stored` there."""
    passed = {**dict(zip(function.parameters, positional)), **dict(keywords)}
    if function.extra:
        others = [value for name, value in keywords if name not in function.terms]
        passed[function.extra] = UNKNOWN if SPREAD in passed else join_all(others)
    return passed


class HandedOn:
    """Finds where functions are called that are handed on; `sites_of` are the calls by a name."""

    def __init__(
        self, sites_of: Callable[[str], Sequence[CallSite]], function: Callable[[str], FunctionSummary | None]
    ) -> None:
        self._sites_of = sites_of
        self._function = function

    def calls(self, site: CallSite) -> Iterator[CallSite]:
        """Yield the calls of a function that is handed on, by what it is given to.

        If none are seen, it is as if it were handed to code that nobody knows, where reading has noted that.
        """
        owner, is_read = site.given.rpartition(OF)[0], site.beside == ((), ())
        found, function = self._sites_of(site.given), self._function(owner)
        if is_read or not found or function is None:
            yield from (site,) if is_read and not found else ()
            return
        passed = bound(function, *site.beside)
        for inner in found:
            if inner.caller != owner or function.role is not None:
                yield _joined(site, inner, {}, inner)
            else:
                terms = {
                    term: passed.get(name, function.defaults.get(name, UNKNOWN))
                    for name, term in function.terms.items()
                }
                yield _joined(site, inner, terms, site._replace(local=around(site.local, inner.local)))


def _joined(site: CallSite, inner: CallSite, terms: Mapping[Deferred, Value], where: CallSite) -> CallSite:
    """Return the call of the function that `site` hands on, as `inner` calls it, with what parameters are there."""
    positional = (*site.positional, *(_meant(each, terms) for each in inner.positional[1:]))
    keywords = {**dict(site.keywords), **{name: _meant(each, terms) for name, each in inner.keywords}}
    return CallSite(site.callee, positional, tuple(keywords.items()), where.local, where.caller, through=inner.through)


def _meant(value: Value, terms: Mapping[Deferred, Value]) -> Value:
    """Return what a parameter is for one call of its function; any other value as it is."""
    term = value.device.like if isinstance(value, Tensor) else value
    found = terms.get(term, UNKNOWN) if isinstance(term, Deferred) else UNKNOWN
    return value if found is UNKNOWN else found
