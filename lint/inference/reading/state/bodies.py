"""What the functions of a file keep beyond their calls: what methods bind, and names of the module."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from functools import cached_property

from ...library.inheritance import Inheritance
from ...often.latches import Bound, set_later
from ...often.nested import bound_by, declared_global, statements


class Bodies:
    """The bodies of a module's functions, looked at when somebody asks for what they bind."""

    def __init__(self, tree: ast.Module, module: str, inheritance: Inheritance, has_globals: bool) -> None:
        self._tree = tree
        self._module = module
        self._inheritance = inheritance
        self._has_globals = has_globals
        self._later: dict[str, frozenset[Bound]] = {}
        self._bound_globally: dict[ast.stmt, frozenset[str]] = {}
        self._binding: dict[ast.stmt, dict[str, list[ast.stmt]]] = {}

    def set_later(self, cls: str) -> frozenset[Bound]:
        """Return the attributes that methods of a class, or functions, bind to constants."""
        if (known := self._later.get(cls)) is None:
            owners = ("", *self._inheritance.bases(cls)) if cls else ("",)
            known = self._later[cls] = frozenset[Bound]().union(*(self._set_later.get(each, ()) for each in owners))
        return known

    @cached_property
    def _set_later(self) -> dict[str, frozenset[Bound]]:
        """What methods of each class bind to constants; under an empty name what functions outside of classes do."""
        body = self._tree.body
        classes = {
            f"{self._module}.{each.name}": set_later(each.body) for each in body if isinstance(each, ast.ClassDef)
        }
        return {**classes, "": set_later([each for each in body if not isinstance(each, ast.ClassDef)])}

    def bound_globally(self, function: ast.FunctionDef | ast.AsyncFunctionDef | None) -> frozenset[str]:
        """Return the names of the module that a function says it binds, found out once."""
        if function is None or not self._has_globals:
            return frozenset()
        if (known := self._bound_globally.get(function)) is None:
            known = self._bound_globally[function] = frozenset(declared_global(function.body))
        return known

    def binding(self, body: Sequence[ast.stmt]) -> Mapping[str, Sequence[ast.stmt]]:
        """Return the statements of a function that bind each of its names, found out once."""
        if (known := self._binding.get(body[0])) is None:
            known = self._binding[body[0]] = {}
            for each in statements(body):
                for name in bound_by(each):
                    known.setdefault(name, []).append(each)
        return known

    def own_body(self, cls: str, method: str) -> Sequence[ast.stmt]:
        """Return the statements of a method that objects of a class have from this file; none if they have no such."""
        return self._bodies.get(self._inheritance.method(cls, method) or "", ())

    def methods(self, cls: str) -> Mapping[str, Sequence[ast.stmt]]:
        """Return the bodies of the methods that a class of this file has itself, by their names."""
        return {name.rpartition(".")[2]: body for name, body in self._bodies.items() if name.rpartition(".")[0] == cls}

    @cached_property
    def _bodies(self) -> dict[str, list[ast.stmt]]:
        """The methods of the module's classes, by their full names."""
        classes = (each for each in self._tree.body if isinstance(each, ast.ClassDef))
        return {
            f"{self._module}.{cls.name}.{each.name}": each.body
            for cls in classes
            for each in cls.body
            if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
        }
