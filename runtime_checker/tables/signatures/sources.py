"""Where signatures are read from: torch's own stubs, its operator schemas and its Python source.

All three are converted to one form, `Overload`, so that the merging code need not know where a fact came from.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import torch

# The order in which kind letters are written.
LETTERS = "tTsfibdvx"

_KIND_OF_NAME = {
    "Tensor": "t", "Parameter": "t", "TensorBase": "t", "TensorLikeType": "t", "_tensor_or_tensors": "tT",
    "Number": "s", "NumberType": "s", "_complex": "s", "complex": "s",
    "_float": "f", "float": "f", "SymFloat": "f", "FloatLikeType": "f", "_ratio_any_t": "f",
    "_int": "i", "int": "i", "SymInt": "i", "IntLikeType": "i", "_size": "i", "_symsize": "i",
    "_bool": "b", "bool": "b", "SymBool": "b", "_dtype": "d", "dtype": "d",
    "DeviceLikeType": "v", "_device": "v", "device": "v", "Device": "v", "None": "", "Size": "i",
}  # fmt: skip
_LISTS = {"list", "List", "tuple", "Tuple", "Sequence", "Iterable", "Collection", "Iterator"}
_RESULT_OF_NAME = {
    "Tensor": "tensor", "Self": "tensor", "S": "tensor", "Parameter": "tensor",
    "_int": "int", "int": "int", "SymInt": "int", "_bool": "bool", "bool": "bool", "_float": "float",
    "float": "float", "Number": "number", "NumberType": "number", "str": "str", "Size": "size", "_dtype": "dtype",
    "dtype": "dtype", "_device": "device", "device": "device", "None": "none", "ndarray": "numpy", "list": "list",
}  # fmt: skip
_SCHEMA_KINDS = {
    "Tensor": "t", "Scalar": "s", "number": "s", "float": "f", "int": "i", "SymInt": "i", "bool": "b",
    "ScalarType": "d", "Device": "v", "complex": "s",
}  # fmt: skip
_SCHEMA_RESULTS = {"Tensor": "tensor", "Scalar": "number", "SymInt": "int", "int": "int", "bool": "bool",
                   "float": "float", "ScalarType": "dtype", "Device": "device", "str": "str"}  # fmt: skip
# What a parameter takes if only its name is given.
_USUAL_KINDS = {
    "tensor": "t", "input": "t", "input1": "t", "input2": "t", "target": "t", "query": "t", "key": "t", "value": "t",
    "hx": "x", "tensors": "T", "tensor_list": "T", "out": "t", "dtype": "d", "device": "v", "dim": "i",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Item:
    """One parameter of one overload; `only_true` marks `Literal[True]`, which selects an overload."""

    name: str
    kinds: str
    required: bool = True
    keyword_only: bool = False
    variadic: bool = False
    only_true: bool = False
    only_none: bool = False
    default: Any = None


@dataclass(frozen=True, slots=True)
class Overload:
    """One way to call a function, and what that returns."""

    items: tuple[Item, ...]
    result: str

    def without_first(self) -> Overload:
        """Return the overload as a method sees it."""
        return replace(self, items=self.items[1:])


def in_order(letters: Iterable[str]) -> str:
    """Return the set of kind letters in canonical order."""
    found = set(letters)
    return "".join(letter for letter in LETTERS if letter in found)


def kinds_of(node: ast.expr | None) -> str:
    """Return the kind letters that a type annotation accepts."""
    match node:
        case ast.Constant(value=None):
            return ""
        case ast.Constant(value=str(text)):
            return kinds_of(_parsed(text))
        case ast.BinOp(left=left, right=right):
            return in_order(kinds_of(left) + kinds_of(right))
        case ast.Subscript(value=base, slice=inner):
            return _kinds_of_generic(_last_name(base), inner)
        case ast.Name() | ast.Attribute():
            return _kind_of_name(_last_name(node))
    return "x"


def _kind_of_name(name: str) -> str:
    if name.startswith("_size_"):
        return "i"
    return _KIND_OF_NAME.get(name, "x")


def _kinds_of_generic(base: str, inner: ast.expr) -> str:
    parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
    if base == "Literal":
        return "b" if all(isinstance(p, ast.Constant) and isinstance(p.value, bool) for p in parts) else "x"
    letters = "".join(kinds_of(part) for part in parts if not _is_ellipsis(part))
    if base in ("Union", "Optional"):
        return in_order(letters)
    if base.startswith("BroadcastingList"):
        return in_order(letters)
    if base in _LISTS:
        return in_order(letters.replace("t", "T"))
    return "x"


def result_of(node: ast.expr | None) -> str:
    """Return the result word of a return annotation."""
    match node:
        case None:
            return "other"
        case ast.Constant(value=None):
            return "none"
        case ast.Constant(value=str(text)):
            return result_of(_parsed(text))
        case ast.Subscript(value=base, slice=inner):
            return _result_of_generic(_last_name(base), inner)
        case ast.BinOp(left=left, right=right):
            results = {result_of(left), result_of(right)} - {"none"}
            return results.pop() if len(results) == 1 else "other"
        case ast.Attribute(value=ast.Attribute(attr="return_types"), attr=name):
            return _structure(name)
        case ast.Name() | ast.Attribute():
            return _RESULT_OF_NAME.get(_last_name(node), "other")
    return "other"


def _structure(name: str) -> str:
    """Return the tuple that a named result of torch is; unknown for histogramdd, which nests a tuple."""
    fields = getattr(torch.return_types, name).n_sequence_fields
    return "other" if name == "histogramdd" else f"tuple:{fields}"


def _result_of_generic(base: str, inner: ast.expr) -> str:
    parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
    if base == "Optional":
        return result_of(parts[0])
    if base not in _LISTS or result_of(parts[0]) != "tensor":
        return "other"
    if base in ("tuple", "Tuple") and not any(_is_ellipsis(part) for part in parts):
        return f"tuple:{len(parts)}" if all(result_of(p) == "tensor" for p in parts) else "other"
    return "tensors"


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is Ellipsis


def _last_name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


@cache
def stub(path: str, owner: str = "") -> dict[str, tuple[Overload, ...]]:
    """Return the overloads of each function of a stub file, or of one class in it."""
    found: dict[str, list[Overload]] = {}
    body = ast.parse((Path(torch.__file__).parent / path).read_text(encoding="utf-8")).body
    if owner:
        body = next(node.body for node in body if isinstance(node, ast.ClassDef) and node.name == owner)
    for node in body:
        if isinstance(node, ast.FunctionDef):
            overload = _from_stub(node)
            found.setdefault(node.name, []).append(overload.without_first() if owner else overload)
    return {name: tuple(overloads) for name, overloads in found.items()}


@cache
def stub_attributes(path: str, owner: str) -> dict[str, str]:
    """Return the result word of each annotated attribute of a class in a stub file."""
    body = ast.parse((Path(torch.__file__).parent / path).read_text(encoding="utf-8")).body
    members = next(node.body for node in body if isinstance(node, ast.ClassDef) and node.name == owner)
    return {
        node.target.id: result_of(node.annotation)
        for node in members
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }


def _from_stub(node: ast.FunctionDef) -> Overload:
    arguments = node.args
    positional = arguments.posonlyargs + arguments.args
    required = len(positional) - len(arguments.defaults)
    items = [_stub_item(arg, i < required) for i, arg in enumerate(positional)]
    if arguments.vararg:
        items.append(replace(_stub_item(arguments.vararg, False), variadic=True))
    for arg, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        items.append(replace(_stub_item(arg, default is None), keyword_only=True))
    return Overload(tuple(items), result_of(node.returns))


def _stub_item(arg: ast.arg, required: bool) -> Item:
    text = ast.unparse(arg.annotation) if arg.annotation else ""
    kinds = kinds_of(arg.annotation) if arg.annotation and text != "Any" else _USUAL_KINDS.get(arg.arg, "x")
    return Item(arg.arg, kinds, required, only_true=text == "Literal[True]", only_none=text == "None")


def from_python(function: Callable[..., Any], known: Iterable[Overload] = ()) -> Overload | None:
    """Return the overload a Python function declares; what it does not annotate comes from `known`."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return None
    kinds: dict[str, str] = {}
    for item in (item for overload in known for item in overload.items):
        kinds[item.name] = in_order(kinds.get(item.name, "") + item.kinds)
    items = tuple(
        _python_item(parameter, kinds)
        for parameter in signature.parameters.values()
        if parameter.kind is not parameter.VAR_KEYWORD
    )
    return Overload(items, result_of(_annotation(signature.return_annotation)))


