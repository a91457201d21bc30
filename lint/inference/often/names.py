"""What names alone tell: whether something is called like a model, or like a step."""

from __future__ import annotations

from functools import lru_cache

from ...facts import naming
from ...regex import regex

_TRAINING_STEP = regex(naming.TRAINING_STEPS)


@lru_cache(maxsize=4096)
def names_model(name: str) -> bool:
    """Whether the callee is named like a model."""
    return name.lower() in naming.MODEL_NAMES or name.lower().rpartition("_")[2] in naming.MODEL_NAMES


@lru_cache(maxsize=4096)
def names_training_step(name: str) -> bool:
    """Whether a function is named like one step of training: `train_one_batch`, `_run_train_optim_step`."""
    return bool(_TRAINING_STEP.search(name))
