"""The expression that a finding is about, and what rewritings ask of it."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ..offers import Edit, Offer
from .expression import code, is_valid, keeps_comments, parsed
from .module import Module

if TYPE_CHECKING:
    import libcst as cst


class Refused(Exception):  # noqa: N818
    """What an expression is, or what is done with it, does not allow a rewriting; the message says which."""


@dataclass(frozen=True)
class Place:
    """An expression of a module, with the details from its rule; `peers` are all expressions with an offer."""

    module: Module
    node: ast.expr
    details: Sequence[str] = ()
    peers: Sequence[tuple[ast.expr, Offer]] = ()

    @cached_property
    def text(self) -> str:
        """The expression's source."""
        return self.module.text(self.node)

    @cached_property
    def tree(self) -> cst.BaseExpression | None:
        """The expression as LibCST sees it; None if that must not be tried."""
        return parsed(self.text, self.node)

    @property
    def call(self) -> cst.Call | None:
        """The expression, if it is a call whose arguments are all written out."""
        import libcst as cst

        tree = self.tree
        return tree if isinstance(tree, cst.Call) and not any(each.star for each in tree.args) else None

    def rewritten(self, new: cst.BaseExpression | None) -> list[Edit] | None:
        """Return the edits that write another expression in this one's place."""
        return None if new is None else self.written(code(new))

    def written(self, text: str) -> list[Edit] | None:
        """Return the edits that write a text in this expression's place, the smallest; None if a comment gets lost."""
        if not is_valid(text) or not keeps_comments(self.text, text):
            return None
        return [smallest(self.module.replaced(self.node, text), self.text)]


def smallest(edit: Edit, before: str) -> Edit:
    """Return an edit without what it has in common with the text before, at the beginning and at the end."""
    after = edit.text
    shorter = min(len(before), len(after))
    head = next((at for at in range(shorter) if before[at] != after[at]), shorter)
    most = shorter - head
    tail = next((at for at in range(most) if before[-1 - at] != after[-1 - at]), most)
    row, column = _moved(edit.row, edit.column, before[:head])
    end_row, end_column = _moved(edit.row, edit.column, before[: len(before) - tail])
    return Edit(row, column, end_row, end_column, after[head : len(after) - tail])


def is_nothing(edit: Edit) -> bool:
    """Whether an edit changes nothing."""
    return not edit.text and (edit.row, edit.column) == (edit.end_row, edit.end_column)


def _moved(row: int, column: int, text: str) -> tuple[int, int]:
    """Return the position after a text that begins at a position."""
    breaks = text.count("\n")
    return (row + breaks, len(text) - text.rfind("\n")) if breaks else (row, column + len(text))
