"""Records the options that a file adds to a command line, as attributes of what parsing it returns, and their use."""

from __future__ import annotations

import ast

from ....facts.command_lines import OPTIONS
from ...library.command_lines import declared, default_of, defaults
from ...values.arguments import Arguments, Keywords
from ...values.ops import Op
from ...values.union import Host, Instance, Value, defer, options_of
from ..state.frame import Frame


def note_options(frame: Frame, method: str, arguments: Arguments) -> None:
    """Record what a method of a parser tells about options; a parser that is passed in belongs to this file, too."""
    if method == "add_argument":
        option = declared(arguments)
        found = [] if option is None else [option]
        if option is not None and (default := default_of(arguments)) is not None:
            frame.file.summary.options.setdefault(option[0], []).append(default)
    elif method == "set_defaults":
        found = defaults(arguments)
    else:
        return
    for name, value in found:
        frame.file.set_attribute(Instance(frame.file.options()), name, value)


def options_asked(
    frame: Frame, node: ast.Call, positional: tuple[Value, ...], keywords: Keywords
) -> tuple[tuple[Value, ...], Keywords]:
    """Return the arguments of a call, an option as a question for it: what it is by default then decides conditions."""
    if not frame.file.summary.options or len(node.args) > len(positional):
        return positional, keywords
    before = len(positional) - len(node.args)
    asked = [_asked(frame, each, value) for each, value in zip(node.args, positional[before:], strict=True)]
    given = {each.arg: each.value for each in node.keywords}
    named = tuple((name, _asked(frame, given[name], value) if name in given else value) for name, value in keywords)
    return (*positional[:before], *asked), named


def _asked(frame: Frame, node: ast.expr, value: Value) -> Value:
    match node:
        case ast.Attribute(value=ast.Name(id=holder), attr=name):
            held = frame.env.get(holder)
            if isinstance(held, Instance) and held.cls.endswith(OPTIONS):
                is_plain = all(isinstance(each, Host) for each in options_of(value))
                return defer(Op.ATTRIBUTE, name, (held,)) if is_plain else value
    return value
