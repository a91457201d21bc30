"""Loops that replace the items of what they go through: `for k, v in batch.items(): batch[k] = v.to(device)`."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace

from ...values.lattice import Device
from ...values.tensors import moved_to
from ...values.union import Batch, Deferred, OneOf, Sequence, Tensor, Value
from ..state.frame import Frame


def move_items(frame: Frame, node: ast.For | ast.AsyncFor, items: Mapping[tuple[str, str], Value]) -> None:
    """Handle a loop over a dict or list that has bound each of its items anew: it holds the new ones after it."""
    holder, key = _holder(node.iter), _key(node.target)
    if not isinstance(holder, ast.Name) or key is None or _tells_apart(node, key):
        return
    value = items.get((holder.id, key))
    if value is not None and (after := _after(frame.eval(holder), value)) is not None:
        frame.assign_name(holder.id, after)


def _holder(iterable: ast.expr) -> ast.expr:
    """Return what a loop over `x`, `x.items()`, `list(x)`, `range(len(x))`, `enumerate(x)` or the like goes through."""
    match iterable:
        case ast.Call(func=ast.Name(id="range"), args=[ast.Call(func=ast.Name(id="len"), args=[counted])]):
            return counted
        case ast.Call(func=ast.Name(id="enumerate"), args=[counted]):
            return counted
        case ast.Call(func=ast.Name(id="list" | "tuple" | "sorted"), args=[inner]):
            return _holder(inner)
        case ast.Call(func=ast.Attribute(value=holder, attr="items" | "keys"), args=[]):
            return holder
    return iterable


def _key(target: ast.expr) -> str | None:
    match target:
        case ast.Name(id=name) | ast.Tuple(elts=[ast.Name(id=name), _]):
            return name
    return None


def _tells_apart(node: ast.For | ast.AsyncFor, key: str) -> bool:
    """Whether the loop treats items according to their names; `isinstance(x[name], Tensor)` asks the item itself."""
    tests = [part.test for statement in node.body for part in ast.walk(statement) if isinstance(part, ast.If)]
    parts = [part for test in tests for part in ast.walk(test)]
    items = {id(part.slice) for part in parts if isinstance(part, ast.Subscript)}
    return any(isinstance(part, ast.Name) and part.id == key and id(part) not in items for part in parts)


def _after(holder: Value, value: Value) -> Value | None:
    """Return what holds the items after they were replaced; None if that is not known."""
    match holder:
        case Sequence(kind="dict" | "list"):
            items = None if holder.items is None else tuple(_replaced(each, value) for each in holder.items)
            return replace(holder, items=items, element=_replaced(holder.element, value))
        case Batch() | Deferred() if (device := _device(value)) is not None:
            return Batch(device, named=holder.named if isinstance(holder, Batch) else "")
    return None


def _replaced(item: Value, value: Value) -> Value:
    """Return what replaces an item; what is no tensor is left as it is, as tests of the type usually do."""
    if isinstance(item, OneOf):
        return value if any(isinstance(each, Tensor | Batch | Deferred) for each in item.options) else item
    return value if isinstance(item, Tensor | Batch | Deferred) else item


def _device(value: Value) -> Device | None:
    if isinstance(value, Tensor | Batch):
        return value.device
    return moved_to(value) if isinstance(value, Deferred) else None
