"""The parts of a report: frozen plain data that imports nothing else of ours."""

from __future__ import annotations

import enum
import hashlib
import re
from collections.abc import Callable
from dataclasses import replace

from .home import HOME
from .measured import NOT_MEASURED, Measured
from .offers import Offer
from .plain import dataclass


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a notebook, whose code cells are read as one module; `number` counts all cells from 1.

    `first` is the module's row that the cell begins on; `rows` are the file's rows on which the cell's lines begin.
    """

    number: int
    first: int
    rows: tuple[int, ...]

    def on_disk(self, row: int) -> int:
        """Return the row of the file for a row of the module."""
        return self.rows[min(max(row - self.first, 0), len(self.rows) - 1)]


@dataclass(frozen=True, slots=True)
class Span:
    """A region of a file; rows and columns count from 1, columns are code points, and the end is exclusive.

    In a notebook, rows are those of the module that its cells form together.
    """

    filename: str
    row: int
    column: int
    end_row: int
    end_column: int
    cell: Cell | None = None

    @property
    def shown(self) -> Span:
        """The region with rows as people count them: from the beginning of the cell."""
        if self.cell is None:
            return self
        above = self.cell.first - 1
        return Span(self.filename, self.row - above, self.column, self.end_row - above, self.end_column, self.cell)

    @property
    def on_disk(self) -> Span:
        """The region for programs that read the file as text; for a notebook's lines, all columns."""
        if self.cell is None:
            return self
        row, end_row = self.cell.on_disk(self.row), self.cell.on_disk(self.end_row)
        return Span(self.filename, row, 1, end_row, 1, self.cell)

    @property
    def line(self) -> str:
        """The row as people write it; in a notebook `cell 3:row`."""
        return f"cell {self.cell.number}:{self.shown.row}" if self.cell else str(self.row)

    @property
    def position(self) -> str:
        """`row:column`, as people write it; in a notebook `cell 3:row:column`."""
        return f"{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Reason:
    """One link of the chain that leads to a finding: what is known, and its location."""

    message: str
    span: Span | None = None


class Level(enum.IntEnum):
    """How often a line runs, from never to most often."""

    NEVER = 0
    """Not on the thread that drives the device, or before its use: a DataLoader worker, a Triton kernel, a test."""
    FAILURE = 1
    """Only on the way to an error: a `raise`, an assert's message, an `except` body."""
    ONCE = 2
    UNCALLED = 3
    """Never, as far as the whole project tells: nothing in it calls this."""
    EVALUATION = 4
    EVERY_EPOCH = 5
    EVERY_N_STEPS = 6
    UNKNOWN = 7
    EVERY_STEP = 8
    EVERY_PASS = 9
    """In a loop in a step: how many passes it has is not counted, and may be one."""

    @property
    def words(self) -> str:
        """The level in words: `every step`."""
        if self is Level.EVERY_PASS:
            return "every pass of a loop in a step"
        return self.name.lower().replace("_", " ").replace(" n ", " N ")


@dataclass(frozen=True, slots=True)
class Frequency:
    """How often a line runs, with the reasons, outermost first.

    `assumed` says that no caller of the function was seen; it is assumed to run in every step because it computes on
    tensors that it is given; `cause` is the full name of that function. `conditions`, the innermost first, are
    those that the line hangs on: it runs as often as that where they hold, and nothing tells whether they do. `per` is
    what stands for a step where no step was seen: "forward of `Net`", `off` are conditions, also others,
    that do not hold by default, `loop` is that over steps, where one was seen. `others` are further routes to the
    line, which have none themselves: it runs more often there, or asks something else.
    """

    level: Level
    reasons: tuple[Reason, ...] = ()
    assumed: bool = False
    cause: str = ""
    conditions: tuple[str, ...] = ()
    per: str = ""
    off: tuple[str, ...] = ()
    loop: Reason | None = None
    others: tuple[Frequency, ...] = ()

    @property
    def routes(self) -> tuple[Frequency, ...]:
        """All routes to the line, the one that stands for them first."""
        return (replace(self, others=()), *self.others) if self.others else (self,)

    def with_reasons(self, how: Callable[[Reason], Reason]) -> Frequency:
        """Return the frequency with what becomes of each reason, also of those of other routes."""
        others = tuple(each.with_reasons(how) for each in self.others)
        loop = None if self.loop is None else how(self.loop)
        return replace(self, reasons=tuple(map(how, self.reasons)), loop=loop, others=others)

    @property
    def all_reasons(self) -> tuple[Reason, ...]:
        """The reasons of all routes, and their loops."""
        loops = (route.loop for route in self.routes if route.loop is not None)
        return (*(reason for route in self.routes for reason in route.reasons), *loops)

    @property
    def words(self) -> str:
        """How often in words: `every step (assumed) where `args.augment``, or `every call of `loss``."""
        if self.per and self.level >= Level.EVERY_STEP:
            return f"{self.level.words.removesuffix('step')}{self.per}{self.where}{self._by_default}"
        return f"{self.level.words}{' (assumed)' if self.assumed else ''}{self.where}{self._by_default}"

    @property
    def _by_default(self) -> str:
        """That the line does not run like this by default; empty if it does."""
        return " (off by default)" if self.off_by_default else ""

    @property
    def off_by_default(self) -> tuple[str, ...]:
        """The conditions that do not hold by default."""
        return tuple(each for each in self.conditions if each in self.off)

    @property
    def where(self) -> str:
        """The conditions in words, after a space; empty if there are none."""
        *most, last = (each if each.startswith("`") else f"`{each}`" for each in self.conditions or ("",))
        return f" where {', '.join(most)}{' and ' if most else ''}{last}" if self.conditions else ""


