"""Names that lead to something that an edit defines otherwise."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any

from synclint.lint.inference.linking.again.astray import Astray
from synclint.lint.inference.linking.again.nearby import Nearby
from synclint.lint.inference.linking.index.named import Named

PARTS = ("a", "b", "c")
NAMES = [".".join(parts) for length in (1, 2, 3) for parts in product(PARTS, repeat=length)]


class Index(Named):
    """Some functions and modules, and what modules import."""

    def __init__(self, functions: Iterable[str], exports: Mapping[str, str]) -> None:
        self.functions: Any = dict.fromkeys(functions)
        self.classes = self.constants = self.aliases = self.makers = {}
        self._exports = exports
        self.asked: list[str] = []
        super().__init__()

    def has(self, name: str) -> bool:
        self.asked.append(name)
        return super().has(name)

    def exported(self, name: str) -> str:
        return self._exports.get(name, "")

    def names_given(self) -> set[str]:
        return {*self._exports}


def edited(chance: random.Random) -> Iterator[Index]:
    """Yield an index, and the same one after an edit."""
    functions = {chance.choice(NAMES) + chance.choice(("", ":")) for _ in range(8)}
    exports = {chance.choice(NAMES): chance.choice(NAMES) for _ in range(4)}
    exports |= {f"{chance.choice(PARTS)}.*": " ".join(chance.sample(NAMES, 2)) for _ in range(2)}
    yield Index(functions, exports)
    functions = functions ^ {chance.choice(NAMES)}
    if chance.random() < 0.5:
        exports = {**exports, chance.choice([*exports]): chance.choice(NAMES)}
    yield Index(functions, exports)


def test_a_name_in_what_bears_the_name_of_its_module_is_followed_once() -> None:
    """`from .f import f` in a package `a` makes `a.f` of `a.f.f`; the function has no `x`, however far it is sought."""
    index = Index(["a.f.f"], {"a.f": "a.f.f"})
    assert index.canonical("a.f") == "a.f.f"
    assert index.canonical("a.f.x") == "a.f.f.x"
    assert index.asked == ["a.f", "a.f.f", "a.f.x", "a.f.f.x"]


def test_every_name_that_stands_for_something_else_is_found() -> None:
    chance = random.Random(7)
    otherwise = 0
    for _ in range(60):
        before, after = edited(chance)
        exports = {
            name for name in before.names_given() | after.names_given() if before.exported(name) != after.exported(name)
        }
        astray: Any = Astray(after, before.functions.keys() ^ after.functions.keys(), exports)  # type: ignore[arg-type]
        for name in NAMES:
            old, new = (index.canonical(name) for index in (before, after))
            if old != new or before.has(old) != after.has(new):
                otherwise += 1
                assert astray.leads(name), name
    assert otherwise > len(NAMES)


def test_only_names_that_begin_like_what_an_edit_reaches_are_followed() -> None:
    index = Index(["a.b.f", "a.c.f"], {"c.f": "a.b.f", "c.g": "a.c.f"})
    astray: Any = Astray(index, {"a.b.f"}, frozenset())  # type: ignore[arg-type]
    index.asked.clear()
    assert [name for name in ("c.f", "c.g", "a.c.f", "b.f") if astray.leads(name)] == ["c.f"]
    assert {*index.asked} <= {"c.f"}


def test_what_is_reached_through_a_module_that_imports_it_is_nearby() -> None:
    index: Any = Index(["a.b.f"], {"c.f": "a.b.f"})
    index.derived_from = lambda name: ()
    asked = ["a.b.f", "a.b.f()", "a.b.g", "c.f", "c.g", ("c", "f"), ("c", "g"), ("c.f", "g")]
    assert [asked[at] for at in Nearby(index, index, {"a.b.f"}).among(asked)] == [
        *("a.b.f", "a.b.f()", "c.f", ("c", "f"), ("c.f", "g"))
    ]
