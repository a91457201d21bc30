"""Reads conditions: `and`, `or`, comparisons, `a if c else b`, and whatever needs a truth value."""

from __future__ import annotations

import ast

from ..often.regions import Region
from ..values.joining import any_item, join, join_all
from ..values.operators import binary
from ..values.union import NONE, UNKNOWN, Deferred, Host, Sequence, Tensor, Value, options_of
from . import narrowing
from .attribute_reads import AttributeReads
from .scope import Names

COMPARE: dict[type[ast.cmpop], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
}  # fmt: skip

NUMBERS = ("int", "float", "bool")


class Conditions(AttributeReads):
    """The part of the reader that evaluates conditions and comparisons."""

    def compare(self, node: ast.Compare) -> Value:
        left = self.eval(node.left)
        result: Value = Host("bool")
        for at, (op, right_node) in enumerate(zip(node.ops, node.comparators)):
            right = self.eval(right_node)
            operator = COMPARE.get(type(op))
            if operator is None:
                self.membership(node, op, left, right)
                result = Host("bool")
            else:
                result = self.recorder.same(binary(operator, left, right))
                if at + 1 < len(node.ops):
                    self.truth(node, result, "a chained comparison")
            left = right
        return result

    def membership(self, node: ast.Compare, op: ast.cmpop, left: Value, right: Value) -> None:
        """Record that `x in items` compares with every item and needs each result."""
        if not isinstance(op, ast.In | ast.NotIn):
            return
        if isinstance(right, Tensor):
            self.truth(node, right, "in")
        elif isinstance(right, Deferred) and isinstance(left, Host) and left.kind in NUMBERS:
            self.truth(node, self.recorder.same(binary("==", left, right)), "in")
        elif isinstance(right, Sequence) and right.kind in ("list", "tuple"):
            compared = binary("==", left, any_item(right))
            if not (isinstance(compared, Host) or compared is UNKNOWN):
                self.truth(node, compared, "in")

    def boolean(self, node: ast.BoolOp) -> Value:
        """Evaluate `a and b`: the truth value of each operand but the last is needed, and narrows the ones after it."""
        how = "and" if isinstance(node.op, ast.And) else "or"
        values = self.operands(node, how, None)
        if how == "or":
            values = [*(_truthy(value) for value in values[:-1]), values[-1]]
        return join_all(values)

    def operands(self, node: ast.BoolOp, how: str, asked: str | None) -> list[Value]:
        """Return the values of the operands of `and` or `or`; `asked` is what needs the last one's truth value."""
        before: Names = self.env
        values: list[Value] = []
        self.env = dict(before)
        outer = self.region
        for each in node.values[:-1]:
            values.append(self.condition(each, how))
            narrowing.assume(self, each, how == "and")
            self.region = self.region_if(each, how == "and")
        last = node.values[-1]
        values.append(self.eval(last) if asked is None else self.condition(last, asked))
        self.region = outer
        walrus = {name: v for name, v in self.env.items() if name not in before}
        self.env = before
        self.env.update(walrus)
        return values

    def conditional(self, node: ast.IfExp) -> Value:
        self.condition(node.test, "a conditional expression")
        before = self.env
        self.env = dict(before)
        outer = self.region
        narrowing.assume(self, node.test, True)
        self.region = self.region_if(node.test, True)
        body = self.eval(node.body)
        self.env, self.region = dict(before), outer
        narrowing.assume(self, node.test, False)
        self.region = self.region_if(node.test, False)
        other = self.eval(node.orelse)
        self.env, self.region = before, outer
        return join(body, other)

    def region_if(self, test: ast.expr, holds: bool) -> Region:
        """Return the region of an expression that is evaluated only if a condition holds, or does not."""
        raise NotImplementedError

    def condition(self, node: ast.expr, how: str) -> Value:
        """Evaluate a condition: `and`, `or` and `not` test their parts, everything else is tested as a whole."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            self.condition(node.operand, how)
            return Host("bool")
        if isinstance(node, ast.BoolOp):
            return join_all(self.operands(node, "and" if isinstance(node.op, ast.And) else "or", how))
        value = self.eval(node)
        self.truth(node, value, how)
        return value


def _truthy(value: Value) -> Value:
    """Return what remains of an operand of `or` that was true."""
    return join_all(o for o in options_of(value) if o != NONE) if len(options_of(value)) > 1 else value
