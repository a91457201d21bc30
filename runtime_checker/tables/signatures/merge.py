"""Merges the overloads of one function into one row: its result, its device, its parameters.

Overloads disagree on what is at a position (`max(x, dim)` and `max(x, other)`), so a position holds alternatives,
written `dim:i?/other:t?`. They disagree on results too: `tensor/tuple:2@dim` is a tensor, or a pair when `dim` is
given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .sources import Item, Overload, in_order

# torch's deprecated overloads put these, now keyword-only, before the tensors.
_FORMERLY_POSITIONAL = frozenset({"alpha", "beta", "value"})


def current(overloads: Sequence[Overload]) -> tuple[Overload, ...]:
    """Return the overloads without the deprecated ones and those of named tensors."""
    keyword_only = {item.name for overload in overloads for item in overload.items if item.keyword_only}
    banned = keyword_only & _FORMERLY_POSITIONAL
    kept = tuple(_named_input(overload) for overload in overloads if not _is_outdated(overload, banned))
    return kept or tuple(overloads)


def _is_outdated(overload: Overload, banned: frozenset[str] | set[str]) -> bool:
    return any(
        (item.name in banned and not item.keyword_only) or (item.name == "names" and item.required)
        for item in overload.items
    )


def _named_input(overload: Overload) -> Overload:
    """Return the overload with `input` for what some stubs call `self`: the name that the interpreter uses."""
    items = (replace(item, name="input") if item.name == "self" else item for item in overload.items)
    return replace(overload, items=tuple(items))


def result(overloads: Sequence[Overload]) -> str:
    """Return the result word, with `/word@argument` for every overload that returns something else."""
    if not overloads:
        return "other"
    base = min(overloads, key=lambda overload: sum(item.required for item in overload.items))
    words = [base.result]
    for overload in overloads:
        if overload.result != base.result:
            word = f"{overload.result}@{_distinguishing(overload, base)}"
            words += [word] * (word not in words)
    return "/".join(words)


def _distinguishing(overload: Overload, base: Overload) -> str:
    """Return the argument that distinguishes an overload from the simplest one."""
    for item in overload.items:
        if item.only_true:
            return item.name
    known = {item.name for item in base.items if not item.only_none}
    required = [item.name for item in overload.items if item.required and item.name not in known]
    return required[0] if required else "?"


def device(overloads: Sequence[Overload], is_method: bool) -> str:
    """Return where the result is when it is computed from tensors."""
    items = [item for overload in overloads for item in overload.items]
    takes_tensors = is_method or any(set(item.kinds) & set("tT") and item.name != "out" for item in items)
    if any(item.name == "device" for item in items):
        return "like" if takes_tensors else "factory"
    return "args" if takes_tensors else "factory"


def parameters(overloads: Sequence[Overload]) -> str:
    """Return the parameters of all overloads in positional order, alternatives separated by `/`."""
    slots: list[dict[str, Item]] = []
    keywords: dict[str, Item] = {}
    for overload in overloads:
        for position, item in enumerate(item for item in overload.items if not item.keyword_only):
            if position == len(slots):
                slots.append({})
            _add(slots[position], item)
        for item in overload.items:
            if item.keyword_only:
                _add(keywords, item)
    positional = {name for slot in slots for name in slot}
    optional = {name for name in positional | set(keywords) if _is_optional(name, overloads)}
    words = ["/".join(_word(item, optional) for item in slot.values()) for slot in slots]
    keyword_words = [_word(item, optional) for name, item in keywords.items() if name not in positional]
    return " ".join(words + ["*"] * bool(keyword_words) + keyword_words)


def _add(slot: dict[str, Item], item: Item) -> None:
    before = slot.get(item.name, item)
    kinds = in_order(before.kinds + item.kinds)
    slot[item.name] = replace(before, kinds=kinds, variadic=before.variadic or item.variadic)


def _is_optional(name: str, overloads: Sequence[Overload]) -> bool:
    return not all(any(i.name == name and (i.required or i.variadic) for i in o.items) for o in overloads)


def _word(item: Item, optional: set[str]) -> str:
    tail = "..." if item.variadic else "?" if item.name in optional else ""
    return f"{item.name}:{item.kinds or 'x'}{tail}"
