"""Plain data as JSON and back."""

from __future__ import annotations

import enum
import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import pytest
from synclint.lint.run.file import File
from synclint.lint.run.project import check_file
from synclint.lint.run.told import analyses_store
from synclint.lint.store.encoding import Store, StoreError

PROGRAMS = sorted((Path(__file__).parents[1] / "inference/programs").glob("*.py"))


class Colour(enum.Enum):
    RED = "red"


@dataclass(frozen=True)
class Leaf:
    filename: str
    row: int
    is_big: bool = False
    constant: object = None


@dataclass(frozen=True, eq=False)
class Question:
    name: str
    about: tuple[object, ...] = ()


class Pair(NamedTuple):
    left: object
    right: object


@dataclass
class Tree:
    leaves: list[object] = field(default_factory=list)
    names: dict[str, object] = field(default_factory=dict)


@dataclass
class Shelf:
    label: Leaf
    books: list[object] = field(default_factory=list, metadata={"late": True})


class Nothing:
    pass


NOTHING = Nothing()
STORE = Store([Leaf, Question, Pair, Tree, Shelf, Colour], [NOTHING])

VALUES = [
    None,
    "text with \u2028 and \ud83d\ude00",
    0,
    True,
    (True, 1, 1.0, "1"),
    (float("inf"), -0.0, 1e300, 2j, b"\xff\0", ...),
    frozenset({"b", "a"}),
    Leaf("other.py", 3, True, Leaf("own.py", 4, constant=False)),
    Pair(Colour.RED, (Leaf("own.py", 1), Leaf("own.py", 1))),
    Tree([Leaf("own.py", 1), [], {}], {"a": None, "b": Tree()}),
]


def shown(value: object) -> str:
    """The `repr`, which tells True from 1; the order of a frozenset depends on how it was made and means nothing."""
    return re.sub(r"frozenset\(\{([^{}]*)\}\)", lambda found: str(sorted(found[1].split(", "))), repr(value))


def there_and_back(value: object, own: str = "own.py") -> object:
    return STORE.read(STORE.write(value, own), own)


@pytest.mark.parametrize("value", VALUES, ids=shown)
def test_what_is_read_is_what_was_written(value: object) -> None:
    assert shown(there_and_back(value)) == shown(value)


def test_a_single_object_stays_one() -> None:
    found = there_and_back((NOTHING, [NOTHING]))
    assert isinstance(found, tuple)
    assert found[0] is NOTHING
    assert found[1][0] is NOTHING


def test_questions_are_the_same_only_if_they_were_one_object() -> None:
    question = Question("x", (Leaf("own.py", 1),))
    found = there_and_back((question, Question("x", (Leaf("own.py", 1),)), question))
    assert isinstance(found, tuple)
    assert found[0] is found[2]
    assert found[0] is not found[1]
    assert found[0].about[0] is found[1].about[0]


def test_lists_that_are_equal_stay_two() -> None:
    found = there_and_back(Tree([[], []]))
    assert isinstance(found, Tree)
    assert found.leaves[0] is not found.leaves[1]


def test_the_file_may_have_another_name_when_it_is_read() -> None:
    text = STORE.write(Leaf("src/a.py", 1, constant=Leaf("b.py", 2)), "src/a.py")
    assert STORE.read(text, "a.py") == Leaf("a.py", 1, constant=Leaf("b.py", 2))


def test_what_is_not_of_the_classes_cannot_be_stored() -> None:
    with pytest.raises(StoreError, match="a set cannot be stored"):
        STORE.write(Tree([{1}]), "")


@pytest.mark.parametrize("text", ["", "{}", "[]", "[[99]]", "[[13,5]]", '[["x"]]', "[[13,0,0]", "7", "null", "[[0]]"])
def test_other_text_is_an_error(text: str) -> None:
    with pytest.raises(StoreError):
        STORE.read(text, "")


def test_damage_anywhere_is_an_error_or_plain_data() -> None:
    text = STORE.write(VALUES, "own.py")
    for at in range(0, len(text), 3):
        try:
            STORE.read(text[:at] + "9" + text[at + 1 :], "own.py")
        except StoreError:
            continue
        json.loads(text[:at] + "9" + text[at + 1 :])


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_analyses_can_be_stored(program: Path) -> None:
    checked = check_file(File(str(program), named=True))
    assert checked.summary is not None
    text = analyses_store().write(checked, str(program))
    again = analyses_store().read(text, str(program))
    assert analyses_store().write(again, str(program)) == text
    assert shown(again) == shown(checked)


def test_late_lists_are_decoded_when_they_are_asked_for() -> None:
    question = Question("is it shared?")
    early, late = STORE.write(Pair(question, Shelf(Leaf("a.py", 1), [question, Leaf("b.py", 2)])), "a.py").split("\n")
    assert '"b.py"' in late
    assert '"b.py"' not in early
    read = STORE.read(f"{early}\n{late}", "a.py")
    assert read.right.label == Leaf("a.py", 1)
    assert read.right.books == [read.left, Leaf("b.py", 2)]
    broken = STORE.read(f"{early}\n[3", "a.py")
    with pytest.raises(StoreError):
        list(broken.right.books)
