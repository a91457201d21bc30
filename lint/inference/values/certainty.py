"""How certain it is that a value is on the device, and reasons that a reader can check."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...finding import Confidence, Reason
from .joining import join_all
from .lattice import GPU
from .union import NONE, UNKNOWN, Batch, Deferred, Host, Sequence, Tensor, Value, options_of

OBJECT = Host("object")
"""A host object about which nothing more is known."""
ARRAY = Host("ndarray")
"""A NumPy array."""
CONTAINERS = frozenset(("list", "tuple", "dict", "set"))
"""Kinds of sequences whose text is made of that of their items, unlike an iterator's."""


def can_wait(value: Value) -> bool:
    """Whether reading this value might wait: it is a tensor that may be on the GPU, or an open question."""
    match value:
        case Tensor() | Batch():
            return bool(value.device.flags & GPU)
        case Deferred():
            return True
        case _:
            return any(map(can_wait, options_of(value))) if len(options_of(value)) > 1 else False


def may_be_array(value: Value) -> bool:
    """Whether a NumPy array is among what the value may be."""
    return any(option == ARRAY for option in options_of(value))


def in_text(value: Value) -> Iterator[Value]:
    """Yield the values whose texts a value's text consists of: itself, or what a container holds, and so on."""
    others = []
    for option in options_of(value):
        if isinstance(option, Sequence) and option.kind in CONTAINERS:
            for each in (*(option.items or ()), option.element):
                if not _is_guessed(each):
                    yield from in_text(each)
        else:
            others.append(option)
    if others:
        yield value if len(others) == len(options_of(value)) else join_all(others)


def _is_guessed(item: Value) -> bool:
    """Whether an item of a container is a tensor only where it is not something unknown, as others in it may be."""
    options = options_of(item)
    is_open = UNKNOWN in options or OBJECT in options
    return is_open and not any(isinstance(each, Tensor | Batch) and each.device.on_gpu for each in options)


def of(values: Iterable[Value]) -> Confidence | None:
    """Return the confidence that reading these values waits for the device; None if none of them can be on it."""
    found = [sure for value in values if (sure := of_one(value)) is not None]
    return max(found) if found else None


def of_one(value: Value) -> Confidence | None:
    """Return the confidence for one value.

    A tensor among host alternatives is less certain than a tensor or None. It is only possible where annotations alone
    tell of it: where it was made or moved has not been seen. An unknown alternative rules out certainty, and so does a
    number or truth value that is written there: `x.max() if len(x) else 0`, `total = 0` before tensors are added,
    `accepted = False` where some condition overrules what tensors tell.
    """
    best: Confidence | None = None
    mixed = doubt = False
    for option in options_of(value):
        if option == NONE:
            continue
        if option is UNKNOWN or option == OBJECT or _is_written(option):
            doubt = True
            continue
        sure = _of_option(option)
        if sure is None:
            mixed = True
        elif best is None or sure > best:
            best = sure
    if best is None or not mixed:
        return Confidence.LIKELY if doubt and best is Confidence.CERTAIN else best
    is_seen = any(isinstance(option, Tensor) and option.device.why for option in options_of(value))
    return Confidence.LIKELY if best is Confidence.CERTAIN or is_seen else Confidence.POSSIBLE


def _is_written(value: Value) -> bool:
    return isinstance(value, Host) and value.kind in ("int", "float", "bool") and value.constant is not ...


def _of_option(value: Value) -> Confidence | None:
    match value:
        case Tensor() | Batch() if value.device.on_gpu:
            return Confidence.CERTAIN
        case Tensor() | Batch(computed=True) if not value.device.on_cpu:
            return Confidence.LIKELY
        case Batch() if not value.device.on_cpu:
            return Confidence.POSSIBLE
    return None


def reasons(values: Iterable[Value]) -> Iterator[Reason]:
    """Yield where the values reached the device, or why they are assumed to be tensors."""
    seen: set[object] = set()
    for value in values:
        for option in options_of(value):
            if not isinstance(option, Tensor | Batch):
                continue
            if option.device.why is not None and not option.device.on_cpu and option.device.why not in seen:
                seen.add(option.device.why)
                yield option.device.why
            if isinstance(option, Tensor) and option.by_use and option.by_use not in seen:
                seen.add(option.by_use)
                yield Reason(f"assumed to be a tensor: {option.by_use}")
