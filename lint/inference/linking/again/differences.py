"""What two indexes of a project define otherwise, and which answers by name that can alter.

The way to such an answer leads from name to name: through what modules import and re-export, and from classes to their
bases. Where no name on it is defined otherwise, the answer is the same, and neither index has to be asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cached_property
from itertools import chain
from typing import TypeAlias

from ....limits import MOST_MAKERS
from ...library.callbacks import MADE, part_name
from ..index.makers import function_of, made_first
from ..index.reads import Fact
from ..index.rows import Row, defined_otherwise, part_of, unlike
from ..index.stored_index import StoredIndex
from ..index.unused import PROGRAM
from .astray import Astray

Pair: TypeAlias = tuple[Row | None, Row | None]
"""What a file defines before and after an edit; None where there is no such file."""


class Differences:
    """What an edit of some files makes of the index `before`; what is in others stays as it is.

    `defined` are the names that are defined otherwise, `exports` those that are imported otherwise for others;
    `are_any` says whether there are such.
    """

    def __init__(self, before: StoredIndex, after: StoredIndex, changed: AbstractSet[str]) -> None:
        self._before = before
        self._after = after
        old, new = ({row.filename: row for row in index.rows if row.filename in changed} for index in (before, after))
        self._pairs: list[Pair] = [(old.get(name), new.get(name)) for name in sorted(changed)]
        self.defined = frozenset(chain.from_iterable(defined_otherwise(*pair) for pair in self._pairs))
        both = ((part_of(one, "exports"), part_of(other, "exports")) for one, other in self._pairs)
        self.exports = frozenset(chain.from_iterable(unlike(*each) for each in both))
        self.are_any = bool(self.defined or self.exports)
        self._astray = Astray(after, self.defined, self.exports)
        self._made: dict[str, bool] = {}
        self._concern: Mapping[str, Callable[[Fact], bool]] = {
            **dict.fromkeys(("canonical", "class_named", "constructed"), lambda fact: self.leads_elsewhere(fact[1])),
            **dict.fromkeys(("kind", "library_base", "bases", "method"), lambda fact: self._inherits(fact[1])),
            **dict.fromkeys(("has_method", "is_defined"), lambda fact: fact[1] in self.defined),
            **dict.fromkeys(("is_test", "bound_apart", "parameters_called"), lambda fact: fact[1] in self.defined),
            "is_called_by_base": lambda fact: self._has_other_bases(fact[1].rpartition(".")[0]),
            **dict.fromkeys(("made", "all_made"), lambda fact: self._makes(fact[1])),
            **dict.fromkeys(("called", "callable"), lambda fact: self._is_called(fact[1])),
            "derived_from": lambda fact: fact[1] in self._derived,
            "overriding": lambda fact: self._has_other_bases(fact[1]),
            "derived_with": lambda fact: self._derives(fact[1]),
            "methods": lambda fact: self._is_called(f"{fact[1]}.{fact[2]}") or self._has_other_bases(fact[1]),
            "is_given": lambda fact: fact[1] in self._given,
            "is_offered": lambda fact: self._is_offered(fact[1]),
            "is_public": lambda fact: self._is_public,
            "options": lambda fact: fact[1] in self._options,
            "is_set": lambda fact: self._is_bound(*fact[1:]),
            "may_train": lambda fact: self._before.may_train() is not self._after.may_train(),
            "may_trace": lambda fact: self._before.may_trace() is not self._after.may_trace(),
            "is_passed": lambda fact: self._before.is_passed(fact[1]) is not self._after.is_passed(fact[1]),
            "fields": lambda fact: fact[1] in self.defined,
            "why_unused": lambda fact: self.uses(fact[1]),
            "is_inner": lambda fact: self._is_inner(fact[1]),
            "in_program": lambda fact: PROGRAM in self._inner or fact[1] in self.defined,
            "made_at": lambda fact: self._is_made(fact[1]),
            "are_calls_seen": lambda fact: self._is_seen(fact[1]),
            "named_sites": lambda fact: fact[1].rpartition(".")[2] in self._methods,
        }
        """Kinds of questions -> whether the answer may be another by what names stand for."""

    def concern(self, fact: Fact) -> bool:
        """Whether an answer may be another one; of kinds that are not known here, any may."""
        concern = self._concern.get(fact[0])
        return concern is None or concern(fact)

    def leads_elsewhere(self, name: str) -> bool:
        """Whether a name may stand for something that is defined otherwise."""
        return self._astray.leads(name)

    def _inherits(self, cls: str) -> bool:
        """Whether a class may have other bases, or those other members."""
        return self.leads_elsewhere(cls) or self._after.canonical(cls) in self.descendants

    def _has_other_bases(self, cls: str) -> bool:
        """Whether a class, or one derived from it, may have other bases."""
        return cls in self._derived or any(map(self._inherits, (cls, *self._after.derived_from(cls))))

    def _is_called(self, name: str) -> bool:
        """Whether a call by a name may run another function."""
        if not self.are_any:
            return False
        if name.endswith(MADE):
            return self._before.called(name) != self._after.called(name)
        if self.leads_elsewhere(name):
            return True
        name = self._after.canonical(name)
        if name in self._after.functions:
            return False
        if name in self._after.classes:
            return self._is_called(f"{name}.__init__")
        cls, _, method = name.rpartition(".")
        if self.leads_elsewhere(cls) or self._is_class(cls):
            return self._inherits(cls)
        if self._makes(cls) or self._makes(part_name(cls, method)):
            return True
        made = self._after.made(cls) if cls else None
        if made is None and cls and (made := self._after.made(part_name(cls, method))) is not None:
            method = "__call__"
        if made is None or made in self.defined:
            return made is not None
        return made in self._after.classes and self._is_called(f"{made}.{method}")

    def _is_class(self, name: str) -> bool:
        """Whether a name stands for a class."""
        return name in self._after.shapes or self._after.canonical(name) in self._after.shapes

    def _makes(self, name: str, most: int = MOST_MAKERS) -> bool:
        """Whether a call by a name may make something else."""
        if self.leads_elsewhere(name):
            return True
        if not most or self._is_class(function_of(name)):
            return False
        made = made_first(self._after.canonical(name), self._after.makers)
        return any(self._makes(each.removesuffix(MADE), most - 1) for each in made if each.endswith(MADE))

    def _derives(self, cls: str) -> bool:
        """Whether other classes may be derived from a class, or those may have other members."""
        return self.leads_elsewhere(cls) or self._after.canonical(cls) in self.derived_with

    def _is_offered(self, name: str) -> bool:
        return not self.offered.isdisjoint((name, name.rpartition(".")[0]))

    def uses(self, function: str) -> bool:
        """Whether a function, or what it is part of, may be used otherwise."""
        return bool(self.unused) and not self.unused.isdisjoint(_with_owners(function))

    def _is_inner(self, function: str) -> bool:
        return any(function.startswith(f"{module.removesuffix(':')}.") for module in self._inner)

    def _is_made(self, cls: str) -> bool:
        """Whether objects of a class, or of those derived from it, may be made otherwise, but for the calls."""
        return cls in self._derived or any(map(self._is_itself_made, (cls, *self._after.derived_from(cls))))

    def _is_itself_made(self, cls: str) -> bool:
        if (found := self._made.get(cls)) is None:
            found = self.uses(cls) or cls in self.chosen or self._is_offered(cls) or self._is_called(cls)
            self._made[cls] = found
        return found

    def _is_seen(self, function: str) -> bool:
        """Whether a function may be called by others than before."""
        return self._is_inner(function) or self.uses(function) or function in self.chosen

    @cached_property
    def descendants(self) -> AbstractSet[str]:
        """The classes defined otherwise, whose bases are, or that inherit from one of these."""
        if not self.are_any:
            return frozenset()
        owners = {name.rpartition(".")[0] for name in self.defined}
        found = {
            name
            for name, (_, (bases, *_)) in self._after.shapes.items()
            if name in self.defined or name in owners or any(map(self.leads_elsewhere, bases))
        }
        return found.union(*map(self._after.derived_from, found))

    @cached_property
    def _derived(self) -> AbstractSet[str]:
        """The classes from which others are derived than before, or some that are defined otherwise."""
        found = set(unlike(self._before.every_derived(), self._after.every_derived()))
        return found.union(*(self._after.bases(each)[1:] for each in self.defined & self._after.shapes.keys()))

    @cached_property
    def derived_with(self) -> AbstractSet[str]:
        """These, and those to whose derived classes calls bind other attributes."""
        return {*self._derived}.union(*(self._after.bases(each) for each in self._given))

    @cached_property
    def _given(self) -> frozenset[str]:
        """The classes that calls bind other attributes of."""
        given = (({*map(tuple, row.direct.given)} if row else set() for row in pair) for pair in self._pairs)
        return frozenset(cls for one, other in given for cls, _ in one ^ other)

    @cached_property
    def _methods(self) -> frozenset[str]:
        """The names of methods whose classes may be related otherwise."""
        gone = [shape for row, _ in self._pairs if row for name, shape in row.classes.items() if name in self.defined]
        shapes = [self._after.shapes[name][1] for name in self.descendants if name in self._after.shapes]
        return frozenset(method for shape in (*gone, *shapes) for method in shape[1])

    @cached_property
    def offered(self) -> frozenset[str]:
        return self._before.all_offered ^ self._after.all_offered

    @cached_property
    def _options(self) -> frozenset[str]:
        """The options that have other defaults."""
        both = ((part_of(one, "options"), part_of(other, "options")) for one, other in self._pairs)
        return frozenset(chain.from_iterable(unlike(*each) for each in both))

    def _is_bound(self, cls: str, name: str) -> bool:
        """Whether files bind an attribute that did not, or do not any more."""
        return self._before.is_set(cls, name) is not self._after.is_set(cls, name)

    @cached_property
    def _is_public(self) -> bool:
        """Whether packages give others something else, or what they give is defined otherwise."""
        return self.are_any or self._before.all_public != self._after.all_public

    @cached_property
    def chosen(self) -> frozenset[str]:
        """What other configurations choose, or not any more."""
        return frozenset(unlike(self._before.choices, self._after.choices))

    @cached_property
    def unused(self) -> frozenset[str]:
        return frozenset(unlike(self._before.unused, self._after.unused))

    @cached_property
    def _inner(self) -> frozenset[str]:
        return frozenset(self._before.inner) ^ frozenset(self._after.inner)


def _with_owners(name: str) -> Iterator[str]:
    while name:
        yield name
        name = name.rpartition(".")[0]
