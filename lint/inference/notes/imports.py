"""What the files of a project import from each other, and who runs them."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from ...facts.lookups import FOLDERS_OF_SCRIPTS, NO_SCRIPTS
from ...files.modules import NEVER_LOCAL, Modules
from ..often.roles import is_test
from .mentions import Mentions


def _is_within(folder: str, tops: Collection[str]) -> bool:
    """Whether a folder is one of others, or is in one."""
    while folder not in tops:
        above = os.path.dirname(folder)
        if above == folder:
            return False
        folder = above
    return True


class Imports:
    """What the files of a project import from each other; `told` is what they mention."""

    def __init__(self, modules: Modules, told: Mapping[str, Mentions]) -> None:
        self._modules = modules
        self.told = told
        self._places = {name: os.path.split(os.path.abspath(name)) for name in told}
        self._packages = {folder for folder, base in self._places.values() if base == "__init__.py"}
        self._named: dict[str, list[str]] = {}
        for name in told:
            self._named.setdefault(modules.name(name)[0], []).append(name)
        self._known: dict[str, list[str]] = {}
        self._run: dict[str, Sequence[str]] = {}

    def is_program(self) -> bool:
        """Whether scripts that are in no package run what other files define."""
        return any(set(self._imported(name)) - {name} for name in self._scripts)

    def alone(self) -> frozenset[str]:
        """Return the scripts that nothing imports."""
        return frozenset(self._scripts) - self._wanted

    def beside_scripts(self) -> frozenset[str]:
        """Return the files that are in no package, beside scripts that may import them."""
        folders = {self._places[name][0] for name in self._scripts}
        return frozenset(name for name, (folder, _) in self._places.items() if folder in folders)

    def of_programs(self) -> frozenset[str]:
        """Return the files of packages that have a program of their own among them: what it leaves out, others name."""
        folders = (self._places[name][0] for name in self._run_by_name if self._is_of_package(self._places[name][0]))
        tops = {self._top_package(each) for each in folders}
        return frozenset(name for name, (folder, _) in self._places.items() if self._top_package(folder) in tops)

    def _top_package(self, folder: str) -> str:
        """Return the highest package that a folder is in; the folder itself if it is in none."""
        found = folder
        while folder not in (self._modules.root, os.path.dirname(folder)):
            found = folder if folder in self._packages else found
            folder = os.path.dirname(folder)
        return found

    @cached_property
    def _scripts(self) -> list[str]:
        return [name for name in self._run_by_name if not self._is_of_package(self._places[name][0])]

    @cached_property
    def _run_by_name(self) -> list[str]:
        """The files that somebody runs, but for tests and what tools run."""
        return [
            name
            for name, each in self.told.items()
            if each.script and self._places[name][1] not in NO_SCRIPTS and not self.is_test(name)
        ]

    def around(self, names: Iterable[str]) -> frozenset[str]:
        """Return the files that may be named by those which import what a text names: all of their programs."""
        places = {self._places[name][0] for name in self._scripts}
        homes = places | {os.path.dirname(each) for each in places if os.path.basename(each) in FOLDERS_OF_SCRIPTS}
        tops = {self._top(self._places[name][0], homes) for name in names}
        inside = {folder for folder in {folder for folder, _ in self._places.values()} if _is_within(folder, tops)}
        return frozenset(name for name, (folder, _) in self._places.items() if folder in inside)

    def _top(self, folder: str, homes: Collection[str]) -> str:
        """Return the highest folder above a file that has scripts in it; the project's if none has."""
        root, found = self._modules.root, self._modules.root
        while folder.startswith(root) and folder != root:
            found = folder if folder in homes else found
            folder = os.path.dirname(folder)
        return root if root in homes else found

    def under(self, names: Iterable[str]) -> Iterator[str]:
        """Yield the files that others may import by names of which only the beginning is known."""
        for name in names:
            for start in self.told[name].under.split():
                package, _, begin = start.rpartition(".")
                inside = f"{self._modules.full(package, name)}.{begin}" if package else begin
                found = [each for module in self._named if module.startswith(inside) for each in self._named[module]]
                yield from found or self._anywhere(start)

    def gets_by_name(self, names: Iterable[str]) -> bool:
        """Whether what files import by computed names is asked for something by one; else others name what they use."""
        return any(self._gets_by_name(name) for name in names if self._places[name][1] not in NO_SCRIPTS)

    def _gets_by_name(self, name: str) -> bool:
        told = self.told[name]
        is_asked = any(each == "*" or self.is_local(each, name) for each in told.asked.split())
        return is_asked or (bool(told.any_module or told.under) and not told.only_imports)

    def _anywhere(self, start: str) -> Iterator[str]:
        """Yield the files of modules anywhere in whose name something begins like this: the path may lead there."""
        return (file for module, files in self._named.items() if f".{start}" in f".{module}" for file in files)

    def reached(self, also: Iterable[str] = ()) -> set[str]:
        """Return the files that somebody runs or imports, or that are imported then; and those that others import."""
        return self._with_imports([*also, *(name for name in self.told if self._is_run(name))])

    def _with_imports(self, names: Iterable[str]) -> set[str]:
        """Return files with all that they import."""
        todo = [*names]
        found = set(todo)
        while todo:
            more = set(self._imported(todo.pop())) - found
            found |= more
            todo += more
        return found

    def opened(self, named: frozenset[str]) -> frozenset[str]:
        """Return the files any of whose names the `named` ones may use: as their modules, or by a star in those."""
        todo = [file for name in named for file in (name, *self._modules_of(name))]
        found = set(todo)
        while todo:
            name = todo.pop()
            stars = (each.removesuffix(".*") for each in self.told[name].imports.split() if each.endswith(".*"))
            more = {file for star in stars for file in self._meant(name, star)} - found
            found |= more
            todo += more
        return frozenset(found)

    def starred(self) -> frozenset[str]:
        """Return the files that some file imports with a star, and what they import themselves."""
        stars = ((name, each) for name, told in self.told.items() for each in told.imports.split() if each[-1] == "*")
        return frozenset(self._with_imports(file for name, star in stars for file in self._meant(name, star[:-2])))

    def _modules_of(self, name: str) -> Iterator[str]:
        """Yield the files that a file imports as modules, and not only names in them."""
        imports = f" {self.told[name].imports}"
        for module in imports.split():
            if f" {module}." not in imports:
                yield from self._named.get(self._modules.full(module, name), ())

    def _is_run(self, name: str) -> bool:
        """Whether somebody runs or imports a file: a script, a test, one at the project's top, a whole package.

        What others in its package import is a module, even if it tries itself when it is run. A library imports what
        registers there.
        """
        folder, base = self._places[name]
        is_top = folder == self._modules.root or (base == "__init__.py" and not self._is_inside(folder))
        is_module = folder in self._packages and name in self._wanted
        registered = self.told[name].registered.split()
        is_known = any(not self.is_local(each, name) for each in registered)
        return is_top or is_known or (not is_module and (self.told[name].entry or self.is_test(name)))

    @cached_property
    def _wanted(self) -> frozenset[str]:
        """The files that others import."""
        return frozenset(each for name in self.told for each in self._imported(name) if each != name)

    def _is_inside(self, folder: str) -> bool:
        """Whether some folder above is a package."""
        while folder not in (self._modules.root, os.path.dirname(folder)):
            folder = os.path.dirname(folder)
            if folder in self._packages:
                return True
        return False

    def _is_of_package(self, folder: str) -> bool:
        """Whether a folder is a package, or in one that is imported by its name: a project may be one by mistake."""
        return folder in self._packages or (self._is_inside(folder) and not self._is_mistaken)

    @cached_property
    def _is_mistaken(self) -> bool:
        """Whether the project itself looks like a package, and no file imports it as one."""
        start = f"{os.path.basename(self._modules.root)}."
        imports = (name for each in self.told.values() for name in each.imports.split())
        return self._modules.root in self._packages and not any(name.startswith(start) for name in imports)

    def module(self, filename: str) -> str:
        """Return the name under which a file is imported."""
        return self._modules.name(filename)[0]

    def full(self, written: str, filename: str) -> str:
        """Return the full name of what a file imports, as it is written there."""
        return self._modules.full(written, filename)

    def is_module(self, name: str) -> bool:
        """Whether a full name is one of the project's modules."""
        return name in self._named

    def is_local(self, imported: str, name: str) -> bool:
        """Whether an import in a file may be of the project, and not of a library."""
        return any(True for _ in self._meant(name, imported))

    def is_test(self, name: str) -> bool:
        """Whether a file is test code."""
        folder, base = self._places[name]
        return is_test(folder.removeprefix(self._modules.root).split(os.sep), base)

    def _imported(self, name: str) -> list[str]:
        if name not in self._known:
            found = [file for each in self.told[name].imports.split() for file in self._meant(name, each)]
            self._known[name] = list(dict.fromkeys(found))
        return self._known[name]

    def _meant(self, name: str, imported: str) -> Iterator[str]:
        """Yield the files that an import in a file runs: a module and the packages that contain it."""
        full = self._modules.full(imported, name)
        yield from (found := self._run_by(full))
        if not found and not imported.startswith(".") and (parts := imported.split("."))[0] not in NEVER_LOCAL:
            yield from self._somewhere(parts, self._places[name][0])

    def _run_by(self, module: str) -> Sequence[str]:
        """Return the files that importing what is called like this runs; it is asked for the same by many."""
        if (known := self._run.get(module)) is None:
            found: list[str] = []
            package = module
            while package:
                found += self._named.get(package, ())
                package = package.rpartition(".")[0]
            known = self._run[module] = found
        return known

    def _somewhere(self, parts: list[str], folder: str) -> Iterator[str]:
        """Yield the files of modules anywhere whose name ends like an import: the path may lead there.

        Where a folder is no package, what is in it is imported from there, and finds what is beside it.
        """
        for end in range(len(parts), 0, -1):
            if files := self._endings.get(".".join(parts[:end])):
                beside = [each for each in files if self._places[each][0] == folder]
                yield from (beside if folder not in self._packages else ()) or files
                return

    @cached_property
    def _endings(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for module, files in self._named.items():
            parts = module.split(".")
            for start in range(len(parts)):
                found.setdefault(".".join(parts[start:]), []).extend(files)
        return found
