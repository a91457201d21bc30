"""Functions that nothing in a project runs, as far as names tell."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Final, Protocol

from ....facts import lightning
from ....facts.lookups import CALLED_BY_TORCH, METHODS_OF_MODULE
from .families import Families

if TYPE_CHECKING:
    from ...notes.uses import Uses
    from .project_index import ProjectIndex


PROGRAM: Final = ":"
"""Stands among the modules of a project that scripts run."""
UNFITTED: Final = "nothing in the project makes or runs a `Trainer` of Lightning"
"""Why hooks of Lightning do not run."""


class Defined(Protocol):
    """A file's module, whether it is test code, and the full names of the functions and classes that it defines."""

    @property
    def filename(self) -> str: ...

    @property
    def module(self) -> str: ...

    @property
    def tests(self) -> bool: ...

    @property
    def functions(self) -> Collection[str]: ...

    @property
    def classes(self) -> Collection[str]: ...


def unused_in(index: ProjectIndex, defined: Iterable[Defined], uses: Uses | None) -> dict[str, str]:
    """Return the full names of what nothing in a project runs, functions and classes, and why that is so."""
    return {} if uses is None else dict(_unused(index, defined, uses))


def inner_in(defined: Iterable[Defined], uses: Uses | None) -> list[str]:
    """Return the modules whose functions nothing outside of the project calls; with a colon, nor anything in others.

    A colon alone says that the project is a program.
    """
    if uses is None:
        return []
    return sorted(filter(None, (PROGRAM if uses.program else "", *(_as_inner(each, uses) for each in defined))))


def _as_inner(file: Defined, uses: Uses) -> str:
    if file.filename in uses.inner:
        return file.module
    is_alone = file.filename in uses.scripts and file.filename not in uses.own | uses.methods | uses.open
    return f"{file.module}:" if is_alone else ""


def _unused(index: ProjectIndex, defined: Iterable[Defined], uses: Uses) -> Iterator[tuple[str, str]]:
    defined = [*defined]
    mentioned = _Mentioned(index, uses)
    is_unfitted = uses.program and not uses.fitting
    for file in defined:
        if file.filename in uses.unreached:
            named = (name for name in file.functions if name and not name.endswith(":"))
            yield from ((name, "no script of the project imports this file") for name in named)
            continue
        is_open_file = file.filename not in uses.scripts and (not uses.program or file.filename in uses.open)
        of_classes = uses.program and file.filename in uses.classes
        of_functions = uses.program and file.filename in uses.functions
        is_housed = file.filename in uses.housed - uses.open
        for name in (*file.classes, *file.functions):
            owner, _, last = name.rpartition(".")
            is_plain = owner == file.module
            is_own = file.filename in (uses.methods if owner in index.classes else uses.own)
            if mentioned.has(name, last, file):
                continue
            if mentioned.has_text(last):
                is_function = is_plain and name not in file.classes and not index.is_offered(name)
                if not is_function or is_own or file.filename in uses.open or not mentioned.compares(last):
                    continue
            is_open = is_open_file and (name in file.classes or not (of_classes or (of_functions and not is_plain)))
            if is_housed and is_plain and name not in file.classes:
                is_open = index.is_public(name)
            if is_unfitted and _is_hook(name, last, index):
                yield name, UNFITTED
            elif not is_own and _is_judged(name, last, is_open, index):
                yield name, f"nothing in the project mentions `{last}`"


def _is_hook(name: str, last: str, index: ProjectIndex) -> bool:
    """Whether a function is a method that nothing but a Trainer of Lightning calls."""
    kind = index.inheritance.kind(name.rpartition(".")[0])
    return kind is not None and (kind, last) in lightning.HOOKS


class _Mentioned:
    """What files mention, each name as what it stands for."""

    def __init__(self, index: ProjectIndex, uses: Uses) -> None:
        self._names = names = uses.names
        self._starred = uses.starred
        self._computed = tuple(each[:-1] for each in names.words if each[-1] == "*")
        self._families = Families(index)
        self._asking: dict[str, list[str]] = {}
        for each in names.defined:
            if ":" in each:
                cls, _, asked = each.partition(":")
                self._asking.setdefault(asked, []).append(cls)
        self._imported = {index.canonical(each) for each in names.imported}
        known = (index.classes, index.functions)
        unknown = (each for each in self._imported if not any(each in names for names in known))
        self._others = names.anything.keys() | {each.rpartition(".")[2] for each in unknown}

    def has(self, name: str, last: str, file: Defined) -> bool:
        """Whether a function or class of a module is mentioned, with its last name or as what another file imports."""
        if last in self._names.words or last.startswith(self._computed) or not last.isidentifier():
            return True
        module = file.module
        if name == f"{module}.{last}" and f"%{last}" in self._names.words and file.filename in self._starred:
            return True
        if last in self._others or f"{module}.{last}" in self._names.defined or name in self._imported:
            return True
        return name != f"{module}.{last}" and (f".{last}" in self._names.words or self._is_asked_for(name, last))

    def _is_asked_for(self, method: str, last: str) -> bool:
        """Whether a class asks its own objects for a method that may be this one."""
        cls = method.rpartition(".")[0]
        return any(self._families.may_share(each, cls) for each in self._asking.get(last, ()))

    def has_text(self, last: str) -> bool:
        """Whether a text may name a function or class."""
        return f'"{last}' in self._names.words

    def compares(self, last: str) -> bool:
        """Whether something is compared with a text, which is a value then, as `train` of `mode == "train"`."""
        return f"={last}" in self._names.words


def _is_judged(name: str, last: str, is_open: bool, index: ProjectIndex) -> bool:
    """Whether something that is not mentioned is run by nothing else: by users of a library, or by a base class."""
    if last.startswith("__") or (is_open and not last.startswith("_")):
        return False
    cls = name.rpartition(".")[0]
    if cls not in index.classes:
        return True
    libraries = {each for each in index.inheritance.bases(cls) if each not in index.classes and each != "object"}
    if not last.startswith("_"):
        return not libraries or (libraries == {"torch.nn.Module"} and last not in METHODS_OF_MODULE)
    return all(each.startswith("torch.") for each in libraries) and not (libraries and last in CALLED_BY_TORCH)
