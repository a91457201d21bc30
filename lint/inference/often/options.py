"""Flags that are off by default: what they turn on runs only where somebody asks for it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from ...limits import MOST_FLAGS
from ...regex import regex
from .nested import statements
from .signature import defaults

SETTING: Final = regex(r"\b(\w+)\b[ \t]*(?::[^=\n,()]{0,80})?=(?!=)\s*([\w.]*)[ \t]*(.?)")
"""A default, an argument or an assignment: the name, the value if it is a plain one, and what follows.

Its annotation has a limit, since a text of colons would be searched to its end from each of them.
"""
ENDS: Final = frozenset(("", ",", ")", "]", "#"))
OPTION: Final = regex(r"add_argument\(([^()]{0,300})")
"""An option of a command line: its names come first."""
OFF: Final = regex(r"\bdefault\s*=\s*False\b")
SWITCH: Final = regex(r"\baction\s*=\s*[\"']store_true[\"']")
OPTION_NAME: Final = regex(r"[\"']--([\w-]+)[\"']")
FOR_GPUS: Final = regex(r"cuda|gpu")
"""Options that are set wherever waits matter."""


def flag_in(test: ast.expr, holds: bool) -> str | None:
    """Return the flag that must be set for a condition to hold, or not to: a name, or an attribute of `self`.

    The attribute of anything else, which may hold the options of a command line, begins with a dot: `.verbose`.
    """
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return flag_in(operand, not holds)
        case ast.BoolOp(op=op, values=parts) if isinstance(op, ast.And) is holds:
            return next(filter(None, (flag_in(part, holds) for part in parts)), None)
        case ast.Name(id=name) | ast.Attribute(value=ast.Name(id="self"), attr=name) if holds:
            return name
        case ast.Attribute(value=ast.Name() | ast.Attribute(value=ast.Name(id="self")), attr=name) if holds:
            return f".{name}"
    return None


def off_by_default(tree: ast.Module, text: str) -> frozenset[str]:
    """Return the flags that are off by default: see `flag_in`.

    Those are the parameters whose default is False, and that nothing in the file sets to anything else, and the options
    of its command line that are only on if they are given.
    What is set is looked up in the text, examples in docstrings included: to go through the whole tree takes long.
    """
    given = [each.args for each in statements(tree.body) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
    off = {name for each in given for name, default in defaults(each) if _is_false(default)}
    off |= set(_options(text))
    if len(off) > MOST_FLAGS:
        return frozenset()
    return frozenset(name for name in off if not _is_set(name.removeprefix("."), text))


def _options(text: str) -> Iterator[str]:
    """Yield the options of a command line that are off by default, as the attributes they become: `.add_noise`."""
    for found in OPTION.finditer(text) if "add_argument" in text else ():
        names = OPTION_NAME.findall(found[1])
        is_off = OFF.search(found[1]) or (SWITCH.search(found[1]) and "default" not in found[1])
        if names and is_off and not FOR_GPUS.search(names[0]):
            yield f".{names[0].replace('-', '_')}"


def _is_set(name: str, text: str) -> bool:
    """Whether the text sets the flag to anything but False or itself."""
    at = text.find(name)
    while at >= 0:
        found = SETTING.match(text, at)
        if found is not None and found[1] == name and not _hands_on(*found.groups()):
            return True
        at = text.find(name, at + len(name))
    return False


def _hands_on(name: str, value: str, then: str) -> bool:
    """Whether a flag is set to False, or only handed on under its own name; `then` follows the value in its line."""
    return value.rpartition(".")[2] in ("False", name) and then in ENDS


def _is_false(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is False
