"""What values are unless somebody asks for something else: defaults, attributes that are bound to constants alone.

A condition that these meet goes without saying; one that they do not meet is off by default, or never holds where
nothing can set it. Whoever sets something by a name that is not known sets all of that name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from ....facts.choices import FOR_GPUS
from ....facts.command_lines import OPTIONS
from ....finding import Level
from ....regex import regex
from ...notes.summary import CallSite, FunctionSummary
from ...often.local import EVERY_N, IS, IS_NOT, OF_OTHERS, OWN, Local, Need
from ...values.ops import Op
from ...values.union import SPREAD, UNKNOWN, Deferred, Host, Instance, Value, options_of
from ..index.answer import Answers
from ..index.handed_on import bound
from ..index.noted_index import NotedIndex
from ..resolving.passing import may_be
from ..resolving.questions import Questions
from .programs import Programs

if TYPE_CHECKING:
    from ....settings.options_set import OptionsSet

_SET_ON_GPUS: Final = regex(FOR_GPUS)
_OPPOSITES: Final = {
    "None": "given", "given": "None", "true": "false", "false": "true", ">": "<=", "<=": ">", "<": ">=", ">=": "<",
}  # fmt: skip

TRAINING: Final = f"{OWN}training"
"""The attribute of a module that is true but after `eval()`."""


class Known(NamedTuple):
    """All that a value usually is, whether anybody may want it to be something else, and whether somebody does."""

    values: tuple[Value, ...]
    is_open: bool
    is_set: bool = False


class Usual:
    """Asks what values usually are; `resolve` tells what those are that reading left open."""

    def __init__(
        self,
        index: NotedIndex,
        questions: Questions,
        resolve: Callable[[Value], Value],
        programs: Programs,
        options_set: OptionsSet,
    ) -> None:
        self._set = options_set
        self._programs = programs
        self._index = index
        self._questions = questions
        self._resolve = resolve
        self._known: Answers = {}

    def settled(self, local: Local, owner: str) -> tuple[Local, str]:
        """Return a place in a function without conditions that usually hold, and why it never runs; empty if it may.

        Those that usually do not hold are off by default.
        """
        if local.every is not None and local.cap is Level.EVERY_N_STEPS and self._holds(local.every, owner):
            reasons = tuple(each for each in local.reasons if each.message != EVERY_N)
            local = replace(local, cap=None, gate="", reasons=reasons)
        if not local.needs:
            return local, ""
        on, off = set(), []
        for need in local.needs:
            ways = [(each, self._of_need(each, owner)) for each in (need, *need.others)]
            told = [(each, known, _holds(known.values, each.wanted)) for each, known in ways if known is not None]
            if any(holds for _, _, holds in told):
                on.add(need.text)
            elif len(told) < len(ways) or any(holds is None or known.is_set for _, known, holds in told):
                continue
            elif all(not known.is_open and each.name.startswith(OWN) for each, known, _ in told):
                return local, f"never: `{need.text}` is what nothing in the project makes true"
            elif need.text and all(known.is_open for _, known, _ in told):
                off.append(need.text)
        conditions = tuple(each for each in local.conditions if each not in on)
        return replace(local, conditions=conditions, off=tuple(off)), ""

    def _holds(self, need: Need, owner: str) -> bool | None:
        """Return whether what a condition needs is so unless somebody wants it otherwise; None if nothing tells."""
        known = self._of_need(need, owner)
        return None if known is None or known.is_set else _holds(known.values, need.wanted)

    def _of_need(self, need: Need, owner: str) -> Known | None:
        """Return what the subject of a condition in a function usually is; None if nothing tells."""
        if not need.name or _SET_ON_GPUS.search(need.name.lower()):
            return None
        if need.name == TRAINING:
            return Known((Host("bool", False),), is_open=False) if self._programs.only_evaluate(_owner(owner)) else None
        if need.name.startswith(OWN):
            return self._of_attribute(Instance(_owner(owner)), need.name.removeprefix(OWN))
        if need.name.startswith(OF_OTHERS):
            name = need.name.removeprefix(OF_OTHERS)
            return self.of(need.value) if self._is_known(need.value) else self._of_option(name, owner, need.value)
        function = self._index.function(owner)
        return None if function is None else self._of_parameter(function, need.name)

    def is_met(self, need: Need, function: FunctionSummary, site: CallSite) -> bool:
        """Whether a call passes for sure, or by default, what a condition on a parameter needs, or else is enough."""
        return any(self._is_passed(each, function, site) for each in (need, *need.others))

    def _is_passed(self, need: Need, function: FunctionSummary, site: CallSite) -> bool:
        passed = bound(function, site.positional, site.keywords)
        value = passed.get(need.name, function.defaults.get(need.name))
        if isinstance(value, Deferred) and value.op is Op.ELEMENT:
            return True  # of all that a loop goes through, some are what is needed
        known = None if value is None or SPREAD in passed else self.of(value)
        return known is not None and _holds(known.values, need.wanted) is True

    def of(self, value: Value) -> Known | None:
        """Return what a value usually is; None if nothing tells of one that it may be."""
        return _all(map(self._of_one, options_of(value)))

    def _of_one(self, value: Value) -> Known | None:
        match value:
            case Deferred(Op.PARAMETER) if value in self._index.parameters:
                return self._of_parameter(*self._index.parameters[value])
            case Deferred(Op.ATTRIBUTE, name, (base, *_)):
                return _all(self._of_attribute(each, name) for each in options_of(self._resolve(base)))
        is_open = isinstance(value, Deferred) or (isinstance(value, Host) and value.constant is ...)
        return None if is_open or value is UNKNOWN else Known((value,), is_open=False)

    def _of_parameter(self, function: FunctionSummary, name: str) -> Known | None:
        key = ("usual", function.name, name)
        return self._questions.remembered(key, self._step, (function, name), self._known, None)

    def _step(self, asked: tuple[FunctionSummary, str]) -> Known | None:
        return self._questions.one_step_on(self._passed, asked, None)

    def _passed(self, asked: tuple[FunctionSummary, str]) -> Known | None:
        """Return what a parameter usually is: its default, and what the calls pass that are seen."""
        function, name = asked
        self._index.function(function.name)  # noted: an answer that is kept depends on it
        sites = [each for each in self._index.sites_of(function.name) if each.caller != function.name]
        default = function.defaults.get(name)
        is_open = not sites or not self._are_seen(function.name)
        by_default = None if default is None else self.of(default)
        found = [] if default is None else [by_default]
        for site in sites:
            passed = bound(function, site.positional, site.keywords)
            if name in passed:
                found.append(self.of(passed[name]))
            elif site.passed or SPREAD in passed:
                found.append(self._of_settings(name, by_default))
            elif default is None:
                return None
        known = _all(found)
        if known is None:
            return None
        is_set = known.is_set or (is_open and self._index.is_passed(name))
        return known._replace(is_open=known.is_open or is_open, is_set=is_set)

    def _of_settings(self, name: str, by_default: Known | None) -> Known | None:
        """Return what is passed with others that are not seen: what settings files say, else what it is by default."""
        if (written := self._written(name)) and (by_default is not None or len(written) == 1):
            return Known(written, is_open=True, is_set=True)
        return by_default and by_default._replace(is_open=True, is_set=True)

    def _are_seen(self, function: str) -> bool:
        """Whether all calls of a function are seen, or all that make an object."""
        cls, _, last = function.rpartition(".")
        if last == "__init__" and self._index.is_defined(cls):
            return self._index.in_program(cls) and bool(self._index.made_at(cls))
        return self._index.are_calls_seen(function)

    def _of_attribute(self, base: Value, name: str) -> Known | None:
        """Return what an attribute usually is: of what its class, those it is derived from, and others bind it to."""
        if isinstance(base, Instance) and base.cls.endswith(OPTIONS):
            return self._of_option(name, base.cls, UNKNOWN)
        if not isinstance(base, Instance) or not self._index.is_defined(base.cls):
            return None
        key = ("usual attribute", base.cls, name)
        return self._questions.remembered(key, self._step_on_attribute, (base.cls, name), self._known, None)

    def _step_on_attribute(self, asked: tuple[str, str]) -> Known | None:
        return self._questions.one_step_on(self._bound, asked, None)

    def _bound(self, asked: tuple[str, str]) -> Known | None:
        cls, name = asked
        if self._index.is_set(cls, name) or self._index.method(cls, name) is not None:
            return None
        classes = (*self._index.bases(cls), *self._index.derived_with(cls, name))
        values = [each for owner in dict.fromkeys(classes) for each in self._index.attributes(owner, name)]
        if not values:
            return None
        found = [self.of(each) for each in values]
        if not (fields := self._index.fields(cls)) or name not in fields:
            return _all(found)
        known = _all([*found, *self._passed_for(cls, name, fields.index(name))])
        return None if known is None else self._with_settings(name, known._replace(is_open=True))

    def _passed_for(self, cls: str, name: str, at: int) -> Iterator[Known | None]:
        """Yield what each call of a constructor passes for a field of a data class, where it passes anything."""
        for site in self._index.sites_of(f"{cls}.__init__"):
            passed = dict(site.keywords)
            if site.passed or SPREAD in passed:
                yield None
            elif (value := passed.get(name, dict(enumerate(site.positional)).get(at + 1))) is not None:
                yield self.of(value)

    def _is_known(self, attribute: Value) -> bool:
        """Whether what an attribute is asked of is an object of the project's, and not some holder of options."""
        bases = map(self._resolve, attribute.operands[:1]) if isinstance(attribute, Deferred) else ()
        options = [each for base in bases for each in options_of(base)]
        return any(isinstance(each, Instance) and self._index.fields(each.cls) for each in options)

    def _of_option(self, name: str, owner: str, by_default: Value) -> Known | None:
        """Return what an option by the name of an attribute or key is by default, whatever holds it."""
        values = tuple(self._index.options(name, owner)) or ((by_default,) if isinstance(by_default, Host) else ())
        return self._with_settings(name, Known(values, is_open=True)) if values else None

    def _with_settings(self, name: str, known: Known) -> Known:
        """Return what an option is, with what settings files make it, and whether a command or call sets it."""
        is_set = name in self._set.flags or self._index.is_passed(name)
        return known._replace(values=(*known.values, *self._written(name)), is_set=is_set)

    def _written(self, name: str) -> tuple[Value, ...]:
        """Return what settings files make of an option."""
        return tuple(Host(type(each).__name__, each) for each in self._set.values.get(name, ()))


def _owner(method: str) -> str:
    return method.rpartition(".")[0]


def _all(found: Iterable[Known | None]) -> Known | None:
    """Return what one of several may be; None if nothing tells of one of them."""
    known = [*found]
    if not known or None in known:
        return None
    told = [each for each in known if each is not None]
    values = tuple(dict.fromkeys(_values(told)))
    return Known(values, any(each.is_open for each in told), any(each.is_set for each in told))


def _values(known: Sequence[Known]) -> Iterator[Value]:
    return (value for each in known for value in each.values)


def _holds(values: Sequence[Value], wanted: str) -> bool | None:
    """Return whether what a value usually is meets what is wanted of it; None if only some of it does."""
    if wanted[0] in (IS, IS_NOT):
        against = f"{IS_NOT if wanted[0] == IS else IS}{wanted[1:]}"
    else:
        asked, beyond, limit = wanted.partition(" ")
        against = f"{_OPPOSITES[asked]}{beyond}{limit}"
    if not any(may_be(each, wanted) for each in values):
        return False
    return None if any(may_be(each, against) for each in values) else True
