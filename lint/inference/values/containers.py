"""The values obtained by indexing, iterating over and unpacking a value."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Final

from ...facts.attributes import TEXTS_OF_BATCHES
from .joining import any_item, join_all
from .lattice import ANY_RANK, ARRAY, BOOL, INT, SCALAR, UINT8, rank_flags, ranks_in, shifted
from .module_lists import as_module, contents, with_contents
from .ops import Op
from .suggestion import at_key
from .tensors import broadcast_rank, is_whole
from .union import PACKED, UNKNOWN, Batch, Deferred, Host, Instance, OneOf, Sequence, Tensor, Value, defer, is_none

_SINGLE: Final = frozenset(("NoneType", "int", "float", "bool"))


def spread(indices: tuple[Value, ...]) -> tuple[Value, ...]:
    """Return the indices of a subscript, one per dimension; a tuple bound to a name is several."""
    match indices:
        case (Sequence("tuple", tuple(items)),) if items:
            return items
    return indices


def _names_text(key: Value) -> bool:
    """Whether an item of a batch is a text, or are several, by its key."""
    return isinstance(key, Host) and isinstance(key.constant, str) and key.constant in TEXTS_OF_BATCHES


def as_one(indices: tuple[Value, ...]) -> Value:
    """Return what an object's method is given for the indices of a subscript: several are a tuple."""
    return indices[0] if len(indices) == 1 else Sequence("tuple", indices)


def index(base: Value, indices: tuple[Value, ...]) -> Value:
    """Return the result of `base[indices]`."""
    match base:
        case Tensor():
            return _index_dict(base, indices) if is_text(indices[0]) else _index_tensor(base, indices)
        case Batch():
            return Host("object") if _names_text(indices[0]) else base
        case Host("ndarray"):
            kept = any(isinstance(i, Sequence | Tensor) or i == base for i in indices)
            return base if kept else Host("object")
        case Host("Size"):
            return Host("int") if not isinstance(indices[0], Sequence) else base
        case Host("str"):
            return Host("str")
        case Host("NoneType"):
            return UNKNOWN
        case Host():
            return Host("object") if (found := at_key(indices[0])) is UNKNOWN else found
        case Sequence():
            return _index_sequence(base, indices)
        case Deferred():
            return defer(Op.INDEX, "", (base, *indices))
        case OneOf():
            return join_all(index(option, indices) for option in _with_item(base.options, indices))
        case Instance():
            return _index_object(base, indices)
    return at_key(indices[0])


def is_text(value: Value) -> bool:
    """Whether the index is a string, by which only dictionaries and their like are indexed, and no tensor is."""
    return isinstance(value, Host) and value.kind == "str"


def is_slice(value: Value) -> bool:
    """Whether the index is a slice, which keeps its dimension."""
    return isinstance(value, Sequence) and value.kind == "slice"


def _index_dict(base: Tensor, indices: tuple[Value, ...]) -> Value:
    """Return the item of what is annotated as a tensor, and indexed by a string: it is a dict."""
    declared = base.device.like
    return index(declared, indices) if isinstance(declared, Deferred) else at_key(indices[0])


def _index_tensor(base: Tensor, indices: tuple[Value, ...]) -> Tensor:
    return Tensor(base.device, base.dtype, _indexed_rank(base.rank, indices), base.memory, pending=base.pending)


def _indexed_rank(rank: int, indices: tuple[Value, ...]) -> int:
    """Return the rank of a subscript: integers remove dimensions, None adds one, slices keep them."""
    others = [i for i in indices if not (is_position(i) or is_slice(i) or is_none(i) or i == Host("ellipsis", ...))]
    if not all(map(_is_integers, others)):
        return ARRAY if any(map(_keeps_one, indices)) else ANY_RANK
    taken = sum(map(is_position, indices)) + len(others)
    enough = rank & ~(rank_flags(taken + sum(map(is_slice, indices))) - 1) or ANY_RANK
    made = ranks_in(broadcast_rank(others))
    return reduce(or_, (shifted(enough, sum(map(is_none, indices)) + each - taken) for each in made))


def _is_integers(index: Value) -> bool:
    """Whether the index is an integer tensor, whose shape replaces the indexed dimensions."""
    return isinstance(index, Tensor) and index.dtype == INT


def is_position(value: Value) -> bool:
    """Whether the index is a single number, which removes a dimension."""
    if isinstance(value, Tensor):
        return value.rank == SCALAR and not value.dtype & (BOOL | UINT8)
    return is_whole(value)


def _keeps_one(index: Value) -> bool:
    """Whether the result has at least the dimension of this index."""
    if isinstance(index, Tensor):
        return not index.rank & SCALAR or index.dtype == BOOL
    return is_slice(index) or is_none(index)


def _index_object(base: Instance, indices: tuple[Value, ...]) -> Value:
    """Return what an object's method gives; of a container, a module by its number or name, or a part of it."""
    at, held = indices[0], contents(base)
    if held is None:
        return defer(Op.CALL, f"{base.cls}.__getitem__", (base, as_one(indices)))
    if is_slice(at):
        return with_contents(base, Sequence("list", None, any_item(held)))
    constant = at.constant if isinstance(at, Host) else ...
    if held.kind == "list":
        found = _item_at(held, constant)
    else:
        found = held.items[held.keys.index(constant)] if held.items and constant in held.keys else None
    return as_module(any_item(held) if found is None else found, base)


