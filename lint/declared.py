"""What is declared about functions that synclint does not know: in the configuration, or by a plugin."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from .rule import ends

Deed: TypeAlias = Literal["moves-to-device", "waits", "reads-arguments"]
DEFAULT_DEVICE: Final = "cpu"
"""Where tensors are made that are given no device, unless something is declared."""

DEEDS: Final[tuple[Deed, ...]] = ("moves-to-device", "waits", "reads-arguments")
CONFIGURATION: Final = "in the configuration"


@dataclass(frozen=True, slots=True)
class Fact:
    """What a function does, by its full name, and `where` that is declared.

    One that `moves-to-device` returns its first argument with the tensors in it on the GPU; one that `waits` makes the
    host wait whatever it is given; one that `reads-arguments` copies the tensors among its arguments to the host.
    """

    name: str
    does: Deed
    where: str = CONFIGURATION

    @property
    def last_name(self) -> str:
        """The last word of the name."""
        return self.name.rpartition(".")[2]

    @property
    def words(self) -> str:
        """The declaration in words: `declared in the configuration as moves-to-device`."""
        return f"declared {self.where} as {self.does}"


class Declared:
    """Facts by the names of functions; a name stands for every full name that ends with it, in whole words.

    `canonical` returns the name under which a function is defined that a module offers under another.
    """

    def __init__(self, facts: Iterable[Fact] = (), canonical: Callable[[str], str] = str) -> None:
        facts = tuple(facts)
        self._canonical = canonical
        facts += tuple(replace(each, name=canonical(each.name)) for each in facts)
        self.moves = {each.name: each for each in facts if each.does == "moves-to-device"}
        self.waits = {each.name: each for each in facts if each.does != "moves-to-device"}
        self._words = {each.last_name.encode() for each in facts}

    def move(self, name: str) -> Fact | None:
        """Return the fact that a function moves what it is given to the GPU, if that is declared."""
        return self._of(self.moves, name) if self.moves else None

    def wait(self, name: str) -> Fact | None:
        """Return the fact that a function waits, if that is declared."""
        return self._of(self.waits, name) if self.waits else None

    def mentioned(self, data: bytes) -> bool:
        """Whether one of the functions may be called in a file with these bytes."""
        return any(word in data for word in self._words)

    def _of(self, facts: dict[str, Fact], name: str) -> Fact | None:
        found = (facts[end] for full in (name, self._canonical(name)) for end in ends(full) if end in facts)
        return next(found, None)


def facts_of(names: Iterable[str], does: Deed, where: str = CONFIGURATION) -> Iterator[Fact]:
    """Yield that each of the functions does something."""
    for name in names:
        yield Fact(name, does, where)
