"""A module whose code is to be rewritten: its tree with parents, and what its names mean."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cached_property
from typing import Final, TypeAlias

from ..files.parts import PARTS
from ..files.source import Source
from ..finding import Span
from ..offers import Edit

Scope: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef | ast.Module

_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class Module:
    """The source of a module, searched for nodes by their positions."""

    def __init__(self, source: Source) -> None:
        self.source = source

    @property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """The node around each node."""
        return self._nodes[0]

    @cached_property
    def _nodes(self) -> tuple[dict[ast.AST, ast.AST], dict[tuple[int, int, int, int], ast.expr]]:
        """The node around each node, and the outermost expression at each region; positions as in the tree.

        Both come from one walk: going through a tree costs more than anything that is done on the way.
        """
        parents: dict[ast.AST, ast.AST] = {}
        expressions: dict[tuple[int, int, int, int], ast.expr] = {}
        left: list[ast.AST] = [self.source.tree]
        for node in left:
            if isinstance(node, ast.expr):
                end = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
                expressions.setdefault((node.lineno, node.col_offset, *end), node)
            for name in PARTS[type(node)]:
                value = getattr(node, name, None)
                for child in value if value.__class__ is list else (value,):
                    if isinstance(child, ast.AST):
                        parents[child] = node
                        left.append(child)
        return parents, expressions

    def expression(self, span: Span) -> ast.expr | None:
        """Return the expression at a region of the source; None if there is none, or it cannot be rewritten."""
        lines = self.source.lines
        if not 0 < span.row <= span.end_row <= len(lines):
            return None
        start = len(lines[span.row - 1][: span.column - 1].encode("utf-8", "surrogatepass"))
        end = len(lines[span.end_row - 1][: span.end_column - 1].encode("utf-8", "surrogatepass"))
        node = self._nodes[1].get((span.row, start, span.end_row, end))
        return None if node is None or any(_is_foreign(each) for each in self.around(node)) else node

    def around(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yield the nodes around a node, the innermost first."""
        at = self.parents.get(node)
        while at is not None:
            yield at
            at = self.parents.get(at)

    def statement(self, node: ast.AST) -> ast.stmt | None:
        """Return the innermost statement around a node."""
        return next((each for each in self.around(node) if isinstance(each, ast.stmt)), None)

    def scope(self, node: ast.AST) -> Scope:
        """Return the innermost function or class around a node, or the module."""
        around = (each for each in self.around(node) if isinstance(each, (*_FUNCTIONS, ast.ClassDef)))
        return next(around, self.source.tree)

    def block(self, statement: ast.stmt) -> list[ast.stmt] | None:
        """Return the list of statements that a statement is in."""
        parent = self.parents.get(statement)
        if parent is None:
            return None
        for name in ("body", "orelse", "finalbody"):
            found = getattr(parent, name, None)
            if isinstance(found, list) and any(each is statement for each in found):
                return found
        return None

    def text(self, node: ast.expr | ast.stmt) -> str:
        """Return the source of a node."""
        return self.source.segment(node)

    def replaced(self, node: ast.expr | ast.stmt, text: str) -> Edit:
        """Return the edit that writes a text where a node is."""
        span = self.source.span(node)
        return Edit(span.row, span.column, span.end_row, span.end_column, text)

    @property
    def is_scripted(self) -> bool:
        """Whether the file has to do with TorchScript, which does not compile everything that Python runs."""
        return "jit" in self.source.text

    @cached_property
    def torch(self) -> str | None:
        """The name that stands for torch in the whole module, if it never stands for anything else."""
        return next((name for name, module in self.imports.items() if module == "torch"), None)

    @cached_property
    def imports(self) -> dict[str, str]:
        """The modules imported at the top, by the names that nothing else in the file binds."""
        found: dict[str, str] = {}
        for statement in self.source.tree.body:
            if isinstance(statement, ast.Import):
                for each in statement.names:
                    top = each.name.partition(".")[0]
                    found[each.asname or top] = each.name if each.asname else top
        return {name: module for name, module in found.items() if name not in self._bound}

    @cached_property
    def _bound(self) -> frozenset[str]:
        """The names that something other than an import binds, anywhere in the file."""
        found: set[str] = set()
        for node in self.parents:
            if isinstance(node, ast.Name):
                if not isinstance(node.ctx, ast.Load):
                    found.add(node.id)
                continue
            if isinstance(node, ast.expr):
                continue
            match node:
                case ast.arg(arg=name):
                    found.add(name)
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                    found.add(name)
                case ast.ImportFrom(names=names):
                    found |= {each.asname or each.name for each in names}
                case ast.ExceptHandler(name=str() as name) | ast.MatchAs(name=str() as name):
                    found.add(name)
                case ast.MatchStar(name=str() as name) | ast.MatchMapping(rest=str() as name):
                    found.add(name)
        return frozenset(found)


def _is_foreign(node: ast.AST) -> bool:
    """Whether what is inside is no plain Python: a formatted string, where quotes clash, or code for a compiler."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return any(re.search(r"jit|(?<!torch\.)compile", ast.unparse(each)) for each in node.decorator_list)
    return isinstance(node, ast.JoinedStr) or type(node).__name__ == "TemplateStr"
