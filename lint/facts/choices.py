"""Names of what is chosen before the first step and stays as it is: the number of processes, training, registries.

Source: common usage in training code, not documentation; where they are wrong, a report says too much or too little
about the conditions under which a line runs.
"""

from __future__ import annotations

TRAINING = (
    r"^_?(?:do_|is_|to_|run_|just_|only_)?(?:train|training|test|testing|eval|evaluate|evaluation|val|valid|validate|validation"
    r"|inference|infer|predict|prediction)(?:_?only|_mode|_phase)?$"
)
"""A pattern for names and texts that tell programs that train from others: what trains need not say so."""

FOR_GPUS = r"cuda|gpu"
"""A pattern for names of options that are set wherever waits matter."""

REGISTRIES = ("regist",)
"""Parts of the names of functions that keep what they are given under a text, for a configuration to choose."""

FINDING = frozenset(("nonzero", "flatnonzero", "argwhere", "where"))
"""Names of functions that return the positions of what they find, which may be none. Source: torch 2.13; NumPy 2.3."""
