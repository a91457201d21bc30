"""What of a project others may call or set: what it offers them, and what may be given another value from elsewhere."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from ...values.union import Host
from .named import STAR, Named

CONSTRUCTORS: Final = frozenset({"__init__", "__new__", "__post_init__"})
"""What makes an object is no call of it: how often others make some says nothing new."""


class Openness(Named):
    """The names that files offer, bind and pass, together."""

    _offered: Collection[str]
    _public: Collection[str]
    _options: Mapping[str, Sequence[Any]]
    _bound_anywhere: Collection[str]
    _passed_anywhere: Collection[str]
    _trains: bool
    _traces: bool

    def is_offered(self, function: str) -> bool:
        """Whether `__all__` lists the function, or the class of a public method: it has more callers than are seen."""
        cls, _, name = function.rpartition(".")
        return function in self.all_offered or (cls in self.all_offered and _is_for_others(name))

    def is_public(self, name: str) -> bool:
        """Whether a package gives a function, a class, or what these are part of, to whoever imports it."""
        owner, _, last = name.rpartition(".")
        if name in self.all_public or not _is_for_others(last):
            return name in self.all_public
        return owner in self.all_public or (owner in self.classes and self.is_public(owner))

    def options(self, name: str) -> Sequence[Host]:
        """Return the constants that options with this name, or with `module:name`, are by default."""
        return [Host(type(each).__name__, each) for each in self._options.get(name, ())]

    def is_set(self, cls: str, name: str) -> bool:
        """Whether anything but a class's own methods may bind an attribute of its objects."""
        module = cls.rpartition(".")[0]
        return name in self._bound_anywhere or f"{module}.*" in self._bound_anywhere

    def may_train(self, _: str = "") -> bool:
        """Whether anything in the project trains, or may have a library do so."""
        return self._trains

    def may_trace(self, _: str = "") -> bool:
        """Whether anything in the project is captured in a CUDA graph, or compiled."""
        return self._traces

    def is_passed(self, name: str) -> bool:
        """Whether a call of something that is not known passes an argument by this name."""
        return name in self._passed_anywhere

    def fields(self, cls: str) -> Sequence[str]:
        """Return the fields of a data class, in the order of its constructor's parameters."""
        return self.classes[cls].fields if cls in self.classes else ()

    @cached_property
    def all_public(self) -> frozenset[str]:
        """The full names of what packages give to whoever imports them, and of modules that they give as a whole."""
        found, todo = set(), [*self._public]
        for name in todo:  # those of modules that a star leads to are added on the way
            stars = self._exports.get(name, "").split() if name.endswith(STAR) else ()
            found.update(stars or [self.canonical(name)])
            todo += (f"{each}{STAR}" for each in stars if f"{each}{STAR}" not in todo)
        return frozenset(found)

    @cached_property
    def all_offered(self) -> frozenset[str]:
        """The full names of what modules list for others to use."""
        return frozenset(map(self.canonical, self._offered))


def _is_for_others(name: str) -> bool:
    """Whether a name is no private one: operators are none, but that of a constructor."""
    return not name.startswith("_") or (name.endswith("__") and name not in CONSTRUCTORS)
