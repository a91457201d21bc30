"""Finds what names of functions and classes refer to, in all files."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cached_property

from ....facts import autograd
from ....limits import MOST_IMPORTS, MOST_MAKERS
from ...library.callbacks import MADE, part_name
from ...library.inheritance import Inheritance
from ...notes.summary import ClassSummary, FunctionSummary
from ...values.union import Value
from .makers import function_of, made_first

STAR = ".*"
"""What follows the name of a module in what is exported, for the modules of which it imports all names."""


def ways(name: str, functions: Container[str]) -> Iterator[tuple[str, str, str]]:
    """Yield the beginnings of a dotted name, the longest first, with the rest, and the star that may import the first.

    Nothing else stands for what is a module.
    """
    head, tail, is_free = name, "", True
    while head:
        module, _, part = head.rpartition(".")
        is_free = is_free and f"{head}:" not in functions
        yield head, tail, f"{module}{STAR}" if is_free and not part.startswith("_") else ""
        head, tail = module, f".{part}{tail}"


def is_within(name: str, head: str, meant: str) -> bool:
    """Whether a name is in what its beginning `head` is imported as, in itself: else `f.x` would lead on to `f.f.x`."""
    return meant.startswith(f"{head}.") and f"{name}.".startswith(f"{meant}.")


class Named:
    """What is defined in all files, and the names that modules give it by importing it."""

    functions: Mapping[str, FunctionSummary]
    classes: Mapping[str, ClassSummary]
    constants: Mapping[str, Value]
    aliases: Mapping[str, Value]
    makers: Mapping[str, list[str]]
    """Functions -> what a call of each may make: the function it defines and returns, or the class of the object.

    Followed by `MADE` for what the named one makes in turn. Each part of a tuple or dict has a maker: `build.[1]`.
    """
    _exports: Mapping[str, str]

    def __init__(self) -> None:
        self._canonical: dict[str, str] = {}
        self._imported: dict[str, bool] = {}
        self.inheritance = Inheritance(self.classes, self._defined)

    def canonical(self, name: str) -> str:
        """Return the full name under which something is defined, following what modules import and re-export."""
        if (known := self._canonical.get(name)) is None:
            known = self._canonical[name] = self._followed(name)
        return known

    def _followed(self, name: str) -> str:
        function = function_of(name)
        if function != name:  # a part of what it makes
            return f"{self.canonical(function)}{name[len(function) :]}"
        return self._end(name, set()) or name

    def _end(self, name: str, seen: set[str]) -> str | None:
        """Return the name that another leads to; None if nothing defines or imports it."""
        if self.has(name):
            return name
        if name in seen or (len(seen) >= MOST_IMPORTS and MOST_IMPORTS.met()):
            return None
        seen.add(name)
        if not self._is_imported(name):
            return None
        for head, tail, starred in ways(name, self.functions):
            if head in self._exports:
                meant = self._exports[head] + tail
                is_end = meant in seen or is_within(name, head, self._exports[head])
                return None if is_end else self._end(meant, seen) or meant
            for other in self._exports.get(starred, "").split():
                found = self._end(f"{other}.{head.rpartition('.')[2]}{tail}", seen)
                if found is not None:
                    return found
        return None

    @cached_property
    def imports(self) -> Mapping[str, list[str]]:
        """What modules import -> the names that they give it, or the star of one that imports all that is in it."""
        found: dict[str, list[str]] = {}
        for head, meant in self._exports.items():
            for each in meant.split() if head.endswith(STAR) else (meant,):
                found.setdefault(each, []).append(head)
        return found

    @cached_property
    def imported(self) -> Sequence[str]:
        """What modules import, in order."""
        return sorted(self.imports)

    def _is_imported(self, name: str) -> bool:
        """Whether anything is imported under a beginning of the name; most names begin as others do."""
        new, known = [], False
        while name and not known:
            if (found := self._imported.get(name)) is not None:
                known = found
                break
            new.append(name)
            owner = name.rpartition(".")[0]
            known = name in self._exports or f"{owner}{STAR}" in self._exports
            name = owner
        self._imported.update(dict.fromkeys(new, known))
        return known

    def has(self, name: str) -> bool:
        """Whether something is defined under that very name."""
        return any(name in known for known in (self.functions, self.classes, self.constants, self.aliases))

    def class_named(self, name: str) -> ClassSummary | None:
        """Return the class with that name, including names that other modules give it."""
        return self.classes.get(name) or self.classes.get(self.canonical(name))

    def constructed(self, name: str) -> tuple[str, tuple[str, ...]] | None:
        """Return the full name and the fields of the class with that name."""
        known = self.class_named(name)
        return None if known is None else (known.name, known.fields)

    def callable(self, name: str) -> FunctionSummary | None:
        """Return the function that a call of this name runs."""
        found = self.called(name)
        return None if found is None else self.functions[found]

    def called(self, name: str) -> str | None:
        """Return the full name of the function that a call runs: itself, an inherited method, `forward` of a module.

        So is that of an autograd function by `apply`. For a name followed by `MADE`, what calling what the named one
        makes runs. A method may also be one of the object that a function makes: `make_loss.reduce`; what looks like
        a method may also be an object that it returns in a dict.
        """
        if name.endswith(MADE):
            made = self.made(name.removesuffix(MADE))
            return None if made is None else self._defined_as(made) or self.called(f"{made}.__call__")
        name = self.canonical(name)
        if name in self.functions:
            return name
        if name in self.classes:
            return self.called(f"{name}.__init__")
        cls, _, method = name.rpartition(".")
        if self.class_named(cls) is None:
            return self._called_on_made(cls, method) if cls else None
        found = self.inheritance.method(cls, method)
        if found is None and method == "__call__":
            found = self.inheritance.method(cls, "forward")
        if found is None and method == autograd.APPLY and self.inheritance.kind(cls) == autograd.KIND:
            found = self.inheritance.method(cls, autograd.RUNS)
        return self._defined_as(found)

    def _called_on_made(self, maker: str, method: str) -> str | None:
        made = self.made(maker)
        if made is None and (made := self.made(part_name(maker, method))) is not None:
            method = "__call__"
        return self.called(f"{made}.{method}") if made in self.classes else None

    def made(self, name: str) -> str | None:
        """Return the full name of the class or function that a call by this name makes, if it is only one."""
        made = self.all_made(name)
        return made[0] if len(made) == 1 else None

    def all_made(self, name: str) -> list[str]:
        """Return the full names of the classes and functions that a call by this name may make, by whatever function.

        That of a class makes its objects.
        """
        return [*dict.fromkeys(self._all_made(name, MOST_MAKERS))]

    def _all_made(self, name: str, most: int) -> Iterator[str]:
        known = self.class_named(name)
        if known is not None:
            yield known.name
            return
        for made in made_first(self.canonical(name), self.makers) if most else ():
            if made.endswith(MADE):
                yield from self._all_made(made.removesuffix(MADE), most - 1)
            else:
                yield made

    def _defined_as(self, function: str | None) -> str | None:
        return function if function in self.functions else None

    def _defined(self, cls: str) -> str:
        """Return the name under which a class is defined."""
        known = self.class_named(cls)
        return cls if known is None else known.name