def _index_sequence(base: Sequence, indices: tuple[Value, ...]) -> Value:
    (first, *_) = indices
    if is_slice(first):
        return Sequence(base.kind, None, any_item(base))
    if _is_extra(base) and is_whole(first):
        return defer(Op.INDEX, "", (base, *indices))
    if isinstance(first, Host) and first.constant is not ...:
        if base.kind == "dict" and base.keys and base.items is not None:
            if first.constant in base.keys:
                return base.items[base.keys.index(first.constant)]
            return at_key(first) if base.element is UNKNOWN else base.element
        if base.kind in ("list", "tuple", PACKED) and (item := _item_at(base, first.constant)) is not None:
            return item
    return item_at_key(base, first)


def item_at_key(base: Sequence, key: Value) -> Value:
    """Return an item of a container that may hold anything; where it is not known what, what its key suggests."""
    found = any_item(base)
    if found is not UNKNOWN and not isinstance(found, Deferred):
        return found
    return found if (by_name := at_key(key)) is UNKNOWN else by_name


def _item_at(base: Sequence, at: object) -> Value | None:
    """Return the item at a constant index, if all items are known."""
    if base.items is None or not isinstance(at, int) or not -len(base.items) <= at < len(base.items):
        return None
    return base.items[at]


def element(value: Value) -> Value:
    """Return what iterating over a value yields."""
    match value:
        case Tensor():
            return Tensor(value.device, value.dtype, shifted(value.rank, -1), value.memory)
        case Batch():
            return value
        case Sequence():
            return key_of(value) if value.kind == "dict" else any_item(value)
        case Host("range" | "Size"):
            return Host("int")
        case Host("str"):
            return Host("str")
        case Host():
            return Host("object")
        case Deferred():
            return defer(Op.ELEMENT, "", (value,))
        case Instance() if (held := contents(value)) is not None:
            return key_of(held) if held.kind == "dict" else as_module(any_item(held), value)
        case Instance():
            return defer(Op.ELEMENT, value.cls, (value,))
        case OneOf():
            return join_all(element(option) for option in value.options if not _is_single(option))
    return UNKNOWN


def key_of(value: Sequence) -> Value:
    """Return what the keys of a dict are: of the kinds that are seen, or else most likely texts."""
    return join_all(Host(type(each).__name__) for each in value.keys) if value.keys else Host("str")


def _is_single(value: Value) -> bool:
    """Whether the value is certainly None or a number, which nobody iterates over or unpacks."""
    return isinstance(value, Host) and value.kind in _SINGLE


def unpack(value: Value, count: int, star: int | None = None) -> list[Value]:
    """Return what `a, b = value` binds; `star` is the position of the starred name."""
    known = _items(value)
    if known is not None and len(known) >= count and star is None:
        return list(known[:count])
    if isinstance(value, Deferred) or (star is None and _is_extra(value)):
        return [defer(Op.ITEM, f"{at}/{count}", (value,)) for at in range(count)]
    if isinstance(value, OneOf):
        fitting = [each for each in value.options if (items := _items(each)) is None or len(items) == count]
        options = value.options if star is not None or not fitting else fitting
        columns = [unpack(option, count, star) for option in options if not _is_single(option)]
        return [join_all(column[at] for column in columns) for at in range(count)]
    each = element(value)
    return [Sequence("list", None, each) if at == star else each for at in range(count)]


def _is_extra(value: Value) -> bool:
    """Whether a value is what `*args` holds, whose items are open questions, each its own: they need not be alike."""
    match value:
        case Sequence(kind="tuple", items=None, element=Deferred(Op.PARAMETER)):
            return True
    return False


def _items(value: Value) -> tuple[Value, ...] | None:
    """Return what a list or tuple consists of, if that is known."""
    return value.items if isinstance(value, Sequence) and value.kind != "dict" else None


def _with_item(options: tuple[Value, ...], indices: tuple[Value, ...]) -> list[Value]:
    """Return the alternatives that have an item at an index: others would raise."""
    some = [option for option in options if not is_none(option)]
    at = indices[0].constant if len(indices) == 1 and isinstance(indices[0], Host) else ...
    if not isinstance(at, int):
        return some
    return [each for each in some if (items := _items(each)) is None or -len(items) <= at < len(items)] or some


def united(left: Value, right: Value) -> Sequence | None:
    """Return the dict with the items of both, `left | right`; None unless one of them is a dict, and the other may be.

    Where both have a key, the item of the second counts.
    """
    if not (_is_dict(left) or _is_dict(right)) or not (_may_be_dict(left) and _may_be_dict(right)):
        return None
    (first, rest), (second, others) = _record(left), _record(right)
    items = {key: item if others is None else join_all((item, others)) for key, item in first.items()} | second
    under_others = [each for each in (rest, others) if each is not None]
    if under_others and not items:
        return Sequence("dict", None, join_all(under_others))
    return Sequence("dict", tuple(items.values()), join_all(under_others), tuple(items))


def _is_dict(value: Value) -> bool:
    return isinstance(value, Sequence) and value.kind == "dict"


def _may_be_dict(value: Value) -> bool:
    return value is UNKNOWN or isinstance(value, Batch) or value == Host("object") or _is_dict(value)


def _record(value: Value) -> tuple[dict[object, Value], Value | None]:
    """Return the items of a dict by their keys, and what it holds under others; None if it has no others."""
    if not isinstance(value, Sequence):
        return {}, value
    if value.items is None or len(value.keys) != len(value.items):
        return {}, any_item(value)
    return dict(zip(value.keys, value.items)), None if value.element is UNKNOWN else value.element