class Confidence(enum.IntEnum):
    """How certain it is that the value is on the device."""

    POSSIBLE = 1
    """Judged by its name only."""
    LIKELY = 2
    """A tensor whose device is open or assumed."""
    CERTAIN = 3
    """Known to be on the GPU."""

    @property
    def words(self) -> str:
        """The confidence in lower case."""
        return self.name.lower()


class Severity(enum.IntEnum):
    """The severity of a finding; `NONE` is not shown."""

    NONE = 0
    NOTE = 1
    WARNING = 2
    ERROR = 3

    @property
    def words(self) -> str:
        """The severity in lower case."""
        return self.name.lower()


class Kind(enum.Enum):
    """The kind of problem that a rule reports; the severity depends on it (see `lint.severity`)."""

    STALL = "stall"
    """The host waits for the device."""
    BUG = "bug"
    """A wrong value or an exception, wherever it is."""
    SETUP = "setup"
    """Something configured once that waits later, as often as what it configures."""
    META = "meta"
    """About the linting itself."""


_LAYOUT = re.compile(r"[\s()'\"\\]+")


def page_of(name: str) -> str:
    """Return the URL of the page of one of synclint's own rules."""
    return f"{HOME}/blob/main/docs/rules/{name}.md"


def many(number: int, word: str) -> str:
    """Return the number with its noun."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def squeezed(statement: str) -> str:
    """Return what spellings of a statement share: Python versions place parentheses and quotes differently."""
    return _LAYOUT.sub("", statement)


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding: a rule, a location, the confidence and frequency, and the reasons to believe it.

    `scope` is the enclosing qualified name and `statement` the normalised source of the statement; the fingerprint is
    made of them, not of a line number, so that moved code keeps its identity. `link` is the page of a plugin's rule,
    `measured` what a recorded run has seen of the line.
    """

    code: str
    name: str
    span: Span
    message: str
    severity: Severity
    frequency: Frequency
    confidence: Confidence
    reasons: tuple[Reason, ...] = ()
    instead: str = ""
    scope: str = ""
    statement: str = ""
    kind: Kind = Kind.STALL
    offers: tuple[Offer, ...] = ()
    link: str = ""
    measured: Measured | None = None

    @property
    def cost(self) -> tuple[float, ...]:
        """What orders findings by what was measured, the most expensive first; the same for all that were not."""
        return NOT_MEASURED if self.measured is None else self.measured.cost

    @property
    def fingerprint(self) -> str:
        """An identity of the finding that survives moving and reformatting lines."""
        parts = "\0".join((self.code, self.span.filename, self.scope, squeezed(self.statement)))
        return hashlib.sha256(parts.encode(errors="surrogatepass")).hexdigest()[:16]

    @property
    def url(self) -> str:
        """The URL of the rule's page."""
        return self.link or page_of(self.name)

    @property
    def sort_key(self) -> tuple[str, int, int, str]:
        """The order of findings in a report: by file and position."""
        return (self.span.filename, self.span.row, self.span.column, self.code)
