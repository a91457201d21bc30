"""Trials of what the signatures say: which arguments are read as numbers, and where results are.

Of a function that no other fact names, the linter believes that it waits for nothing. The calls are those that were
guessed and kept when waits were last recorded.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial
from typing import Final

from ...lint.facts import hidden_checks, torch_linalg
from ...lint.facts.signatures import Signature, lookup
from ...lint.facts.torch_ops import COPIES, ROWS
from ...lint.facts.torch_transfers import ROWS as TRANSFERS
from .programs import Program, prepared
from .trial import Trial

BY_HAND: Final = frozenset((*ROWS, *TRANSFERS, *COPIES, *hidden_checks.FUNCTIONS, *hidden_checks.CALLED))
"""Last names of functions whose waits depend on arguments: their trials are written by hand."""


def signature_trials(programs: list[Program]) -> Iterator[Trial]:
    """A trial for each call of a public function, and for each number that may be a tensor."""
    for program in programs:
        if not program.group.startswith("torch.") or program.group.endswith("(backward)"):
            continue
        name, _, parameter = program.group.rstrip(")").partition("(")
        signature = lookup(name)
        if signature is None or name.rpartition(".")[2] in BY_HAND or name in torch_linalg.ROWS:
            continue
        believed = _is_read(signature, parameter) if parameter else 0
        lives = "" if parameter else _lives(signature, program.text)
        yield Trial(f"signature {program.group}", program.text, believed, partial(prepared, program.text), lives)


def _is_read(signature: Signature, parameter: str) -> int | None:
    """Whether a tensor given for a parameter is read on the host; one that takes anything says nothing."""
    kinds = frozenset().union(*(each.kinds for each in signature.named(parameter)))
    return None if "x" in kinds else int(not kinds & set("tT"))


def _lives(signature: Signature, text: str) -> str:
    """Return where a call's result is, by its function's row; all tensors of the programs are on the device."""
    if signature.result in ("int", "float", "bool", "number", "size", "list", "numpy"):
        return ""
    names = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)} - {"torch", "it", "D"}
    match signature.device:
        case "cpu" | "cuda":
            return signature.device
        case "args" | "like" if names:
            return "cuda"
        case "factory" | "like":
            return "cuda" if "D" in text else "cpu"
    return ""
