"""All programs whose waits are counted on more than one device, and how to run one.

A program is text. Its last statement is what is watched; those before it prepare. `given.py` says what it may use.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from . import written, written_backward, written_indices, written_training
from .given import given


@dataclass(frozen=True, slots=True)
class Program:
    """A program of a group, such as `masks`."""

    group: str
    text: str


def written_programs() -> Iterator[Program]:
    """The programs that are written by hand, each once."""
    found: dict[str, str] = {}
    for group, lines in {**written.GROUPS, **written_indices.GROUPS, **written_training.GROUPS}.items():
        found |= {line: group for line in lines.strip().splitlines() if line not in found}
    found |= {backward_of(line): "backward" for line in written_backward.BACKWARD.strip().splitlines()}
    found |= {
        f"derive(); {line}; backward({line.partition('[')[0].partition('.')[0]})": "backward"
        for line in written_backward.WRITES.strip().splitlines()
    }
    yield from (Program(group, text) for text, group in found.items())


def backward_of(expression: str) -> str:
    """The program that watches the backward pass of an expression."""
    return f"derive(); result = {expression}; backward(result)"


def trial_programs() -> Iterator[Program]:
    """The programs of the trials of facts."""
    from .hidden import hidden_trials
    from .operators import CALLS

    for name, calls in CALLS.items():
        yield from (Program(f"torch {name}", call) for call in calls if call)
    for trial in hidden_trials():
        yield Program(trial.name, trial.variant)


def prepared(text: str, device: str = "cuda") -> Callable[[], object]:
    """Run a program up to its last statement, and return a function that runs that one and gives its value."""
    *before, last = ast.parse(text).body
    names = given(device)
    exec(compile(ast.Module(before, []), "<program>", "exec"), names)
    if isinstance(last, ast.Expr):
        code = compile(ast.Expression(last.value), "<program>", "eval")
        return lambda: eval(code, names)
    code = compile(ast.Module([last], []), "<program>", "exec")
    return lambda: exec(code, names)
