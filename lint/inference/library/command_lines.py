"""The options of command lines as values: what `add_argument` declares, and where `parse_args` keeps it."""

from __future__ import annotations

from types import NoneType
from typing import TypeGuard

from ...facts.command_lines import ADDERS, FLAGS, LISTS, OPTIONS, PARSER, PARSING, PARSING_KNOWN, SWITCHES
from ..values.arguments import Arguments
from ..values.certainty import OBJECT
from ..values.joining import join, join_all
from ..values.lattice import OPEN
from ..values.suggestion import suggested
from ..values.union import NONE, UNKNOWN, Class, DeviceRef, Function, Host, Instance, Module, Sequence, Value

NUMBERS = frozenset(("int", "float", "complex"))
SIMPLE = NUMBERS | {"bool", "str"}
"""Types of options that are kinds of host values."""


def parser(options: str) -> Instance:
    """Return a parser whose options become attributes of the class with that name."""
    return Instance(PARSER, (("options", Class(options)),))


def of_parser(value: Instance, method: str) -> Value:
    """Return the result of a method of a parser, of a group of its options or of a parser below it."""
    if method in ADDERS:
        return value
    if method not in PARSING and method not in PARSING_KNOWN:
        return OBJECT
    options = value.argument("options")
    parsed = Instance(options.name if isinstance(options, Class) else OPTIONS)
    return Sequence("tuple", (parsed, Sequence("list", None, Host("str")))) if method in PARSING_KNOWN else parsed


def of_options(name: str) -> Value:
    """Return an option of which nothing but its name is known."""
    found = suggested(name)
    return OBJECT if found is UNKNOWN else found


def declared(arguments: Arguments) -> tuple[str, Value] | None:
    """Return the attribute that `add_argument` declares, and what it may be; None if its name is computed."""
    name = _destination(arguments)
    if name is None:
        return None
    value = _given(arguments)
    default = arguments.keywords.get("default")
    if default is not None:
        return name, value if _is_one_of(default, value) else join(value, _any(default))
    first = arguments.positional[0] if arguments.positional else None
    is_needed = isinstance(first, Host) and not str(first.constant).startswith("-")
    is_bool = value == Host("bool") or arguments.keywords.get("required") == Host("bool", True)
    return name, value if is_needed or is_bool else join(value, NONE)


def is_plain(value: Value) -> TypeGuard[Host]:
    """Whether a value is a constant that settings may have: a number, a text, None."""
    return isinstance(value, Host) and isinstance(value.constant, bool | int | float | str | NoneType)


def default_of(arguments: Arguments) -> Host | None:
    """Return the constant that an option is if it is not given; None if it has to be given, or is computed."""
    default = arguments.keywords.get("default")
    if default is not None:
        return default if is_plain(default) else None
    action = arguments.keywords.get("action")
    does = action.constant if isinstance(action, Host) else None
    if does in SWITCHES:
        return Host("bool", SWITCHES[does])
    first = arguments.positional[0] if arguments.positional else None
    is_given = arguments.keywords.get("required") == Host("bool", True) or not isinstance(first, Host)
    is_given = is_given or not str(getattr(first, "constant", "")).startswith("-")
    return None if is_given or _last_name(action) else NONE


def defaults(arguments: Arguments) -> list[tuple[str, Value]]:
    """Return the attributes that `set_defaults` gives values to."""
    return [(name, _any(value)) for name, value in arguments.keywords.items()]


def _destination(arguments: Arguments) -> str | None:
    """Return the name of an option's attribute: `dest=`, else its first long name, else its first name."""
    given = arguments.keywords.get("dest")
    names = [each.constant for each in (arguments.positional if given is None else (given,)) if isinstance(each, Host)]
    texts = [each for each in names if isinstance(each, str)]
    chosen = next((each for each in texts if each.startswith("--")), texts[0] if texts else "")
    return chosen.lstrip("-").replace("-", "_") or None


def _given(arguments: Arguments) -> Value:
    """Return what an option is if it is given."""
    action = arguments.keywords.get("action")
    does = action.constant if isinstance(action, Host) else None
    if does in FLAGS or _last_name(action) == "BooleanOptionalAction":
        return Host("bool")
    if does == "count":
        return Host("int")
    if does == "store_const":
        return _any(arguments.keywords.get("const", NONE))
    one = _typed(arguments)
    if does in LISTS or _takes_several(arguments.keywords.get("nargs")):
        return Sequence("list", None, one)
    return one if action is None or does == "store" else OBJECT


def _typed(arguments: Arguments) -> Value:
    """Return what one value of an option is converted to."""
    kind = _last_name(arguments.keywords.get("type", Function("str")))
    if kind == "device":
        return DeviceRef(OPEN)
    return Host(kind) if kind in SIMPLE else OBJECT


def _last_name(value: Value | None) -> str:
    return value.name.rpartition(".")[2] if isinstance(value, Function | Class | Module) else ""


def _takes_several(count: Value | None) -> bool:
    return isinstance(count, Host) and (count.kind == "int" or count.constant in ("+", "*"))


def _any(default: Value) -> Value:
    """Return what an option with this default may be, since others are chosen."""
    match default:
        case Host("NoneType") | DeviceRef() | Function():
            return default
        case Host(kind):
            return Host(kind)
        case Sequence(kind="list" | "tuple", items=tuple(items)):
            return Sequence("list", None, join_all(map(_any, items)))
    return OBJECT


def _is_one_of(default: Value, value: Value) -> bool:
    """Whether the default is converted to what the option is, or stands for it: text is, and 1 for a float is meant."""
    if not isinstance(default, Host) or default.kind == "NoneType":
        return False
    if isinstance(value, Host):
        return default.kind in ("str", "object") or {default.kind, value.kind} <= NUMBERS
    return default.kind in ("str", "object")
