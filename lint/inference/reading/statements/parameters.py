"""Reads a function's parameters: each is what its annotation says, or else an open question."""

from __future__ import annotations

import ast
from functools import partial

from ....facts import autograd
from ...library import docstrings
from ...library.promises import is_open, like, may_be_alias
from ...notes.summary import FunctionSummary
from ...often.signature import written
from ...values.joining import join_all
from ...values.ops import Op
from ...values.tensors import WHOLE
from ...values.union import NONE, UNKNOWN, Class, Deferred, Host, Instance, Sequence, Tensor, Value, defer, options_of
from ..state.annotations import value_of
from ..state.file_state import FileState
from ..state.frame import Frame, FunctionNode


def bind_parameters(
    frame: Frame, node: FunctionNode, summary: FunctionSummary, in_class: bool, decorators: list[str]
) -> None:
    """Give each parameter its value: what its annotation says, or else an open question."""
    args, documented = node.args, _documented(frame, node)
    of_class = in_class and "classmethod" in decorators
    with_context = in_class and summary.static and not of_class and _is_given_context(frame, node.name)
    told = Tensor() if with_context and node.name in autograd.GRADIENTS else None
    for at, (argument, default) in enumerate(written(args)):
        if at == 0 and of_class:
            frame.env[argument.arg] = Class(frame.cls)
        elif at == 0 and ((in_class and not summary.static) or with_context):
            frame.env[argument.arg] = Instance(frame.cls)
        else:
            given = documented.get(argument.arg, told)
            frame.env[argument.arg] = parameter(frame, argument, default, summary, given)
    summary.parameters = tuple(each.arg for each in (*args.posonlyargs, *args.args))[of_class:]
    for extra, kind in ((args.vararg, "tuple"), (args.kwarg, "dict")):
        if extra is not None:
            each = parameter(frame, extra, None, summary)
            frame.env[extra.arg] = Sequence(kind, None, each)
            frame.spread = each if kind == "dict" else None
            summary.extra = extra.arg if kind == "dict" else ""


def _is_given_context(frame: Frame, method: str) -> bool:
    """Whether torch calls a static method of this class with a context, which is one for all of them."""
    if method not in autograd.WITH_CONTEXT or frame.file.inheritance.kind(frame.cls) != autograd.KIND:
        return False
    return method != autograd.RUNS or frame.file.inheritance.method(frame.cls, autograd.SETUP) is None


def parameter(
    frame: Frame, argument: ast.arg, default: ast.expr | None, summary: FunctionSummary, documented: Value | None = None
) -> Value:
    """Return the value of one parameter, and record its question, declared value and default in the summary.

    `documented` is what the docstring promises, which counts if there is no annotation.
    """
    declared = value_of(argument.annotation, frame.eval) if argument.annotation else documented or UNKNOWN
    term = Deferred(Op.PARAMETER, f"{summary.name}:{argument.arg}", _whole(declared))
    summary.terms[argument.arg] = term
    if default is not None:
        summary.defaults[argument.arg] = frame.eval(default)
    if declared is UNKNOWN or _is_contradicted(declared, default):
        return term
    if argument.annotation is None and isinstance(declared, Instance) and not _is_settled(frame.file, declared.cls):
        return defer(Op.DECLARED, declared.cls, (term, declared, Host("str", docstrings.DOCUMENTED)))
    summary.declared[argument.arg] = declared
    if isinstance(default, ast.Constant) and default.value is None:
        declared = join_all((declared, NONE))
    if all(isinstance(option, Host) or is_open(option) for option in options_of(declared)):
        return term  # many an `n: int` is given a tensor; if no caller is seen to, linking believes the annotation
    value = like(declared, term, partial(_is_settled, frame.file))
    if value != declared and any(isinstance(option, Tensor | Sequence) for option in options_of(value)):
        summary.tensors = True
    return value


def _is_contradicted(declared: Value, default: ast.expr | None) -> bool:
    """Whether a parameter is a tensor by its annotation, and by its default a truth value: `x: Tensor = True`."""
    is_truth = isinstance(default, ast.Constant) and isinstance(default.value, bool)
    return is_truth and all(isinstance(option, Tensor) or option == NONE for option in options_of(declared))


def _is_settled(file: FileState, cls: str) -> bool:
    """Whether a class is one of the file, with all of its bases, and none whose objects are moved, as batches are."""
    defined = file.summary.classes
    if cls not in defined or file.inheritance.method(cls, "to") is not None:
        return False
    return not any(may_be_alias(base) for base in file.inheritance.bases(cls) if base not in defined)


def _documented(frame: Frame, node: FunctionNode) -> dict[str, Value]:
    """Return what the docstring promises for parameters; it is not read if all are annotated."""
    args = node.args
    if all(each.annotation for each in (*args.args, *args.kwonlyargs)):
        return {}
    return docstrings.declared(ast.get_docstring(node, clean=False), partial(_object, frame))


def _object(frame: Frame, cls: str) -> Value:
    """Return an instance of the class with this name; Unknown if no module of the project may define it."""
    found = value_of(ast.Constant(cls), frame.eval)
    is_own = isinstance(found, Instance) and (found.cls in frame.file.summary.classes or may_be_alias(found.cls))
    return found if is_own else UNKNOWN


def _whole(declared: Value) -> tuple[Value, ...]:
    """Return what else is known about a parameter's question: that it is declared an integer."""
    is_whole = all(isinstance(option, Host) and option in (WHOLE, NONE) for option in options_of(declared))
    return (WHOLE,) if is_whole and declared != NONE else ()
