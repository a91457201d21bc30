"""Environments: what each name holds at a point of a function, with branches, loops and their joins. Knows no torch.

An environment also holds attributes and items that were bound or narrowed, by the key that `path` returns.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from enum import Enum

from ....limits import MOST_KEY
from ...values.joining import join
from ...values.union import Function, Value

Names = dict[str, Value]
LAMBDA = "<lambda"
"""How the last part of a lambda's full name begins."""


class Hidden(str, Enum):
    """What an environment holds beside the program's names, so that branches join it as well.

    `STAR` is the module whose names a star import binds, as `imported` calls it.
    """

    STAR = "*"
    DEFAULT_DEVICE = "<default device>"


@dataclass(slots=True)
class Loop:
    """The environments that leave a loop's body early, and all those that reach its next pass.

    `targets` are the names that the loop itself binds, `items` what `x[k] = …` binds for names `x` and `k`; `depends`:
    each pass hangs on the one before, as in a `while` loop.
    """

    body: list[ast.stmt] = field(default_factory=list)
    targets: frozenset[str] = frozenset()
    depends: bool = False
    breaks: list[Names] = field(default_factory=list)
    continues: list[Names] = field(default_factory=list)
    ends: list[Names] = field(default_factory=list)
    items: dict[tuple[str, str], Value] = field(default_factory=dict)


def merged(environments: list[Names], differing: list[str] | None = None) -> Names | None:
    """Return the environment where several paths meet; None if none arrives.

    `differing` is filled with the names that have another value on each.
    """
    if not environments:
        return None
    first, *rest = environments
    for other in rest:
        first = _merge(first, other, [] if differing is None else differing)
    return first


def _merge(a: Names, b: Names, differing: list[str]) -> Names:
    if a is b:
        return a
    result = dict(a)
    for name, value in b.items():
        if (known := a.get(name)) is not value:
            result[name] = value if known is None else join(known, value)
            if known is not None:
                differing.append(name)
    return result


def grown(before: Names, after: Names) -> bool:
    """Whether a name bound before a loop's body has another value after it: the body must be read again."""
    return any(after.get(name, value) != value for name, value in before.items() if after.get(name) is not value)


def is_lambda(value: Value) -> bool:
    """Whether a value is a lambda of the file."""
    return isinstance(value, Function) and f".{LAMBDA}" in value.name


def path(node: ast.expr) -> str | None:
    """Return the key of an attribute or item that an environment can hold, like `self.x` or `batch['y']`, or None."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = path(node.value)
        return f"{base}.{node.attr}" if base else None
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        base = path(node.value)
        return f"{base}[{node.slice.value!r:.{MOST_KEY}}]" if base and isinstance(node.slice.value, str | int) else None
    return None


def root(key: str) -> str:
    """Return the name that a key begins with: `batch` of `batch['y'].z`."""
    return key.partition(".")[0].partition("[")[0]


def forget(environment: Names, name: str) -> None:
    """Drop what is known about the attributes and items of a name that is rebound."""
    inside = (f"{name}.", f"{name}[")
    for key in [key for key in environment if key.startswith(inside)]:
        del environment[key]
