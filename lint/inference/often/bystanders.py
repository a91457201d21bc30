"""Functions that compute on tensors they are given, and yet are unlikely to be part of a step."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import NamedTuple

from ...facts import host, modules
from .gates import last_name
from .nested import nodes


class Company(NamedTuple):
    """What a file is about beside tensors: data frames, drawing, files, buffers of modules."""

    frames: bool
    drawing: bool
    writing: bool
    registering: bool


def company(text: str) -> Company:
    """Return what the text of a file mentions."""
    return Company(
        host.FRAME_CLASS in text,
        any(library in text for library in host.PLOTTING_LIBRARIES),
        any(name in text for name in ("open(", *host.WRITING_METHODS)),
        any(name in text for name in modules.REGISTERING),
    )


def no_step(node: ast.FunctionDef | ast.AsyncFunctionDef, about: Company) -> bool:
    """Whether a function draws, writes files, sets up buffers, works on data frames, or makes its class."""
    if _makes_its_class(node) or (about.frames and _takes_frames(node)):
        return True
    if about.registering and _registers(node.body):
        return True
    return (about.drawing and _draws(node)) or (about.writing and _writes_files(node))


def _makes_its_class(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether this is a constructor by another name: a class method that returns `cls(…)`."""
    if not any(isinstance(each, ast.Name) and each.id == "classmethod" for each in node.decorator_list):
        return False
    match node.body[-1]:
        case ast.Return(value=ast.Call(func=ast.Name(id="cls"))):
            return True
    return False


def _writes_files(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function opens a file to write, or calls what does."""
    for each in nodes(node):
        match each:
            case ast.Call(func=ast.Name(id="open"), args=[_, ast.Constant(value=str() as mode), *_]):
                if mode[:1] in ("w", "a"):
                    return True
            case ast.Call(func=ast.Attribute(attr=name)) if name in host.WRITING_METHODS:
                return True
    return False


def _registers(body: Iterable[ast.stmt]) -> bool:
    """Whether a body registers buffers or parameters, as is done when a module is made; a branch may replace them."""
    for each in body:
        match each:
            case ast.Expr(value=ast.Call() as call) if last_name(call) in modules.REGISTERING:
                return True
            case ast.For(body=inner) | ast.With(body=inner) if _registers(inner):
                return True
    return False


def _takes_frames(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    written = [ast.unparse(each.annotation) for each in _given(node) if each.annotation is not None]
    return any(host.FRAME_CLASS in each for each in written)


def _given(node: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[ast.arg, ...]:
    return (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)


def _draws(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function uses a library that draws, by the name that everybody gives it or one it imports itself."""
    for each in nodes(node):
        match each:
            case ast.Attribute(value=ast.Name(id=name)) if name in host.PLOTTING_NAMES:
                return True
            case ast.ImportFrom(module=str() as module) if module.partition(".")[0] in host.PLOTTING_LIBRARIES:
                return True
    return False
