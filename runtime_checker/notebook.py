"""The magic `%%synclint` of IPython and Jupyter: runs a cell and shows what waited in it.

    %load_ext synclint
    %synclint --device simulated

The second line, without a cell, makes the device. A simulated one stays from then on, as its tensors do from cell to
cell, until `%unload_ext synclint`.
"""

from __future__ import annotations

import linecache
import shlex
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import Any, Final

import click

from .device import DEVICES, DeviceError, watch
from .observe import Wait

NAME: Final = "synclint"
_HEAD: Final = ("waits", "ms", "line", "waits for", "source")
_LOADED: Final[dict[int, Magic]] = {}
"""By shell: a process may have several."""


def load_ipython_extension(shell: Any) -> None:
    """Add the magic to a shell: what `%load_ext synclint` calls."""
    magic = _LOADED[id(shell)] = Magic(shell)
    shell.register_magic_function(magic.run, "line_cell", NAME)


def unload_ipython_extension(shell: Any) -> None:
    """Remove the magic, and the device if it was a simulated one."""
    if magic := _LOADED.pop(id(shell), None):
        magic.close()
        for kind in ("line", "cell"):
            shell.magics_manager.magics[kind].pop(NAME, None)


class Magic:
    """The magic of one shell."""

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self._device = "auto"
        self._kept = ExitStack()
        self._is_kept = False
        self._numbers: dict[str, int] = {}

    def close(self) -> None:
        """Remove the simulated device, if there is one."""
        self._kept.close()

    def run(self, line: str, cell: str | None = None) -> None:
        """Run a cell, or make the device alone."""
        try:
            self._choose(line)
            watcher = watch(self._device)
            self._keep()
        except (click.UsageError, DeviceError) as error:
            raise self._usage_error(error) from None
        if cell is None:
            return
        source = cell if cell.startswith("%%") else f"# %%{NAME}\n{cell}"  # so that lines count from the magic's
        self._note(source)
        with watcher:
            self._shell.run_cell(source)
            device = watcher.device
        print("\n".join(self._told(device, watcher.waits)))

    def _note(self, source: str) -> None:
        """Note the number of the cell: the shell takes code that a magic runs for a cell after it."""
        compiler = self._shell.compile
        name = compiler.get_code_name(source, self._shell.transform_cell(source), self._shell.execution_count)
        self._numbers[name] = len(self._shell.history_manager.input_hist_parsed) - 1

    def _choose(self, line: str) -> None:
        """Take the options; the device that was chosen stays."""
        try:
            words = shlex.split(line)
        except ValueError as error:
            raise click.UsageError(str(error)) from error
        chosen = _OPTIONS.make_context(f"%%{NAME}", words).params["device"]
        self._device = chosen or self._device

    def _keep(self) -> None:
        """Keep the simulated device, so that tensors outlive their cell."""
        from .simulated.watcher import SimulatedWatcher

        device = watch(self._device)
        if isinstance(device, SimulatedWatcher) and not self._is_kept:
            device.waits = _Unheard()
            self._kept.enter_context(device)
            self._is_kept = True

    @staticmethod
    def _usage_error(error: Exception) -> Exception:
        """Return the error that a shell shows as one line."""
        from IPython.core.error import UsageError  # type: ignore[import-not-found, unused-ignore]

        usage: Exception = UsageError(error.format_message() if isinstance(error, click.UsageError) else str(error))
        return usage

    def _told(self, device: str, waits: Sequence[Wait]) -> Iterator[str]:
        from ..lint.output.aligned import aligned

        yield f"synclint: {device}: {len(waits)} wait{'' if len(waits) == 1 else 's'}."
        places: dict[tuple[str, int], list[Wait]] = defaultdict(list)
        for wait in waits:
            places[wait.place].append(wait)
        if places:
            yield from aligned([_HEAD, *(self._cells(own) for own in places.values())], right=(0, 1))

    def _cells(self, waits: Sequence[Wait]) -> tuple[str, ...]:
        """Return what a line waited for, how often and how long, as it is shown."""
        from ..lint.output.text import escape

        (filename, row), seconds = waits[0].place, [wait.seconds for wait in waits if wait.seconds is not None]
        return (
            str(len(waits)),
            f"{sum(seconds) * 1000:.2f}" if seconds else "-",
            escape(f"{self._name(filename)}:{row}"),
            ", ".join(sorted({f"{wait.operator} ({wait.kind})" for wait in waits})),
            escape(linecache.getline(filename, row).strip()),
        )

    def _name(self, filename: str) -> str:
        """Return the name that people know a cell by: `In[3]`."""
        if filename in self._numbers:
            return f"In[{self._numbers[filename]}]"
        named = self._shell.compile.format_code_name(filename)
        return str(named[1]) if named else filename


class _Unheard(list[Wait]):
    """A list that stays empty: nobody reads the waits of cells that are not asked about."""

    def append(self, wait: Wait) -> None:
        """Leave it out."""


_OPTIONS: Final = click.Command(
    NAME,
    params=[click.Option(["--device"], type=click.Choice(DEVICES), help="What to watch from now on.")],
    add_help_option=False,
)
