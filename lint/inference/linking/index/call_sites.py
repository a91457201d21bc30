"""What the calls of a file run: functions and methods, those of derived classes, and those that attributes hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING

from ....facts.modules import WRAPPED
from ....limits import MOST_FOLLOWED
from ...library.callbacks import ITEMS, FunctionCall, function_call, makers_of
from ...notes.arguments_given import argument_in
from ...notes.summary import CallSite, FileSummary
from ...values.module_lists import contents
from ...values.ops import Op
from ...values.union import SPREAD, UNKNOWN, Deferred, Instance, Sequence, Value, options_of
from .applied import gives_context
from .handed_on import OF, functions_in
from .objects_made import CALL, as_calls, of_each, of_object
from .places import Places

if TYPE_CHECKING:
    from .asked_calls import AskedCalls


@dataclass(slots=True)
class Found:
    """What is found out about calls of one file.

    `sites` are calls by the function that they run, `named` those of which only the method's name is known, and
    `run_by`, `named_by` the numbers of the calls in the file that these come from; `given` are attributes of classes
    with what calls bind them to; `counted` is how many calls of a name were followed; `held` are calls, by number, of
    what attributes may hold, which is known once all calls that bind attributes are; `holding` are the classes whose
    attributes matter.
    """

    sites: dict[str, list[CallSite]] = field(default_factory=dict)
    named: dict[str, list[CallSite]] = field(default_factory=dict)
    given: list[tuple[str, str, Value]] = field(default_factory=list)
    counted: Counter[str] = field(default_factory=Counter)
    held: dict[int, CallSite] = field(default_factory=dict)
    run_by: dict[str, list[int]] = field(default_factory=dict)
    named_by: dict[str, list[int]] = field(default_factory=dict)
    holding: set[str] = field(default_factory=set)


class CallsOfFile:
    """Determines what the calls of one file run; `before` is how many calls of a name earlier files have."""

    def __init__(self, index: AskedCalls, summary: FileSummary, before: Mapping[str, int], places: Places) -> None:
        self._index = index
        self._summary = summary
        self._before = before
        self._places = places
        self._found = Found()
        self._number = 0

    def calls(self, numbers: Iterable[int] | None = None) -> Iterator[tuple[int, CallSite]]:
        """Yield the calls by these numbers, or all."""
        for number in range(len(self._summary.calls)) if numbers is None else numbers:
            site = self._summary.calls[number]
            yield number, site if site.caller else site._replace(caller=f"{self._summary.module}:")

    def direct(self, numbers: Iterable[int] | None = None) -> Found:
        """Return what is found out without knowing what attributes hold, about all calls or those by these numbers."""
        self._index.reads.begin_file(self._summary.filename)
        for number, site in self.calls(numbers):
            self._number = number
            with self._places.at(self._summary.filename):
                if not self._add(site):
                    self._found.held[number] = site
        self._index.reads.end_file()
        return self._found

    def through_attributes(self, held: Iterable[tuple[int, CallSite]]) -> Found:
        """Return what is found out about calls of what attributes may hold."""
        self._index.reads.begin_file(self._summary.filename)
        for number, site in held:
            self._number = number
            with self._places.at(self._summary.filename):
                self._add_held(site)
        self._index.reads.end_file()
        return self._found

    def _add(self, site: CallSite) -> bool:
        """Record a call by what it runs; return False if no function or class with that name is known."""
        if site.on_anything:
            self._keep_name(site)
            return True
        if OF in site.callee:
            self._keep(site)
            return True
        if site.given:
            site = site._replace(given=self._parameter_given(site.given))
        site = of_object(site, self._index)
        callee = self._index.called(site.callee)
        known = self._index.constructed(site.callee.removesuffix(".__init__"))
        if known is not None and not site.callee.endswith(".__init__"):
            site = site._replace(positional=(Instance(known[0]), *site.positional))
        if callee is not None or known is not None:
            if callee is not None and (apart := self._index.bound_apart(callee)) is not None:
                self._bind(site, apart)
            name = callee or (f"{known[0]}.__init__" if known else site.callee)
            if gives_context(site.callee, name, self._index.canonical, self._index.called):
                site = site._replace(positional=(UNKNOWN, *site.positional))
            self._keep(site if name == site.callee else site._replace(callee=name))
            return True
        several = [self._add(each) for each in of_each(site, self._index)]
        return any(several)

    def _parameter_given(self, given: str) -> str:
        """Return the parameter that an argument is given for, if what is called calls that, or keeps it."""
        name, at = argument_in(given)
        if (function := self._index.called(name)) is None:
            return ""
        if isinstance(at, int) and function.endswith(".__init__") and not name.endswith(".__init__"):
            at += 1  # the object itself comes first
        found = self._index.parameters_called(function).items()
        return next((f"{function}{OF}{each[0]}" for each in found if at in each), "")

    def _keep_name(self, site: CallSite) -> None:
        """Record a call of which only the method's name is known; of `__call__` and the like, not even that."""
        name = site.callee.rpartition(".")[2]
        if not self._summary.tests and not name.startswith("__"):
            self._found.named.setdefault(name, []).append(site)
            _note(self._found.named_by.setdefault(name, []), self._number)

    def _bind(self, site: CallSite, parameters: Collection[str]) -> None:
        """Bind the keyword arguments of a call to attributes of the object whose method it is."""
        match site.positional:
            case (Instance(cls), *_):
                others = {*parameters, SPREAD}
                self._found.given += [(cls, name, value) for name, value in site.keywords if name not in others]

    def _keep(self, site: CallSite) -> None:
        """Record a call, and calls of the methods that derived classes override.

        A call in a test tells nothing about what others call, or how often.
        """
        self._keep_all((site, *self._overriding(site)))

    def _keep_all(self, sites: Iterable[CallSite]) -> None:
        for each in sites:
            if not self._summary.tests or self._index.is_test(each.callee):
                self._found.sites.setdefault(each.callee, []).append(each)
                _note(self._found.run_by.setdefault(each.callee, []), self._number)
            if not each.passed:
                self._keep_all(self._handed_on(each))

    def _handed_on(self, site: CallSite) -> Iterator[CallSite]:
        """Yield the functions that a call gives to one that calls them, as handed on."""
        called = self._index.parameters_called(site.callee)
        named = dict(site.keywords) if called else {}
        for parameter, at in called.items():
            value = named.get(parameter) or (site.positional[at] if 0 <= at < len(site.positional) else UNKNOWN)
            for function, positional, keywords in self._calls_in(functions_in(value)):
                if not function.endswith(".__init__"):
                    given = f"{site.callee}{OF}{parameter}"
                    beside = site.positional, site.keywords
                    what = function, positional, keywords
                    yield CallSite(*what, site.local, site.caller, passed=True, given=given, beside=beside)

    def _calls_in(self, calls: Iterable[FunctionCall]) -> Iterator[FunctionCall]:
        """Yield the calls of the program's functions among some, also of those that functions make."""
        for each in chain.from_iterable(as_calls(call, self._index) for call in calls):
            if (function := self._index.called(each.function)) is not None:
                yield each._replace(function=function)

    def _overriding(self, site: CallSite) -> Iterator[CallSite]:
        """Yield what objects of derived classes run in the place of `self.method()`, or of an abstract method."""
        first = site.positional[0] if site.positional else None
        if not isinstance(first, Instance):
            return
        if not site.caller.startswith(f"{first.cls}.") and not self._index.is_abstract(site.callee):
            return
        method = site.callee.rpartition(".")[2]
        if self._is_one_too_many(site) or method == "__init__":
            return
        for derived, name in self._index.overriding(first.cls, method):
            yield site._replace(callee=name, positional=(Instance(derived), *site.positional[1:]))

    def _is_one_too_many(self, site: CallSite) -> bool:
        """Whether enough calls of that name, each of which may run many methods, have been seen already."""
        self._found.counted[site.callee] += 1
        return MOST_FOLLOWED.is_exceeded(self._before.get(site.callee, 0) + self._found.counted[site.callee])

    def _add_held(self, site: CallSite) -> None:
        """Record a call of what an attribute holds: `self.loss(x)`, or of a method of it: `self.decoder.update(x)`."""
        if self._is_one_too_many(site):
            return
        cls, _, attribute = site.callee.rpartition(".")
        first, caller = site.positional[0] if site.positional else None, site.caller.rpartition(".")[0]
        if isinstance(first, Instance) and first.cls == caller and cls in self._index.bases(caller)[1:]:
            return  # `Base.method(self)` is never what derived classes define
        owner, _, held_by = cls.rpartition(".")
        if not held_by.endswith(ITEMS):
            self._keep_name(site)
        for itself in self._objects(owner, held_by):
            is_open = self._index.is_given(owner, held_by.removesuffix(ITEMS))
            for method in self._index.methods(itself.cls, attribute):
                positional = (itself, *site.positional[1:])
                self._keep(site._replace(callee=method, positional=positional, open=is_open))
        is_open = not site.caller.startswith(f"{cls}.")
        methods = [site._replace(callee=each, open=is_open) for each in self._index.methods(cls, attribute)]
        if len(methods) == 1:
            self._keep(methods[0])
        else:  # those of derived classes already
            self._keep_all(methods)
        for value in self._held(cls, attribute):
            for option in options_of(value):
                if isinstance(option, Deferred) and option.op is Op.PARAMETER:
                    self._keep(site._replace(callee=option.name))
            call = function_call(value, site.positional[1:], site.keywords)
            for name, positional, keywords in self._calls_in(() if call is None else (call,)):
                self._keep(CallSite(name, positional, keywords, site.local, site.caller, site.passed))
        is_made = f".{attribute}" == CALL and self._index.constructed(cls) is not None
        for itself in (Instance(cls),) if is_made else self._objects(cls, attribute):
            self._keep_all(self._when_called(site, itself, is_made))

    def _when_called(self, site: CallSite, itself: Instance, is_known: bool) -> Iterator[CallSite]:
        """Yield what a call of an object runs: its `__call__` unless that `is_known`; the library, for a metric."""
        if (own := self._index.called(f"{itself.cls}{CALL}")) is not None:
            if not is_known:
                yield site._replace(callee=own, positional=(itself, *site.positional[1:]))
        else:
            for method in ("update", "compute"):
                if (name := self._index.called(f"{itself.cls}.{method}")) is not None:
                    given = (site.positional[1:], site.keywords) if method == "update" else ((), ())
                    yield site._replace(callee=name, positional=(itself, *given[0]), keywords=given[1])

    def _objects(self, cls: str, attribute: str) -> Iterator[Instance]:
        """Yield the instances of the project's classes that an attribute is bound to, or that its items are."""
        held = [*self._held(cls, attribute.removesuffix(ITEMS))]
        for value in [Instance(cls)] if attribute == WRAPPED and not held else held:
            for option in _items(value) if attribute.endswith(ITEMS) else options_of(value):
                if makers := makers_of(option):
                    found = [Instance(each) for maker in makers for each in self._index.all_made(maker)]
                elif isinstance(option, Deferred) and option.op is Op.DECLARED:
                    found = [Instance(option.name)]
                else:
                    found = [option] if isinstance(option, Instance) else []
                yield from (each for each in found if self._index.constructed(each.cls) is not None)

    def _held(self, cls: str, attribute: str) -> Iterator[Value]:
        for each in self._index.bases(cls) if cls else ():
            self._found.holding.add(each)
            yield from self._index.attributes(each, attribute)


def _items(value: Value) -> Iterator[Value]:
    """Yield what the items of a container may be, and those of containers in it."""
    for each in options_of(value):
        held = each if isinstance(each, Sequence) else contents(each)
        for item in () if held is None else (held.element, *(held.items or ())):
            for option in options_of(item):
                yield option
                yield from _items(option)


def _note(numbers: list[int], number: int) -> None:
    """Note a number, which is not less than those before, once."""
    if not numbers or numbers[-1] != number:
        numbers.append(number)
