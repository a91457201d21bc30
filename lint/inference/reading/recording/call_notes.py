"""Records what a call means for rules: conversions, comparisons, the calls that they look at."""

from __future__ import annotations

import ast

from ....facts import library_waits
from ....facts.host import HOST_LIBRARIES, INDEX_FUNCTION, NUMBER_BUILTINS, NUMBER_MODULES, TEXT_BUILTINS
from ....facts.logging_frameworks import LOG_METHODS, SHOWN
from ....facts.torch_ops import TENSOR_MAKERS
from ...notes.operations import Call, Compare, Pass, Truth, of_anything
from ...values.arguments import Arguments, Keywords
from ...values.certainty import can_wait
from ...values.containers import element
from ...values.ops import Op
from ...values.union import UNKNOWN, Deferred, Host, Module, Value
from ..state.frame import Frame
from ..state.scope import path
from .batch_moves import before_move
from .conversions import convert
from .handed import note_handed, note_passed_functions
from .methods_run import BUILTINS, note_special
from .signature_notes import note_numbers, note_signature


def note_function(frame: Frame, node: ast.Call, name: str, arguments: Arguments) -> None:
    """Record what a call of a library function means for its arguments."""
    root, _, last = name.rpartition(".")
    if not root:
        note_builtin(frame, node, name, arguments)
    elif root in NUMBER_MODULES or name == INDEX_FUNCTION:
        for argument, value in zip(node.args, arguments.positional):
            convert(frame, argument, value, "index" if name == INDEX_FUNCTION else "float", f"{name}()")
    elif (is_watched := frame.file.watched.have(name)) or root.startswith("torch"):
        if is_watched:
            note_watched_function(frame, node, name, arguments)
        if last in TENSOR_MAKERS and node.args:
            note_numbers(frame, node.args[0], arguments.positional[0], f"`{last}`")
        note_signature(frame, node, name, arguments)
    elif root == "logging" and last in LOG_METHODS:
        note_text(frame, node, arguments.positional, "logging")
    note_handed(frame, node, name, arguments)
    if root.partition(".")[0] not in HOST_LIBRARIES:
        note_passed_functions(frame, arguments, name)


def note_builtin(frame: Frame, node: ast.Call, name: str, arguments: Arguments) -> None:
    """Record what a builtin needs of its arguments: numbers, text, comparisons, truth values."""
    values = arguments.positional
    if name in BUILTINS and values:
        note_special(frame, BUILTINS[name], values[0])
    if name == "next":
        note_taken(frame, node, values)
    if name in NUMBER_BUILTINS and len(values) == 1:
        convert(frame, node, values[0], name, f"{name}()")
    elif name in TEXT_BUILTINS:
        note_text(frame, node, values, f"{name}()")
    elif name == "range":
        for argument, value in zip(node.args, values):
            convert(frame, argument, value, "index", "range()")
    elif name in ("max", "min", "sorted") and values and "key" not in arguments.keywords:
        note_comparisons(frame, node, name, values)
    elif name in ("any", "all") and len(values) == 1:
        note_any(frame, node, name, values[0])


def note_taken(frame: Frame, node: ast.Call, values: tuple[Value, ...]) -> None:
    """Record that a batch may be taken by hand, for how often a framework moves those of a loader.

    Who takes one of an iterator just made, `next(iter(loader))`, has a look at it, and will go through all of them.
    """
    if node.args and not isinstance(node.args[0], ast.Call):
        frame.emit(Pass, node, value=values[0])
        match values[0]:
            case Deferred(Op.CALL, generator):
                frame.recorder.taken.setdefault((generator, frame.scope), frame.region)


def note_text(frame: Frame, node: ast.Call, values: tuple[Value, ...], by: str) -> None:
    """Record that these values are formatted as text."""
    for argument, value in zip(node.args[-len(values) :] if values else [], values):
        convert(frame, argument, value, "str", by)


def note_comparisons(frame: Frame, node: ast.Call, name: str, values: tuple[Value, ...]) -> None:
    """Record that `max(a, b)` and `sorted(items)` compare tensors with each other."""
    compared = tuple(element(value) for value in values) if len(values) == 1 else values
    if any(can_wait(value) for value in compared):
        frame.emit(Compare, node, values=compared, by=name, many=len(values) == 1)


def note_any(frame: Frame, node: ast.Call, name: str, value: Value) -> None:
    """Record that `any(items)` and `all(items)` need the truth value of each item."""
    each = element(value)
    if can_wait(each):
        frame.emit(Truth, node, value=each, how=f"{name}()")


def note_watched_function(frame: Frame, node: ast.Call, name: str, arguments: Arguments) -> None:
    """Record a function of a library, or a method of something that another file of the project binds to a name."""
    base, _, last = name.rpartition(".")
    if base.startswith(("torch", "numpy")) or "." not in base or name in library_waits.ROWS:
        note_watched(frame, node, name, None, arguments)
    else:
        note_watched(frame, node, of_anything(last), Module(base), arguments)


def note_watched(frame: Frame, node: ast.Call, name: str, receiver: Value | None, arguments: Arguments) -> None:
    """Record a call that rules look at."""
    used = not (isinstance(frame.statement, ast.Expr) and frame.statement.value is node)
    frame.emit(
        Call,
        node,
        name=name,
        receiver=receiver if receiver is None else before_move(frame, node, name, receiver),
        positional=arguments.positional,
        keywords=tuple(arguments.keywords.items()),
        used=used,
    )


def note_host_method(
    frame: Frame, node: ast.Call, callee: Value, positional: tuple[Value, ...], keywords: Keywords
) -> None:
    """Record a method that formats text: `"{}".format(value)`, `logger.info("%s", value)`, `bar.set_postfix(a=value)`.

    What a bar wraps may be anything.
    """
    match node.func:
        case ast.Attribute(attr="format") if callee is not UNKNOWN:
            note_text(frame, node, positional, "str.format()")
        case ast.Attribute(attr=name) if name in SHOWN:
            note_watched(frame, node, f"tqdm.tqdm.{name}", None, Arguments(None, positional, keywords))
        case ast.Attribute(value=owner, attr=name) if name in LOG_METHODS and "log" in (path(owner) or ""):
            note_text(frame, node, positional, "logging")


def note_made(frame: Frame, node: ast.Call, first: int) -> None:
    """Complete what was recorded of a call: the calls from one on, by its number, that linking may follow."""
    if frame.recorder.calls[first:] and spreads(node):
        frame.recorder.mark_spread(first)


def spreads(node: ast.Call) -> bool:
    """Whether a call may give more than is written: `*items`, `**items`."""
    return ast.Starred in map(type, node.args) or any(each.arg is None for each in node.keywords)


def without_spread(node: ast.Call, positional: tuple[Value, ...]) -> tuple[Value, ...]:
    """Return the arguments of a library function; `*sizes` is any number of sizes, which says nothing about a rank."""
    if ast.Starred not in map(type, node.args):
        return positional
    pairs = zip(node.args, positional)
    spread = (isinstance(each, ast.Starred) and isinstance(value, Host | Deferred) for each, value in pairs)
    return tuple(UNKNOWN if is_spread else value for is_spread, value in zip(spread, positional))
