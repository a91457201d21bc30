"""The summary of one file for the others: its functions, classes and calls, and the operations in it. Plain data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from ...finding import Frequency
from ...rule import OF_ANYTHING
from ..often.local import Local
from ..values.union import UNKNOWN, Deferred, Host, Value
from .operations import Operation


class PlacedWay(NamedTuple):
    """A value that one of several ways gives, and how often a place runs, per call of its function, on that way."""

    value: Value
    local: Local


class Placed(NamedTuple):
    """An operation, how often it runs per call of its function, and that function's name (empty: the module).

    `ways` are those that lead there from where paths of the function met, with the value that each gives.
    """

    operation: Operation
    local: Local
    owner: str
    ways: tuple[PlacedWay, ...] = ()


MOVED: Final = "it is moved to the GPU"
"""The evidence that something is a tensor or a batch of them, on the host before it is moved."""
IS_MODULE: Final = "it is called, or has a method that only modules have"
"""The evidence that what was moved is a module, whose attributes are no tensors."""
SCALES: Final = "a loss that it scales has its backward pass"
"""The evidence that something is a gradient scaler."""


class CallSite(NamedTuple):
    """A call of a function that linking may know: by whom, how often per call of the caller, with what.

    `passed`: the function is only handed on to be called, with unknown arguments. `open`: it is a method of an object
    that came from outside, whose other callers are not seen. `through`: how often each pass of the loop runs that goes
    through what the call returns. `given`: what a function that is handed on is given to: an argument of what is called
    by a name, as reading sees it, or the parameter by the name of its question; `beside`: what that call passes.
    """

    callee: str
    positional: tuple[Value, ...]
    keywords: tuple[tuple[str, Value], ...]
    local: Local
    caller: str
    passed: bool = False
    open: bool = False
    through: Local | None = None
    given: str = ""
    beside: tuple[tuple[Value, ...], tuple[tuple[str, Value], ...]] = ((), ())

    @property
    def on_anything(self) -> bool:
        """Whether only the name of a method is known."""
        return self.callee.startswith(OF_ANYTHING)


@dataclass(slots=True)
class FunctionSummary:
    """A function of the file.

    `parameters` are the names that take what is passed by position, in order, `terms` the questions for these and
    all others, `declared` what an annotation promises, `defaults` what a parameter is if a caller passes nothing.
    `returns` is what the body returns, `promised` the tensors that the annotation says it does. `role` is how often
    the function runs by its name, class or decorators, `firm` if callers cannot change that; `tensors`: it computes
    on tensors that it is given; `through`: the functions on whose results it computes, made of what it is given;
    `preparing`: it stands where data are prepared; `stepping`: it loops over steps itself; `training`: it has a
    backward pass, clips gradients or steps an optimizer outside loops; `inferring`: it runs a model, and only
    without gradients; `running`: it runs one each time, outside loops; `static`: a method that is not given its
    object; those of a class method are without the class; `property`: one that is read like an attribute; `extra`:
    the name of its `**keywords`; `binding`: what it is given for them become attributes of its object; `calls`:
    what it calls once each time that it runs, if it neither trains nor loops over steps itself; `using`: it runs a
    model, or an attribute of its object without gradients; `looping`: it has a loop that trains; `others`: what it
    calls besides, if nothing in it trains; `abstract`: derived classes define what takes its place; `mode`: what it
    sets a model to, `train` if it ever does, or `eval`.
    """

    name: str
    parameters: tuple[str, ...] = ()
    terms: dict[str, Deferred] = field(default_factory=dict)
    declared: dict[str, Value] = field(default_factory=dict)
    defaults: dict[str, Value] = field(default_factory=dict)
    returns: Value = UNKNOWN
    promised: Value = UNKNOWN
    role: Frequency | None = None
    firm: bool = False
    tensors: bool = False
    through: tuple[str, ...] = ()
    preparing: bool = False
    stepping: bool = False
    training: bool = False
    inferring: bool = False
    running: bool = False
    static: bool = False
    property: bool = False
    extra: str = ""
    binding: bool = False
    calls: tuple[str, ...] = ()
    using: bool = False
    looping: bool = False
    others: tuple[str, ...] = ()
    abstract: bool = False
    mode: str = ""


@dataclass(slots=True)
class ClassSummary:
    """A class of the file: its bases by full name, its methods, and what its attributes are bound to.

    `fields` are those of a data class, in the order of its constructor's parameters.
    """

    name: str
    bases: tuple[str, ...] = ()
    methods: frozenset[str] = frozenset()
    attributes: dict[str, list[Value]] = field(default_factory=dict)
    fields: tuple[str, ...] = ()


@dataclass(slots=True)
class FileSummary:
    """The complete result of reading one file.

    `evidence` maps open questions to the use that shows a tensor, `on_host` are those whose answers are on the host if
    they are tensors, `exports` the full names of what the module imports to where it is defined, `imports` what its
    imports say to what they mean (see `modules`), `added` the folders it adds to the path for them, `constants` the
    full names of what it binds to what others get by importing them, `aliases` those of types to what they promise in
    annotations; `offered` the full names that the module lists in `__all__`, for others to use, `public` those that a
    package gives to whoever imports it; `chosen` those of what
    a configuration may choose to what would choose it; `telling` the functions called that tell about other files: what
    makes metrics and loaders, and what changes defaults; `options` the constants that options of a command line, and
    fields of data classes, are by default; `bound` the attributes set on other objects than a method's own, `passed`
    the arguments that calls of something that is not known pass by name; `trains`: something in it trains, or may have
    a library do so; `traces`: something in it is captured in a CUDA graph, or compiled; `tests`: it is test code. The
    operations are stored apart from the rest, since linking other files hardly needs them.
    """

    filename: str
    module: str
    operations: Sequence[Placed] = field(default_factory=list, metadata={"late": True})
    functions: dict[str, FunctionSummary] = field(default_factory=dict)
    classes: dict[str, ClassSummary] = field(default_factory=dict)
    calls: list[CallSite] = field(default_factory=list)
    evidence: dict[Deferred, str] = field(default_factory=dict)
    on_host: tuple[Deferred, ...] = ()
    exports: dict[str, str] = field(default_factory=dict)
    imports: dict[str, str] = field(default_factory=dict)
    added: tuple[str, ...] = ()
    constants: dict[str, Value] = field(default_factory=dict)
    aliases: dict[str, Value] = field(default_factory=dict)
    offered: frozenset[str] = frozenset()
    public: frozenset[str] = frozenset()
    options: dict[str, list[Host]] = field(default_factory=dict)
    bound: frozenset[str] = frozenset()
    chosen: dict[str, str] = field(default_factory=dict)
    telling: frozenset[str] = frozenset()
    passed: frozenset[str] = frozenset()
    trains: bool = False
    traces: bool = False
    tests: bool = False