def _python_item(parameter: inspect.Parameter, known: dict[str, str]) -> Item:
    annotation = _annotation(parameter.annotation)
    kinds = kinds_of(annotation) if annotation else known.get(parameter.name) or _kind_of_default(parameter)
    return Item(
        parameter.name, kinds,
        required=parameter.default is parameter.empty and parameter.kind is not parameter.VAR_POSITIONAL,
        keyword_only=parameter.kind is parameter.KEYWORD_ONLY,
        variadic=parameter.kind is parameter.VAR_POSITIONAL,
        default=None if parameter.default is parameter.empty else parameter.default,
    )  # fmt: skip


def _kind_of_default(parameter: inspect.Parameter) -> str:
    of_default = {bool: "b", int: "i", float: "f"}.get(type(parameter.default))
    return of_default or _USUAL_KINDS.get(parameter.name, "x")


def _annotation(annotation: Any) -> ast.expr | None:
    if annotation is inspect.Parameter.empty:
        return None
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    try:
        return _parsed(text)
    except SyntaxError:  # the text of some objects, such as TypeVars, is not an expression
        return ast.Name(id="unreadable")


@cache
def schemas() -> dict[str, tuple[Overload, ...]]:
    """Return the operator schemas that take or make tensors, by their name without `aten::`."""
    found: dict[str, list[Overload]] = {}
    for schema in sorted(map(str, torch._C._jit_get_all_schemas())):
        matched = re.fullmatch(r"aten::(\w+)(?:\.(\w+))?\((.*)\) -> (.*)", schema)
        writes_out = matched and "!" in matched[3].partition("*, ")[2]
        if matched and not writes_out and "Tensor" in schema:
            result = _schema_result(re.sub(r"\([a-z][^()]*\)", "", matched[4]))
            found.setdefault(matched[1], []).append(Overload(tuple(_schema_items(matched[3])), result))
    return {name: tuple(overloads) for name, overloads in found.items()}


def _schema_items(text: str) -> Iterable[Item]:
    keyword_only = False
    text = re.sub(r"(?<=[A-Za-z])\([a-z][^()]*\)", "", text)  # alias marks: Tensor(a!) -> Tensor
    for part in re.split(r", (?![^\[]*\])", text) if text else ():
        if part == "*":
            keyword_only = True
            continue
        declaration, _, default = part.partition("=")
        kind, _, name = declaration.rpartition(" ")
        yield Item("input" if name == "self" else name, _schema_kinds(kind), not default, keyword_only)


def _schema_kinds(kind: str) -> str:
    letter = _SCHEMA_KINDS.get(re.split(r"[\[?]", kind, maxsplit=1)[0], "x")
    return "T" if letter == "t" and "]" in kind else letter


def _schema_result(text: str) -> str:
    if text == "()":
        return "none"
    if text.startswith("("):
        parts = text[1:-1].split(", ")
        return f"tuple:{len(parts)}" if all(part.split(" ")[0] == "Tensor" for part in parts) else "other"
    return "tensors" if text == "Tensor[]" else _SCHEMA_RESULTS.get(text.split(" ")[0], "other")
