"""Operations, which rules look at: things that happen to values, each with its frequency and location."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from ...declared import Fact
from ...facts import library_waits
from ...facts.parameters import PARAMETERS
from ...facts.signatures import lookup
from ...facts.torch_ops import EVERYTHING, ROWS, Wait
from ...finding import Confidence, Frequency, Kind, Reason, Severity, Span
from ...offers import Offer
from ...plain import dataclass
from ...rule import OF_ANYTHING, Report
from ...settings.versions import Versions
from ..values import certainty
from ..values.arguments import NOTHING
from ..values.union import UNKNOWN, Value, options_of

ANY_VERSION = Versions()
OF_OBJECT: Final = "?()"
"""The name of a call of an object that reading does not know; `OF_ANYTHING` begins that of a method of one."""


def of_anything(method: str) -> str:
    """Return the name of a call of a method whose receiver is not known."""
    return OF_ANYTHING + method


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """Something that happens at one location of a program.

    `text` is the expression's source, shortened; `scope` the qualified name of the enclosing function; `statement` the
    first and last row of its statement; `compiled` says that the region is traced by torch.compile or captured in a
    CUDA graph, where a wait is a graph break or an error; `optional` that it is in a branch, which may not be taken.
    `passed` tells which callers pass what is waited for, if others do not.
    """

    span: Span
    text: str
    scope: str
    statement: tuple[int, int]
    frequency: Frequency
    compiled: bool = False
    optional: bool = False
    versions: Versions = ANY_VERSION
    passed: Reason | None = None

    def finding(
        self,
        message: str,
        *values: Value,
        confidence: Confidence | None = None,
        instead: str = "",
        cap: Severity = Severity.ERROR,
        frequency: Frequency | None = None,
        kind: Kind | None = None,
        offer: Offer | tuple[Offer, ...] | None = None,
    ) -> Report | None:
        """Return a report on this operation, or None if none of the values can be on the GPU.

        The confidence follows from `values`, the tensors that the host waits for, unless it is given; `kind` defaults
        to the rule's own.
        """
        sure = confidence or certainty.of(values)
        if sure is None:
            return None
        often = frequency or self.frequency
        if self.compiled:
            message += "; inside a compiled region this is a graph break or an error"
        return Report(
            message=message,
            span=self.span,
            frequency=often,
            confidence=sure,
            reasons=(*certainty.reasons(values), *(() if self.passed is None else (self.passed,))),
            scope=self.scope,
            statement=self.statement,
            instead=instead,
            cap=cap,
            kind=kind,
            offers=() if self.compiled or offer is None else offer if isinstance(offer, tuple) else (offer,),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(Operation):
    """A call of a function by its full name (`torch.unique`), of a method (`torch.Tensor.item`), or of a class.

    `receiver` is what a method is bound to; `positional` are the arguments in order, without the receiver; `used` says
    whether the result is used (False for an expression statement). `life` is what becomes of the object, if this is the
    constructor of a metric or of a DataLoader. `unchecked`: the program turns off the checks of distributions.
    `declared` is what is declared about a function that waits.
    """

    name: str
    receiver: Value | None
    positional: tuple[Value, ...]
    keywords: tuple[tuple[str, Value], ...]
    used: bool = True
    life: Life | None = None
    unchecked: bool = False
    declared: Fact | None = None

    @property
    def is_open(self) -> bool:
        """Whether it is not known what is called: something that the receiver is, or a method of it."""
        return self.name.startswith((OF_OBJECT, OF_ANYTHING))

    @property
    def last_name(self) -> str:
        """The last word of the name: `unique` of `torch.Tensor.unique`."""
        return self.name.rpartition(".")[2]

    @property
    def is_torch(self) -> bool:
        """Whether this is a function of torch (or torchvision) or a method of its tensors."""
        return self.name.startswith(("torch.", "torchvision."))

    @property
    def by_name(self) -> Confidence | None:
        """The confidence of a method known only by its name, because its receiver is unknown; else None."""
        return Confidence.POSSIBLE if self.is_of_anything else None

    @property
    def is_of_anything(self) -> bool:
        """Whether this is a method of an unknown receiver."""
        return self.name.startswith(OF_ANYTHING)

    def argument(self, name: str) -> Value | None:
        """Return the argument for a parameter by its name, even if passed by position; None if it is not passed."""
        if (given := self.keyword(name)) is not None:
            return given
        names = PARAMETERS.get(self.last_name, ())
        signature = lookup(f"torch.Tensor.{self.last_name}" if self.is_of_anything else self.name)
        for at, value in reversed(list(enumerate(self.positional))):
            if name in names[at : at + 1] or (signature and any(each.name == name for each in signature.at(at))):
                return value
        return None

    @property
    def subject(self) -> Value:
        """The value that the call works on: the receiver, or else the first argument."""
        if self.receiver is not None:
            return self.receiver
        if self.positional:
            return self.positional[0]
        return self.keywords[0][1] if self.keywords else UNKNOWN

    @property
    def arguments(self) -> tuple[Value, ...]:
        """The arguments, without the receiver."""
        return (*self.positional, *(value for _, value in self.keywords))

    def waits(self) -> Wait | None:
        """Return the fact that this call waits, if there is one for the function, its arguments and the versions."""
        row = self._row
        if row is None:
            return None
        if not self.versions.may_be("torch", row.since, row.until):
            return None
        is_optional = self.name in library_waits.ROWS  # message passing hands sizes over that may be None, and are not
        if any(self.given(name, always=not is_optional) for name in row.unless):
            return None
        return row if all(self.given(name) for name in row.needs) else None

    @property
    def waited_for(self) -> tuple[Value, ...]:
        """The values that are waited for, by the row in the facts: by default what the call works on."""
        row = self._row
        if row is None or not row.reads:
            return (self.subject,)
        return tuple(value for name in row.reads for value in self._read(name))

    @property
    def _row(self) -> Wait | None:
        """The row in the facts: of a library's function by its full name, of one of torch or a method by its last."""
        if (row := library_waits.ROWS.get(self.name)) is not None:
            return row
        return ROWS.get(self.last_name) if self.is_torch or self.is_of_anything else None

    def _read(self, name: str) -> tuple[Value, ...]:
        """Return the arguments that a word of `Wait.reads` stands for."""
        if name == EVERYTHING:
            return self.arguments
        value = self.receiver if name == "input" and self.receiver is not None else self.argument(name)
        return () if value is None else (value,)

    def given(self, name: str, *, always: bool = False) -> bool:
        """Whether the argument is passed and is neither None nor False, or, `always`, may not be either."""
        value = self.argument(name)
        if value is None:
            return False
        nothing = [option in NOTHING for option in options_of(value)]
        return not any(nothing) if always else not all(nothing)

    def keyword(self, name: str) -> Value | None:
        """Return the argument passed by this keyword; None if it is not."""
        return next((value for key, value in self.keywords if key == name), None)


