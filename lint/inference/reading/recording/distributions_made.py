"""Records what a program's own distributions have of torch's: constructors that validate, methods that do."""

from __future__ import annotations

import ast

from ....facts import distributions, libraries
from ...library.own_distributions import as_of_torch
from ...library.world import Program
from ...values.arguments import Arguments
from ...values.union import AS_PARENT, Instance, Value
from ..state.frame import Frame
from .call_notes import note_watched, spreads

INIT = "__init__"


def note_own_made(frame: Frame, node: ast.Call, cls: str, arguments: Arguments, program: Program) -> None:
    """Record that an object of the file's class is made; if the constructor is torch's, that runs."""
    if program.kind(cls) == distributions.KIND and frame.file.inheritance.method(cls, INIT) is None:
        note_watched(frame, node, program.library_base(cls), None, arguments)


def note_parent_made(frame: Frame, node: ast.Call, method: str, cls: str, arguments: Arguments) -> None:
    """Record that a constructor runs that of torch's class: `super().__init__(loc, scale)`."""
    if method == INIT and libraries.class_kind(cls) == distributions.KIND and not spreads(node):
        note_watched(frame, node, cls, None, arguments)


def as_inherited(frame: Frame, receiver: Value, program: Program) -> Value:
    """Return what a method is called on as torch's method sees it."""
    match receiver:
        case Instance(cls, given) if given == AS_PARENT and libraries.class_kind(cls) == distributions.KIND:
            return as_of_torch(Instance(frame.cls, AS_PARENT), program)
    return as_of_torch(receiver, program)
