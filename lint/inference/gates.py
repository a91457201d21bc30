"""Conditions and names that tell how often a body runs: every N steps, now and then, evaluation, batches."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from ..facts import naming
from ..facts.devices import TEXT_DEVICES

_GATE = re.compile(rf"(?:^|_)(?:{'|'.join(naming.GATE_WORDS)})(?:ging|ger|ged|s|d|ed)?(?:_|$)")
_INTERVAL = re.compile(naming.INTERVALS)
_EVALUATION = re.compile(naming.EVALUATION_DATA)
NOTHING_NAMED: Mapping[str, ast.expr] = {}


def constant(test: ast.expr) -> bool | None:
    """What a condition always is: `TYPE_CHECKING` and constants; None where it can be either."""
    match test:
        case ast.Constant(value=value):
            return bool(value)
        case ast.Name(id="TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING"):
            return False
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = constant(operand)
            return None if inner is None else not inner
    return None


def is_always(test: ast.expr) -> bool:
    """A condition that holds whenever the program is run as such, or has a GPU."""
    match test:
        case ast.Compare(left=ast.Name(id="__name__")):
            return True
        case ast.Call(func=ast.Attribute(attr="is_available")):
            return True
    return constant(test) is not None


def has_gpu(test: ast.expr) -> bool | None:
    """Whether a condition holds only with a GPU (True), only without one (False); None where it says neither.

    Devices of other kinds count as none: what is written for them alone does not run on CUDA.
    """
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = has_gpu(operand)
            return None if inner is None else not inner
        case ast.BoolOp(op=ast.And(), values=parts):
            return False if any(has_gpu(part) is False for part in parts) else None
        case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="cuda"), attr="is_available")):
            return True
        case ast.Compare(left=ast.Constant(value="cuda"), ops=[ast.In() | ast.NotIn() as op], comparators=[named]):
            return isinstance(op, ast.In) if _names_device(named) else None
        case ast.Compare(left=named, ops=[op], comparators=[ast.Constant(value=str() as text)]) if text in TEXT_DEVICES:
            if _names_device(named) and isinstance(op, ast.Eq | ast.NotEq):
                return isinstance(op, ast.Eq) is (text == "cuda")
    return None


def traced(test: ast.expr, holds: bool) -> bool:
    """A branch of the condition is taken only while the code is scripted, traced or exported."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return traced(operand, not holds)
        case ast.BoolOp(op=op, values=parts) if isinstance(op, ast.And) is holds:
            return any(traced(part, holds) for part in parts)
        case ast.Call(func=func):
            return holds and last_name(func) in naming.TRACING
    return False


def _names_device(node: ast.expr) -> bool:
    name = last_name(node)
    return "device" in name or (name == "type" and isinstance(node, ast.Attribute) and _names_device(node.value))


def gate(test: ast.expr, named: Mapping[str, ast.expr] = NOTHING_NAMED) -> str | None:
    """Why a condition lets its body run only now and then (`step % n == 0`, `should_log`); None where it does not.

    `named` are the conditions that names stand for.
    """
    for part in _parts(test):
        match part:
            case ast.Name(id=name) if (words := _of_name(name, named)) is not None:
                return words
            case ast.Compare(left=ast.BinOp(op=ast.Mod())) | ast.BinOp(op=ast.Mod()):
                return "only every N steps"
            case ast.UnaryOp(op=ast.Not(), operand=ast.BinOp(op=ast.Mod())):
                return "only every N steps"
            case ast.BoolOp(op=ast.Or(), values=[first, *_]) if gate(first, named) is not None:
                return gate(first, named)
            case ast.Compare(
                left=ast.Call(func=ast.Name(id="len")), ops=[ast.Eq()], comparators=[ast.Constant(value=0)]
            ):
                return "only when it is empty"
            case ast.Compare(left=ast.Name(), ops=[ast.Eq()], comparators=[ast.Constant(value=0)]):
                return "only when a counter is 0"
            case ast.Name(id=name) | ast.Attribute(attr=name) if _GATE.search(name.lower()):
                return f"only when `{name}` says so"
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if _GATE.search(name.lower()):
                return f"only when `{name}()` says so"
            case ast.Call(args=given) if any(_INTERVAL.search(last_name(each).lower()) for each in given):
                return "only every N steps"
    return None


def _of_name(name: str, named: Mapping[str, ast.expr]) -> str | None:
    """Why the condition that a name stands for holds only now and then."""
    others = {key: test for key, test in named.items() if key != name}
    return gate(named[name], others) if name in named else None


