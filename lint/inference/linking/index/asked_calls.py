"""What calls ask of an index to find out what they run; what each file has asked is noted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ...values.union import Value
from .reads import Fact, Layers, Reads

if TYPE_CHECKING:
    from .project_index import ProjectIndex


class Asked(NamedTuple):
    """What the calls of files have asked to find out what they run: directly, and through attributes."""

    direct: Layers
    through_attributes: Layers


class AskedCalls:
    """Answers from an index, each of which is found once; `reads` is told of it."""

    def __init__(self, index: ProjectIndex, reads: Reads | None = None) -> None:
        self.reads = reads or Reads()
        self._index = index
        self._known: dict[Fact, tuple[int, Any]] = {}

    def forget(self) -> None:
        """Forget the answers, but not what was asked."""
        self._known.clear()

    def _ask(self, *fact: str) -> Any:
        known = self._known.get(fact)
        if known is None:
            found = getattr(self._index, fact[0])(*fact[1:])
            known = self._known[fact] = self.reads.fact(fact), found
        self.reads.current.append(known[0])
        return known[1]

    def canonical(self, name: str) -> str:
        """Return the full name under which something is defined."""
        found: str = self._ask("canonical", name)
        return found

    def called(self, name: str) -> str | None:
        """Return the full name of the function that a call runs."""
        found: str | None = self._ask("called", name)
        return found

    def constructed(self, name: str) -> tuple[str, tuple[str, ...]] | None:
        """Return the full name and the fields of the class with that name."""
        found: tuple[str, tuple[str, ...]] | None = self._ask("constructed", name)
        return found

    def made(self, name: str) -> str | None:
        """Return the full name of the class or function that a call by this name makes."""
        found: str | None = self._ask("made", name)
        return found

    def all_made(self, name: str) -> Sequence[str]:
        """Return the full names of the classes and functions that a call by this name may make."""
        found: Sequence[str] = self._ask("all_made", name)
        return found

    def bound_apart(self, method: str) -> Sequence[str] | None:
        """Return the other parameters of a method that makes attributes of what it is given for its `**keywords`."""
        found: Sequence[str] | None = self._ask("bound_apart", method)
        return found

    def parameters_called(self, function: str) -> Mapping[str, int]:
        """Return the parameters that a function calls, or keeps in attributes, with their positions."""
        found: Mapping[str, int] = self._ask("parameters_called", function)
        return found

    def is_test(self, function: str) -> bool:
        """Whether a function is test code."""
        found: bool = self._ask("is_test", function)
        return found

    def overriding(self, cls: str, method: str) -> Sequence[tuple[str, str]]:
        """Return what objects of derived classes run in place of a class's method, each with such a class."""
        found: Sequence[tuple[str, str]] = self._ask("overriding", cls, method)
        return found

    def is_abstract(self, function: str) -> bool:
        """Whether a method leaves all that it does to derived classes."""
        found: bool = self._ask("is_abstract", function)
        return found

    def bases(self, cls: str) -> Sequence[str]:
        """Return the class and its bases."""
        found: Sequence[str] = self._ask("bases", cls)
        return found

    def methods(self, cls: str, name: str) -> Sequence[str]:
        """Return the full names of the methods that a call on an instance of a class may refer to."""
        found: Sequence[str] = self._ask("methods", cls, name)
        return found

    def attributes(self, cls: str, name: str) -> Sequence[Value]:
        """Return what a class itself binds an attribute of its instances to."""
        found: Sequence[Value] = self._ask("attributes", cls, name)
        return found

    def is_given(self, cls: str, name: str) -> bool:
        """Whether calls bind an attribute of a class."""
        found: bool = self._ask("is_given", cls, name)
        return found
