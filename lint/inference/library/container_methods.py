"""The results of methods of lists, tuples, dicts and batches, and the items that they add."""

from __future__ import annotations

from ...facts.attributes import MOVES
from ..values.arguments import Arguments
from ..values.containers import element, is_slice, item_at_key, key_of
from ..values.joining import any_item, join_all
from ..values.suggestion import at_key
from ..values.union import NONE, PACKED, UNKNOWN, Batch, Deferred, Host, Sequence, Value, options_of
from .named_tuples import replaced
from .packing import moved


def of_sequence(value: Sequence, name: str, arguments: Arguments) -> Value:
    """Return the result of a list, tuple or dict method."""
    each = any_item(value)
    if value.kind == "dict":
        match name:
            case "items":
                return Sequence("iter", None, Sequence("tuple", (key_of(value), each)))
            case "values":
                return Sequence("iter", None, each)
            case "keys":
                return Sequence("iter", None, key_of(value))
            case "get" | "pop" | "setdefault":
                return _item_of_dict(value, arguments)
            case "copy":
                return value
    if name == "copy":
        return value
    if value.kind == PACKED and name in MOVES:
        return moved(value, name, arguments)
    if name == "_replace":
        return replaced(value, tuple(arguments.keywords.items()))
    if name in ("pop", "popleft"):
        return each
    return Host("int") if name in ("index", "count") else NONE if name in ("append", "extend") else UNKNOWN


def _item_of_dict(value: Sequence, arguments: Arguments) -> Value:
    match arguments.positional:
        case (Host("str", str() as key), *_) if value.items is not None and key in value.keys:
            return value.items[value.keys.index(key)]
        case (Host("str", str()) as key, *default) if value.keys and value.element is UNKNOWN:
            return join_all([at_key(key), *default])
        case (key, *_) if any_item(value) is UNKNOWN and (named := at_key(key)) is not UNKNOWN:
            return named
        case (key, *default):
            return join_all([item_at_key(value, key), *default])
    return any_item(value)


def added_to(value: Sequence, name: str, arguments: Arguments) -> Sequence | None:
    """Return the list after `append`, `extend`, `insert`, `add` or `update`; None if the method adds nothing."""
    if name in ("append", "add", "appendleft") and arguments.positional:
        new = arguments.positional[0]
    elif name == "insert" and len(arguments.positional) > 1:
        new = arguments.positional[1]
    elif name in ("extend", "update") and arguments.positional and value.kind != "dict":
        new = element(arguments.positional[0])
    else:
        return None
    return with_one_more(value, new)


def with_one_more(value: Sequence, new: Value) -> Sequence:
    """Return the container after one of its items, no matter which, is set or added."""
    known = [any_item(value)] if value.items is None or value.items else []
    return Sequence(value.kind, None, join_all([*known, new]))


def with_item(value: Sequence, at: Value, new: Value) -> Sequence | None:
    """Return the list or dict after `value[at] = new`; None if that tells nothing about the others.

    The value of a name in a dict is of its own kind, so it tells nothing about the values of other names.
    """
    if value.kind == "dict" and isinstance(at, Host) and isinstance(at.constant, str):
        if value.items is None and value.element is UNKNOWN:
            return None
        items = {**dict(zip(value.keys, value.items or ())), at.constant: new}
        return Sequence("dict", tuple(items.values()), value.element, tuple(items))
    index = at.constant if isinstance(at, Host) and value.kind == "list" else None
    if value.items is not None and type(index) is int and 0 <= index < len(value.items):
        return Sequence("list", (*value.items[:index], new, *value.items[index + 1 :]))
    if value.kind == "list" or (value.kind == "dict" and _is_map(value)):
        return with_one_more(value, element(new) if is_slice(at) else new)
    return None


def _is_map(value: Sequence) -> bool:
    """Whether the dict holds one kind of value, as far as known, under any keys."""
    options = options_of(value.element)
    return not value.items and (
        value.items is not None or not any(each is UNKNOWN or isinstance(each, Deferred) for each in options)
    )


def of_batch(value: Batch, name: str) -> Value:
    """Return the result of a dict method on a batch."""
    match name:
        case "items":
            return Sequence("iter", None, Sequence("tuple", (Host("str"), value)))
        case "values":
            return Sequence("iter", None, value)
        case "keys":
            return Sequence("iter", None, Host("str"))
        case "update" | "clear":
            return NONE
    return value


def item_of(attribute: str, key: str) -> str:
    """Return the name of the item that the dict in an attribute holds under a key, which is bound like an attribute."""
    return f"{attribute}[{key!r}]"