def lazy(test: ast.expr, body: list[ast.stmt]) -> str | None:
    """Why a body runs only once: it makes what the condition finds missing (`if self.x is None: self.x = …`).

    Or it notes for what it was made, `if self.size != size: self.size = size`, or makes what has another shape.
    """
    match test:
        case ast.BoolOp(op=ast.Or(), values=[first, *_]):
            return lazy(first, body)
        case ast.Compare(left=ast.Attribute(attr=name), ops=[ast.Is()], comparators=[ast.Constant(value=None)]):
            missing = name
        case ast.Compare(
            left=ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(value=str() as name), _]),
            ops=[ast.Is()],
            comparators=[ast.Constant(value=None)],
        ):
            missing = name
        case ast.Compare(left=left) if (kept_shape := _shape_of(left)) is not None:
            missing = kept_shape
        case ast.Compare(left=ast.Attribute() as kept, ops=[ast.NotEq()], comparators=[ast.Name() as wanted]):
            return f"only when `{kept.attr}` has changed" if any(_binds(each, kept, wanted) for each in body) else None
        case ast.UnaryOp(
            op=ast.Not(), operand=ast.Call(func=ast.Name(id="hasattr"), args=[_, ast.Constant(value=str() as name)])
        ):
            missing = name
        case _:
            return None
    made = any(missing.strip("_") in part.strip("_") for statement in body for part in _makes(statement))
    return f"only until `{missing}` is there" if made else None


def _shape_of(node: ast.expr) -> str | None:
    """The attribute whose shape is asked for: `x` of `self.x.shape[0]`, `self.x.size(0)`, `len(self.x)`."""
    match node:
        case ast.Subscript(value=value):
            return _shape_of(value)
        case ast.Attribute(value=ast.Attribute(attr=name), attr="shape"):
            return name
        case ast.Call(func=ast.Attribute(value=ast.Attribute(attr=name), attr="size" | "numel")):
            return name
        case ast.Call(func=ast.Name(id="len"), args=[ast.Attribute(attr=name)]):
            return name
    return None


def _binds(statement: ast.stmt, attribute: ast.Attribute, value: ast.Name) -> bool:
    """The statement binds the attribute to what the name holds."""
    match statement:
        case ast.Assign(targets=[ast.Attribute(attr=attribute.attr)], value=ast.Name(id=value.id)):
            return True
    return False


def _makes(statement: ast.stmt) -> Iterator[str]:
    """The attributes that a statement binds, and the methods it calls."""
    match statement:
        case ast.Assign(targets=targets):
            yield from (target.attr for target in targets if isinstance(target, ast.Attribute))
        case ast.AnnAssign(target=ast.Attribute(attr=name)):
            yield name
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name))):
            yield name


def _parts(test: ast.expr) -> Iterator[ast.expr]:
    """The conditions of which each must hold."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        for value in test.values:
            yield from _parts(value)
    elif isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Gt | ast.GtE | ast.Is | ast.IsNot):
        yield test
        yield test.left
    else:
        yield test


def last_name(node: ast.expr) -> str:
    """The last word of a name, attribute or call: `loader` of `self.loader()`."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Call(func=func):
            return last_name(func)
        case ast.Subscript(value=value):
            return last_name(value)
    return ""


def loader_name(node: ast.expr) -> str | None:
    """The name of what yields batches, through `enumerate`, `tqdm`, `zip`, `iter`; None where no name says so."""
    name = last_name(node)
    if any(name.lower().strip("_").endswith(word) for word in naming.LOADER_WORDS):
        return name
    if isinstance(node, ast.Call):
        for argument in node.args:
            if (inner := loader_name(argument)) is not None:
                return inner
    return None


def mask_name(node: ast.expr) -> str | None:
    """The name of a mask, also behind `~`, `&` and `|`; None where no name says so."""
    match node:
        case ast.UnaryOp(op=ast.Invert(), operand=operand):
            return mask_name(operand)
        case ast.BinOp(op=ast.BitAnd() | ast.BitOr() | ast.BitXor(), left=left, right=right):
            return mask_name(left) or mask_name(right)
        case ast.Name() | ast.Attribute():
            name = last_name(node)
            return name if name.lower().rpartition("_")[2] in naming.MASK_WORDS else None
    return None


def names_evaluation(node: ast.expr) -> bool:
    """What is iterated over is named as data of evaluation: `val_loader`, `test_set`."""
    return bool(_EVALUATION.search((loader_name(node) or last_name(node)).lower()))
