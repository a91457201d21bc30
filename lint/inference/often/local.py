"""How often a place runs per call of its function."""

from __future__ import annotations

from typing import NamedTuple

from ...finding import Level, Reason
from ...plain import dataclass
from ..values.union import UNKNOWN, Value

IS, IS_NOT = "=", "!"
EVERY_N = "only every N steps"
"""Why code runs in some steps that a condition on their number lets through."""
OWN = "."
"""What the name of such a parameter begins with if it is an attribute of the method's object instead."""
OF_OTHERS = "*."
"""What it begins with if it is an attribute of anything else, which may hold options."""


class Need(NamedTuple):
    """A parameter of a function that a condition asks about, by its name, and what it must be for that to hold.

    This is `None`, `given`, `true`, `false`, `IS` or `IS_NOT` and how a constant is written, or `> 0`. `text` is that
    as it is told, `value` what is asked about if that is neither a parameter nor an attribute of the method's object.
    `others`: what else is enough for the condition to hold; one without a name is something that nothing tells of.
    """

    name: str
    wanted: str
    text: str = ""
    value: Value = UNKNOWN
    others: tuple[Need, ...] = ()


@dataclass(frozen=True, slots=True)
class Local:
    """How often a place runs per call of its function.

    `level` is known independently (a loop over batches), or None: as often as the function. `repeats`: in a plain loop,
    `parts`: in one over parts of a whole, which may be one. `cap`: at most this often (a gate, evaluation, a failure
    path). `contexts` are the enclosing context managers. `off`: conditions that do not hold by default.
    `conditions`: those it hangs on, the innermost first. `needs`: what parameters of the function must be. `uses`: in
    a loop that uses a model, if the function is no step, or that is taken for evaluation for nothing else, `gives`: in
    one that gives it to what is named so. `either`: for each batch, of training or evaluation, which what is called
    there tells. `calls`: what plain loops around it call. `item`: how often the
    place runs for each item that a generator yields, if it is in a loop of it that does. `gate`: the condition that
    lets only some steps through, if nothing else makes the place run more seldom. `every`: the number
    of the gate's steps, which may be one. `loop`: the outermost loop that is over steps, if one is; else the innermost.
    """

    level: Level | None = None
    repeats: bool = False
    cap: Level | None = None
    reasons: tuple[Reason, ...] = ()
    contexts: tuple[str, ...] = ()
    off: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    needs: tuple[Need, ...] = ()
    uses: bool = False
    either: bool = False
    calls: tuple[str, ...] = ()
    parts: bool = False
    gives: bool = False
    item: Local | None = None
    gate: str = ""
    every: Need | None = None
    loop: Reason | None = None


PER_CALL = Local()