@dataclass(frozen=True, slots=True)
class Life:
    """The later life of an object.

    `uses` are the calls of a metric's methods, or those that move a loader's batches to the device; `groups` are those
    that set up communication between the processes of its file; `passes` are the loops that go through a loader, and
    where batches of it are taken by hand. `hooked`: a framework asks for the loader.
    """

    uses: tuple[Call, ...] = ()
    groups: tuple[Call, ...] = ()
    passes: tuple[Pass, ...] = ()
    hooked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass(Operation):
    """A pass of a loop through what may be a loader, or `next` of what may be an iterator made of one."""

    value: Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth(Operation):
    """Python needs the truth value of a value; `how` is the construct, such as `if`, `while`, `assert`, `not`, `in`.

    `of_one`: it can be no tensor of several elements, or the program would fail.
    """

    value: Value
    how: str
    of_one: bool = False


Converted: TypeAlias = Literal["int", "float", "bool", "complex", "index", "number", "str"]
"""What Python converts a value to; `number` is any that the operator takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Convert(Operation):
    """Python converts a value to one of its types: `to` is `int`, `float`, `index`, `str`, …; `by` the construct."""

    value: Value
    to: Converted
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Compare(Operation):
    """A builtin compares values with each other and needs each result on the host: `max`, `min`, `sorted`.

    `many`: the values are the items of one sequence rather than a few arguments.
    """

    values: tuple[Value, ...]
    by: str
    many: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Index(Operation):
    """A subscript that reads: `base[indices]`; `scripted`: as TorchScript."""

    base: Value
    indices: tuple[Value, ...]
    scripted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexWrite(Operation):
    """A subscript that writes: `base[indices] = value`, or `+=` and the like if `augmented`."""

    base: Value
    indices: tuple[Value, ...]
    value: Value
    augmented: bool = False
    scripted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Iterate(Operation):
    """A Python loop over the elements of `value`, each of which the host reads; `reads` are the values read."""

    value: Value
    reads: tuple[Value, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HostRead(Operation):
    """The host reads a CPU tensor that the device may still be writing; `how` is the construct or method."""

    value: Value
    how: str
