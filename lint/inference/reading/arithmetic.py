"""Reads operators: `a + b`, `-a`, `not a`, `text % values`."""

from __future__ import annotations

import ast

from ..values.containers import element
from ..values.operators import binary, unary
from ..values.union import Host, Sequence, Value
from .conditions import Conditions

OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
}  # fmt: skip
UNARY: dict[type[ast.unaryop], str] = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~"}
MOST_OPERATORS = 10_000
"""A longer chain of operators is read in pieces."""


class Arithmetic(Conditions):
    """The part of the reader that evaluates operators."""

    def binary(self, node: ast.BinOp) -> Value:
        left, right = self.left_chain(node), self.eval(node.right)
        if isinstance(node.op, ast.Mult) and isinstance(left, Sequence | Host) and not isinstance(right, Host):
            self.repeat(node, left, right)
        return self.combined(node, left, right)

    def left_chain(self, node: ast.BinOp) -> Value:
        """Return the left operand; a long `a + b + c + …` nests to the left and is read without recursion."""
        chain: list[ast.BinOp] = []
        left: ast.expr = node.left
        while isinstance(left, ast.BinOp) and len(chain) < MOST_OPERATORS:
            chain.append(left)
            left = left.left
        value = self.eval(left)
        for inner in reversed(chain):
            value = self.combined(inner, value, self.eval(inner.right))
        return value

    def combined(self, node: ast.BinOp, left: Value, right: Value) -> Value:
        """Return the result of the operator; a `%` after a string formats."""
        operator = OPERATORS[type(node.op)]
        if operator == "%" and isinstance(left, Host) and left.kind == "str":
            self.format_values(node, right)
            return Host("str")
        return self.recorder.same(binary(operator, left, right))

    def repeat(self, node: ast.BinOp, left: Value, right: Value) -> None:
        """Note that `items * n` needs a number."""
        if isinstance(left, Sequence) or (isinstance(left, Host) and left.kind in ("str", "bytes")):
            self.convert(node, right, "int", "repeating a sequence")

    def format_values(self, node: ast.BinOp, value: Value) -> None:
        """Note that `"%f" % value` formats one value or each of a tuple, including unpacked ones."""
        parts = node.right.elts if isinstance(node.right, ast.Tuple) else []
        if any(isinstance(part, ast.Starred) for part in parts):
            for part in parts:
                inner = part.value if isinstance(part, ast.Starred) else part
                each = element(self.eval(inner)) if inner is not part else self.eval(inner)
                self.convert(inner, each, "str", "% formatting")
            return
        for each in value.items or () if isinstance(value, Sequence) and value.kind == "tuple" else (value,):
            self.convert(node, each, "str", "% formatting")

    def unary(self, node: ast.UnaryOp) -> Value:
        value = self.eval(node.operand)
        if isinstance(node.op, ast.Not):
            self.truth(node.operand, value, "not")
            return Host("bool")
        return self.recorder.same(unary(UNARY[type(node.op)], value))
