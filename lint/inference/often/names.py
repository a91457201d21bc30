"""What names alone tell: whether something is called like a model, a mask, or like a step."""

from __future__ import annotations

import ast
from functools import lru_cache

from ...facts import naming
from ...facts.attributes import RESHAPING
from ...regex import regex
from .gates import last_name

_MASK = regex(naming.MASKS)
_TRAINING_STEP = regex(naming.TRAINING_STEPS)


@lru_cache(maxsize=4096)
def names_model(name: str) -> bool:
    """Whether the callee is named like a model, and not like a function that returns one."""
    words = name.lower().strip("_").split("_")
    named = name.lower() in naming.MODEL_NAMES or words[-1] in naming.MODEL_NAMES
    return named and words[0] not in naming.ACCESSORS


def names_step(name: str) -> bool:
    """Whether a function is named like one step of a program."""
    return name in naming.STEP_FUNCTIONS or names_training_step(name)


@lru_cache(maxsize=4096)
def names_training_step(name: str) -> bool:
    """Whether a function is named like one step of training: `train_one_batch`, `_run_train_optim_step`."""
    return bool(_TRAINING_STEP.search(name))


def mask_name(node: ast.expr) -> str | None:
    """Return the name of a mask, even behind `~`, `&`, `|`, `cat` and views; None if no name says so."""
    match node:
        case ast.UnaryOp(op=ast.Invert(), operand=operand):
            return mask_name(operand)
        case ast.BinOp(op=ast.BitAnd() | ast.BitOr() | ast.BitXor(), left=left, right=right):
            return mask_name(left) or mask_name(right)
        case ast.Call(func=ast.Attribute(attr="cat" | "concat" | "stack"), args=[masks, *_]):
            return mask_name(masks)
        case ast.Call(func=ast.Attribute(value=viewed, attr=method)) if method in RESHAPING:
            return mask_name(viewed)
        case ast.Name() | ast.Attribute():
            name = last_name(node)
            return name if _MASK.search(name.lower()) else None
    return None
