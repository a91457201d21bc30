"""A user's program, run as Python itself would run it: `SCRIPT [ARGS…]` or `-m MODULE [ARGS…]`."""

from __future__ import annotations

import contextlib
import importlib.machinery
import importlib.util
import io
import os
import runpy
import sys
import threading
import traceback
import types
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from ..observe import HERE, Frame, is_library

_PACKAGE: Final = os.path.dirname(HERE)
_OURS: Final = tuple(os.path.join(_PACKAGE, name, "") for name in ("lint", "rules", "runtime_checker"))
"""Our own folders; the examples are programs like any other."""


class ProgramError(Exception):
    """There is nothing to run; the message is one line."""


class Enough(SystemExit):
    """The requested number of steps has run; programs that clean up when asked to exit do so."""


@dataclass(frozen=True, slots=True)
class Program:
    """The program to run: the file, the module's name if given by name, and the arguments."""

    filename: str
    module: str
    arguments: tuple[str, ...]

    @classmethod
    def of(cls, words: Sequence[str]) -> Program:
        """Return the program that the words of a command line name. Raises ProgramError."""
        if not words:
            raise ProgramError("expected a script, or -m and a module")
        if words[0] == "-m":
            if len(words) < 2:
                raise ProgramError("-m requires the name of a module")
            return cls(_file_of(words[1]), words[1], tuple(words[2:]))
        if words[0].startswith("-"):
            raise ProgramError(f"no such option: {words[0]}")
        if not os.path.exists(words[0]):
            raise ProgramError(f"{words[0]} does not exist")
        return cls(os.path.abspath(words[0]), "", tuple(words[1:]))

    @property
    def name(self) -> str:
        """The name to show to people."""
        return self.module or os.path.basename(self.filename)

    def run(self) -> None:
        """Run it to its end and let its exceptions through. Raises ProgramError if it is not Python."""
        if self.module:
            with _as_main(self.module, self.arguments, os.getcwd(), None):
                runpy.run_module(self.module, run_name="__main__", alter_sys=True)
            return
        directory = os.path.dirname(os.path.realpath(self.filename))
        if os.path.isdir(self.filename):  # contains a __main__.py
            with _as_main(self.filename, self.arguments, self.filename, None):
                runpy.run_path(self.filename, run_name="__main__")
            return
        code = self._compiled()
        main = types.ModuleType("__main__")
        main.__file__ = self.filename
        main.__loader__ = importlib.machinery.SourceFileLoader("__main__", self.filename)
        main.__dict__.update(__builtins__=__builtins__, __cached__=None)
        with _as_main(self.filename, self.arguments, directory, main):
            exec(code, main.__dict__)

    def check(self) -> None:
        """Raise ProgramError if it is a file that is not Python."""
        if not self.module and not os.path.isdir(self.filename):
            self._compiled()

    def _compiled(self) -> types.CodeType:
        try:
            with io.open_code(self.filename) as file:
                return compile(file.read(), self.filename, "exec", dont_inherit=True)
        except SyntaxError as error:
            where = f" (line {error.lineno})" if error.lineno else ""
            raise ProgramError(f"{self.filename} is not valid Python: {error.msg}{where}") from error
        except (ValueError, RecursionError, MemoryError) as error:
            raise ProgramError(f"{self.filename} is not valid Python: {error}") from error
        except OSError as error:
            raise ProgramError(f"{self.filename} could not be read: {error.strerror}") from error


def _file_of(module: str) -> str:
    """Return the file of a module that `python -m` would run."""
    with _path_begins_with(os.getcwd()):
        for name in (module, f"{module}.__main__"):
            try:
                spec = importlib.util.find_spec(name)
            except (ImportError, ValueError) as error:
                raise ProgramError(f"{module} could not be imported: {error}") from error
            if spec is None:
                raise ProgramError(f"no module named {name}")
            if spec.submodule_search_locations is None:
                return os.path.abspath(spec.origin) if spec.origin else name
    raise ProgramError(f"{module} is a package and cannot be run")


@contextmanager
def _path_begins_with(directory: str) -> Iterator[None]:
    """Look for modules in the directory first while entered, as Python does unless told otherwise.

    It stands in place of where the command is, but `python -m synclint` has taken that out: then the user's come first.
    """
    before = sys.path[:]
    if not getattr(sys.flags, "safe_path", False):
        first = os.environ.get("PYTHONPATH", "").partition(os.pathsep)[0]
        sys.path[: sys.path[:1] != [first and os.path.abspath(first)]] = [directory]
    try:
        yield
    finally:
        sys.path[:] = before


@contextmanager
def _as_main(name: str, arguments: Sequence[str], directory: str, main: types.ModuleType | None) -> Iterator[None]:
    """Set up the program's arguments, module path and, if given, its `__main__` module while entered."""
    argv, before = sys.argv, sys.modules["__main__"]
    sys.argv = [name, *arguments]
    if main is not None:
        sys.modules["__main__"] = main
    try:
        with _path_begins_with(directory):
            yield
            _await_threads()
    finally:
        sys.argv = argv
        sys.modules["__main__"] = before


def _await_threads() -> None:
    """Wait for the program's threads, as Python does on exit, where pools that were left open end theirs first."""
    for end in reversed(getattr(threading, "_threading_atexits", ())):
        end()
    for thread in threading.enumerate():
        if thread is not threading.main_thread() and thread is not threading.current_thread() and not thread.daemon:
            thread.join()


def programs_part(stack: Sequence[Frame]) -> Sequence[Frame]:
    """Return the stack without the frames that start the program: the command line's and Python's own."""
    first = (at for at, frame in enumerate(stack) if not is_library(frame[0]) and not is_of_synclint(frame[0]))
    return stack[next(first, 0) :]


def is_of_synclint(filename: str) -> bool:
    """Whether a file is part of synclint itself, wherever it is run from."""
    return filename.startswith(_OURS) or filename == os.path.join(_PACKAGE, "__main__.py")


def places_of(error: BaseException | None) -> Iterator[tuple[str, int]]:
    """Yield the files and lines that an exception has left."""
    for frame, row in traceback.walk_tb(error.__traceback__ if error else None):
        yield frame.f_code.co_filename, row


def exit_code(error: BaseException | None) -> int:
    """Return the exit code that Python would give for this ending, and print what it would print."""
    if error is None or isinstance(error, Enough):
        return 0
    if isinstance(error, SystemExit):
        if error.code is None or isinstance(error.code, int):
            return error.code or 0
        with contextlib.suppress(Exception):  # it may have closed its streams
            print(error.code, file=sys.stderr)
        return 1
    own = _own_part(error.__traceback__)
    try:
        sys.excepthook(type(error), error.with_traceback(own), own)
    except BaseException:  # the program's own hook, which may be anything
        sys.__excepthook__(type(error), error.with_traceback(own), own)
    return 130 if isinstance(error, KeyboardInterrupt) else 1


def _own_part(trace: types.TracebackType | None) -> types.TracebackType | None:
    """Return the traceback from the program's first frame on."""
    part: Any = trace
    while part is not None and _is_ours(part.tb_frame.f_code.co_filename):
        part = part.tb_next
    return part or trace


def _is_ours(filename: str) -> bool:
    return (
        filename.startswith(HERE) or os.path.basename(filename) in ("runpy.py", "contextlib.py") or "runpy" in filename
    )
