"""One file of a run: what is asked about it, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..declared import DEFAULT_DEVICE, Fact
from ..files.modules import Modules
from ..files.source import Unreadable
from ..home import HOME
from ..suppression.suppress import Suppression

if TYPE_CHECKING:
    from ..inference.notes.mentions import Mentions
    from ..inference.notes.summary import FileSummary


@dataclass(frozen=True, slots=True)
class Project:
    """The properties that the files of a run share.

    `root` is the project's directory, `gpu_names` are the names that the configuration declares to be GPU devices,
    `cache` is the directory where analyses are kept, or empty for none; `modules` are the files, as imports find them;
    `calls` are those that rules from outside the package want to see, `facts` what is declared about functions, and
    `default_device` the device on which the configuration says that tensors are made.
    """

    root: str = ""
    gpu_names: tuple[str, ...] = ()
    cache: str = ""
    modules: Modules | None = field(default=None, compare=False)
    calls: frozenset[str] = frozenset()
    facts: tuple[Fact, ...] = ()
    default_device: str = DEFAULT_DEVICE

    @property
    def makes_elsewhere(self) -> bool:
        """Whether tensors that are given no device are made anywhere but on the host."""
        return self.default_device != DEFAULT_DEVICE


@dataclass(frozen=True, slots=True)
class File:
    """One file to check; `named` says that the user gave its name, and `data` is its content if it is not on disk.

    `connected` says that it matters to others even if it does not speak of tensors.
    """

    name: str
    named: bool = False
    data: bytes | None = None
    connected: bool = False
    project: Project = Project()


def has_company(file: File) -> bool:
    """Whether there are other files that a file may mention; those that are given as data may be linked elsewhere."""
    modules = file.project.modules
    return file.data is not None or (modules is not None and not modules.is_alone)


@dataclass(frozen=True, slots=True)
class Failure:
    """An internal error: the file it happened in, the part of the linter, the exception and its traceback.

    `plugin` is the one whose rule it was.
    """

    filename: str
    part: str
    error: str
    trace: str
    plugin: str = ""

    @property
    def whom(self) -> str:
        """To whom it is to be reported."""
        return f"to the authors of the plugin `{self.plugin}`" if self.plugin else f"at {HOME}/issues"

    @classmethod
    def of(cls, filename: str, part: str, error: BaseException, plugin: str = "") -> Failure:
        """Return the failure for an exception."""
        import traceback

        text = f"{type(error).__name__}: {error}".split("\n")[0]
        return cls(filename, part, text, "".join(traceback.format_exception(error)), plugin)


@dataclass(frozen=True, slots=True)
class Checked:
    """The result for one file; all but its mentions is empty for a file that cannot matter.

    `interface` is a digest of what the file tells others, wherever in the file that is; empty if it is not stored.
    """

    filename: str
    summary: FileSummary | None = None
    suppressions: tuple[Suppression, ...] = ()
    unreadable: Unreadable | None = None
    failure: Failure | None = None
    mentions: Mentions | None = None
    interface: str = field(default="", compare=False)
