"""Expressions as LibCST sees them: parsed from their own text, and written back without losing a comment."""

from __future__ import annotations

import ast
import io
import tokenize

import libcst as cst

from ..limits import DEEPEST_FIXED, LONGEST_FIXED


def parsed(text: str, node: ast.expr) -> cst.BaseExpression | None:
    """Return the expression with that text and tree; None if it is too deep or LibCST reads something else."""
    if LONGEST_FIXED.is_exceeded(len(text)) or DEEPEST_FIXED.is_exceeded(_depth(node)):
        return None
    try:
        found = cst.parse_expression(f"({text})")
        same = ast.dump(ast.parse(f"({text})", mode="eval").body) == ast.dump(node)
    except (cst.ParserSyntaxError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return found.with_changes(lpar=found.lpar[1:], rpar=found.rpar[:-1]) if same and found.lpar else None


def code(node: cst.CSTNode) -> str:
    """Return the text of a node."""
    return cst.Module(body=()).code_for_node(node)


def expression(text: str) -> cst.BaseExpression:
    """Return the expression that is written so."""
    return cst.parse_expression(text)


def keeps_comments(before: str, after: str) -> bool:
    """Whether a text has all the comments that another had."""
    if "#" not in before:
        return True
    kept = _comments(after)
    return all(kept.count(each) >= _comments(before).count(each) for each in _comments(before))


def is_valid(text: str) -> bool:
    """Whether a text is an expression, which may be on several lines if it is in brackets."""
    try:
        ast.parse(f"({text})", mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _comments(text: str) -> list[str]:
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(f"({text}\n)").readline))
    except (tokenize.TokenError, SyntaxError):
        return []
    return [each.string for each in tokens if each.type == tokenize.COMMENT]


def _depth(node: ast.AST) -> int:
    """Return how deep nodes are nested in one, without recursion."""
    depth, level = 0, [node]
    while level and depth <= DEEPEST_FIXED:
        level = [child for each in level for child in ast.iter_child_nodes(each)]
        depth += 1
    return depth
