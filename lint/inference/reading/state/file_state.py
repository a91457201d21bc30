"""A file while it is read: its module's names, its classes, and what its text and place say about it."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property

from ....declared import DEFAULT_DEVICE, Declared, Fact
from ....facts import host, libraries
from ....facts.attributes import ARRAY_METHODS, SELDOM_OF_ARRAYS
from ....facts.command_lines import OPTIONS
from ....facts.devices import DEFAULT_SETTERS
from ....files.modules import NEVER_LOCAL, Modules, path_in
from ....files.source import Source
from ....finding import Frequency, Level, Reason
from ....limits import NEAR_OUTSIDE
from ....regex import in_lines_with, regex
from ...library import imports
from ...library.import_paths import script_paths
from ...library.inheritance import Inheritance
from ...library.method_names import tensor_only
from ...notes.recorder import Recorder
from ...notes.summary import ClassSummary, FileSummary, FunctionSummary
from ...notes.tables import Tables
from ...notes.watched import watched
from ...often.bystanders import Company, company
from ...often.feedback import Feedback
from ...often.moving_functions import moving_functions
from ...often.regions import Region
from ...often.roles import evaluates, role_of_place
from ...values.lattice import OPEN
from ...values.ops import Op
from ...values.placement import on_device
from ...values.union import Deferred, Function, Instance, Value
from .bodies import Bodies
from .scope import Names

_NUMPY = regex(host.NUMPY)
_EVAL = regex(r"\n?.*?\b(\w+)\.eval\(\)")
_BOUND = regex(r"\b(?P<root>\w+)(?P<parts>(?:\.\w+){0,8})\.(?P<name>\w+)[ \t]*[-+*/]?=[^=]")
_BOUND_AS_TEXT = regex(r"setattr(?:__)?\([^,\n]+,\s*[\"'](\w+)[\"']")
_BOUND_BY_NAME = regex(r"\bsetattr\((?!\s*[\w.]+\s*,\s*[\"'])|__dict__(?:\.update\(|\[[^]\n]*\][ \t]*=|[ \t]*\|?=[^=])")
"""What binds attributes whose names are computed."""
_IMPORT = regex(r"\n?[ \t]*(?:from|import)[ \t]([^\n#]*)")
NOT_CALLED = Frequency(Level.NEVER, (Reason("nothing calls this lambda"),))


@cache
def _any_of(libraries: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(libraries)})\b")


def _lines_with_imports(text: str) -> str:
    """Return the lines of a text that import something, without comments."""
    lines = (each for word in ("from", "import") for each in in_lines_with(word, _IMPORT, text))
    return "\n".join(each[1] for each in lines)


def _names(libraries: tuple[str, ...], lines: str) -> bool:
    """Whether imports are of one of these libraries, or of something named like one in another file."""
    return _any_of(libraries).search(lines) is not None


class FileState:
    """The state that the frames of one file share.

    `assigned` counts how often each class binds its attributes, `conditions` are what regions hang on, `hanging` the
    regions that do, `rebound` where functions bind their parameters anew, `lambdas` are those read so far, `replaced`
    what is defined again before anything can use it, `chosen` what constructors choose for attributes by what is asked
    of others, `wrapped` the names of what wraps loaders, `sets_default` says that the file sets the device where
    tensors are made that are given none, `has_default` that it does so or was seen to do so for a while, or that the
    configuration says so (`default_device`), `role` is how often everything in a file at this place runs, `evaluation`
    how often what nothing else is known of, `only_uses` that of a script that trains nothing.
    """

    def __init__(
        self,
        source: Source,
        modules: Modules | None = None,
        gpu_names: tuple[str, ...] = (),
        calls: frozenset[str] = frozenset(),
        facts: tuple[Fact, ...] = (),
        default_device: str = DEFAULT_DEVICE,
    ) -> None:
        self.source = source
        self.modules = modules or Modules(files=[source.filename])
        self.folder = os.path.dirname(os.path.abspath(source.filename))
        self.gpu_names = frozenset(gpu_names)
        self.watched = watched(calls.union(each.last_name for each in facts if each.does != "moves-to-device"))
        self.declared = Declared(facts) if facts else None
        self.recorder = Recorder(source)
        self.module, self.is_package = self.modules.name(source.filename)
        folders = self.folders_inside()
        self.role = role_of_place(folders)
        self.evaluation = evaluates(folders, os.path.basename(source.filename))
        self.summary = FileSummary(source.filename, self.module, tests=self.is_test)
        self.summary.added = script_paths(source.text, source.tree)
        self.inheritance = Inheritance(self.summary.classes)
        self.globals: Names = {}
        self.passed: set[str] = set()
        self.rebound_globals: Names = {}
        self.assigned: dict[str, dict[str, int]] = {}
        self.has_setters = ".setter" in source.text
        self.has_generators = "yield" in source.text
        self.has_walrus = ":=" in source.text
        self.has_globals = "global " in source.text
        self.conditions: dict[tuple[ast.expr, bool], tuple[str, ...]] = {}
        self.hanging: list[Region] = []
        self.wrapped: dict[ast.stmt, dict[str, list[ast.expr]]] = {}
        self.rebound: dict[ast.FunctionDef | ast.AsyncFunctionDef, dict[str, int]] = {}
        self.lambdas: dict[ast.Lambda, FunctionSummary] = {}
        self.replaced: set[ast.stmt] = set()
        self.chosen: dict[tuple[str, str], dict[str, tuple[Value, Value]]] = {}
        self.bodies = Bodies(source.tree, self.module, self.inheritance, "global " in source.text)
        self._feedback: dict[ast.stmt, Feedback] = {}
        self.sets_default = any(name.rpartition(".")[2] in source.text for name in DEFAULT_SETTERS)
        self.default_device = default_device
        self.has_default = self.sets_default or default_device != DEFAULT_DEVICE
        lines = _lines_with_imports(source.text)
        frames = host.FRAME_CLASS in source.text or _names(host.FILES_WITH_FRAMES, lines)
        others = _names(host.FILES_WITH_OTHER_TENSORS, lines)
        self.tensor_methods = tensor_only(frames) if frames or others else tensor_only(frames) | SELDOM_OF_ARRAYS
        arrays = _names(host.FILES_WITH_ARRAYS, lines) or bool(_NUMPY.search(source.text))
        self.has_arrays = frames or others or arrays

    def let_go(self) -> None:
        """Cut the circle through what tells conditions, so that the memory of a file that was read is free at once."""
        for region in self.hanging:
            region.conditions = region.lets_through = None

    @property
    def is_test(self) -> bool:
        """Whether the file is test code, in which nothing counts."""
        return self.role is not None and self.role.level is Level.NEVER

    @cached_property
    def set_to_evaluation(self) -> frozenset[str]:
        """The names, or attributes, that are set to evaluation in the file, which modules are."""
        return frozenset(each[1] for each in in_lines_with(".eval()", _EVAL, self.source.text)) - {"self", "super"}

    @property
    def binds_by_name(self) -> bool:
        """Whether the file may bind any attributes of its objects, by computed names."""
        return _BOUND_BY_NAME.search(self.source.text) is not None

    @cached_property
    def bound_from_outside(self) -> frozenset[str]:
        """The names of attributes that the file binds on anything but `self`: `net.temperature = 2.0`."""
        found = _BOUND.finditer(self.source.text)
        plain = frozenset(each["name"] for each in found if each["root"] not in ("self", "cls") or each["parts"])
        return plain.union(_BOUND_AS_TEXT.findall(self.source.text))

    @cached_property
    def imported_modules(self) -> frozenset[str]:
        """The names that the module binds to other modules, which no loop changes by calling what is in them."""
        nodes = (each for each in self.source.tree.body if isinstance(each, ast.Import))
        return frozenset((name.asname or name.name).partition(".")[0] for each in nodes for name in each.names)

    @cached_property
    def company(self) -> Company:
        """What the file is about beside tensors."""
        return company(self.source.text)

    @cached_property
    def tables(self) -> Tables:
        """What the file does with its dicts."""
        return Tables(self.source.text)

    @cached_property
    def moving(self) -> Mapping[str, Mapping[str, int]]:
        """The functions that move what they are given in place, with the parameters that they do it to."""
        return moving_functions(self.source.tree, self.source.text)

    def feedback(self, body: Sequence[ast.stmt]) -> Feedback:
        """Return what passes of the loop with this body hand to later ones, found out once."""
        if body[0] not in self._feedback:
            self._feedback[body[0]] = Feedback(body)
        return self._feedback[body[0]]

    def folders_inside(self) -> tuple[str, ...]:
        """Return the project's folders that contain the file; for a file outside it, the last few."""
        folders = path_in(self.folder, self.modules.root)
        return folders if self.folder.startswith(self.modules.root) else folders[-NEAR_OUTSIDE:]

    def imported(self, node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, Value]]:
        """Return the names that an import statement of the file binds."""
        return imports.imported(node, self._meant)

    def _meant(self, name: str) -> str:
        """Return what an import refers to, which depends on other files."""
        found = self.summary.imports[name] = self.modules.imported_as(name, self.folder, self.summary.added)
        return found

    def is_of_library(self, module: str) -> bool:
        """Whether a module that is imported is Python's or a well-known library's: a project's folder may be `code`."""
        return module.partition(".")[0] in NEVER_LOCAL and self.summary.imports.get(module) == module

    def methods_for(self, cls: str) -> frozenset[str]:
        """Return the method names that prove a tensor: in modules and files without numpy, those of arrays as well."""
        return self.tensor_methods if self.may_have_arrays(cls) else self.tensor_methods | ARRAY_METHODS

    def may_have_arrays(self, cls: str) -> bool:
        """Whether what is unknown may be an array, in a class or outside of any: not in modules."""
        return self.has_arrays and (not cls or self.inheritance.kind(cls) not in libraries.MODULE_KINDS)

    def is_local(self, function: str) -> bool:
        """Whether the function is defined in this file."""
        return function in self.summary.functions

    def is_for_later(self, function: str) -> bool:
        """Whether the function is one that does not run just because it is passed on: a lambda without parameters."""
        return self.summary.functions[function].role is NOT_CALLED

    def default_of(self, value: Value) -> Value:
        """Return the function that a parameter is unless a caller passes another; any other value as it is."""
        if isinstance(value, Deferred) and value.op is Op.PARAMETER:
            function, _, name = value.name.rpartition(":")
            known = self.summary.functions.get(function)
            default = known.defaults.get(name) if known is not None else None
            return default if isinstance(default, Function) else value
        return value

    # -- classes -------------------------------------------------------------------------------------------------------

    def define(self, cls: ClassSummary, assigned: dict[str, int]) -> None:
        """Add a class of this file; `assigned` counts how often it binds its attributes."""
        self.summary.classes[cls.name] = cls
        self.assigned[cls.name] = assigned
        self.inheritance.forget()

    def options(self) -> str:
        """Return the name of the class that stands for the options of this file's command line."""
        name = f"{self.module}.{OPTIONS}"
        if name not in self.summary.classes:
            self.define(ClassSummary(name, (OPTIONS,)), {})
        return name

    def set_attribute(self, base: Instance, name: str, value: Value) -> None:
        """Record the binding of an instance's attribute, for classes of this file."""
        known = self.summary.classes.get(base.cls)
        if known is None:
            return
        if self.inheritance.kind(base.cls) in libraries.MODULE_KINDS:
            value = self._registered(value)
        values = known.attributes.setdefault(name, [])
        if value not in values:
            values.append(value)

    def _registered(self, value: Value) -> Value:
        """Return the value as registered: a metric that is an attribute of a module moves with it."""
        if isinstance(value, Instance) and value.device is None and self.inheritance.kind(value.cls) == "metric":
            return on_device(value, OPEN)
        return value
