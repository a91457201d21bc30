"""Combines how often a place runs per call of its function with how often that runs."""

from __future__ import annotations

from dataclasses import replace

from ...finding import Frequency, Level
from .conditions import all_of, but_for_training
from .local import Local
from .roles import is_of_whole_run


def _is_part_of_step(function: Frequency) -> bool:
    """Whether a function is seen to run every step, so that its loops over items do as well."""
    return function.level >= Level.EVERY_STEP and not function.assumed


def combine(local: Local, function: Frequency) -> Frequency:
    """Return how often a place runs, given how often its function runs."""
    if function.level <= Level.FAILURE:
        return function
    if function.level is Level.UNCALLED:
        caps = [each for each in (local.level, local.cap) if each is not None]
        return replace(function, level=min((function.level, *caps)))
    if is_of_whole_run(function):  # what is fitted there is fitted before training
        level = function.level if local.cap is None else min(function.level, local.cap)
        return replace(function, level=level, conditions=all_of(local.conditions, function.conditions))
    if local.level is not None:
        level, reasons, assumed, per = local.level, local.reasons, False, ""
        decodes = local.repeats and function.assumed  # inference waits for each token, or denoising step
        if function.level is Level.EVALUATION and level >= Level.EVERY_STEP and not decodes:
            level, reasons = Level.EVALUATION, (*function.reasons, *reasons)
        elif level is Level.EVALUATION and local.repeats and _is_part_of_step(function):
            level, reasons = Level.EVERY_PASS, (*function.reasons, *reasons)
        elif level is Level.EVERY_EPOCH and function.level >= Level.EVERY_STEP:
            level, reasons, assumed = function.level, (*function.reasons, *reasons), function.assumed
            per = function.per
    else:
        level, reasons, assumed = function.level, (*function.reasons, *local.reasons), function.assumed
        per = function.per
        if local.repeats and not local.parts and level is Level.EVERY_STEP:
            level = Level.EVERY_PASS
        elif local.uses and level is Level.ONCE:
            level = Level.EVALUATION  # a script that goes through data with a model
    if local.cap is not None and local.cap < level:
        level = local.cap
    cause = function.cause if assumed else ""
    inner, outer = local.conditions, function.conditions
    if not per:
        inner, outer = but_for_training(inner), but_for_training(outer)
    is_inside = function.level is Level.EVALUATION or function.level >= Level.EVERY_STEP  # its loops are in a step
    loop = local.loop if local.level is not None or (function.loop is None and not is_inside) else function.loop
    off = (*local.off, *function.off)
    return Frequency(level, reasons, assumed, cause, all_of(inner, outer), per, off, loop)
