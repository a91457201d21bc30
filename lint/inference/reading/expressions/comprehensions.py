"""Reads comprehensions, and what iterating over a value yields."""

from __future__ import annotations

import ast
from collections.abc import Callable

from ...library import objects
from ...often.regions import Region, RegionKind
from ...values.containers import element
from ...values.union import UNKNOWN, Instance, Sequence, Value
from ..conditions import narrowing
from ..conditions.conditions import condition
from ..places.bindings import bind
from ..state.frame import Frame
from .one_item import holds_one


def list_comprehension(frame: Frame, node: ast.ListComp) -> Value:
    """Return `[… for …]`."""
    return _sequence(frame, node, "list")


def set_comprehension(frame: Frame, node: ast.SetComp) -> Value:
    """Return `{… for …}`."""
    return _sequence(frame, node, "set")


def generator(frame: Frame, node: ast.GeneratorExp) -> Value:
    """Return `(… for …)`."""
    return _sequence(frame, node, "iter")


def _sequence(frame: Frame, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, kind: str) -> Value:
    return in_comprehension(frame, node.generators, lambda: Sequence(kind, None, frame.eval(node.elt)))


def dict_comprehension(frame: Frame, node: ast.DictComp) -> Value:
    """Return `{…: … for …}`."""

    def make() -> Value:
        frame.eval(node.key)
        return Sequence("dict", None, frame.eval(node.value))

    return in_comprehension(frame, node.generators, make)


def in_comprehension(frame: Frame, generators: list[ast.comprehension], make: Callable[[], Value]) -> Value:
    """Evaluate in the scope of a comprehension, whose body repeats."""
    before, region = frame.env, frame.region
    frame.env = dict(before)
    for generator in generators:
        enter(frame, generator)
    value = make()
    frame.env, frame.region = before, region
    return value


def enter(frame: Frame, generator: ast.comprehension) -> None:
    """Bind the targets of one `for … in … if …` of a comprehension."""
    iterable = frame.eval(generator.iter)
    frame.region = Region(RegionKind.LOOP, frame.region, frame.because(generator.iter, "a comprehension repeats it"))
    frame.region.single = holds_one(frame, generator.iter, iterable)
    bind(frame, generator.target, elements(frame, iterable))
    for test in generator.ifs:
        condition(frame, test, "a comprehension's condition")
        narrowing.assume(frame, test, True)


def elements(frame: Frame, value: Value) -> Value:
    """Return what iterating over an evaluated expression yields."""
    if isinstance(value, Instance):
        found = objects.yielded_by(value, frame.file.inheritance.kind(value.cls))
        return frame.recorder.same(element(value) if found is UNKNOWN else found)
    return frame.recorder.same(element(value))
