"""Runs the tests of one package on a device, each file of them in a process of its own.

    python -m accuracy_suites.execute PACKAGE TESTS DEVICE FILE SECONDS

torch and the package are imported once, and a process is forked for each file; one that dies costs its file only. What
the tests did is appended to FILE (see `plugin`), and how each file of tests ended.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import operator
import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final
from unittest import mock

from synclint.runtime_checker.device import watch
from synclint.runtime_checker.emulated.load import load

from .packages import SUITES, Suite

SECONDS_OF_TEST: Final = 4
SECONDS_OF_FILE: Final = 12
"""Both are time of the processor."""
SECONDS_OF_IDLENESS: Final = 10
"""By the clock: a file that waits for something that long waits for good."""
MEMORY: Final = 6 << 30


def main() -> None:
    """Run files until the processor's time is over, those that FILE does not know yet."""
    package, tests, device, path, seconds = sys.argv[1:]
    suite = next(each for each in SUITES if each.package == package)
    os.environ.update(suite.environment, HF_HUB_OFFLINE="1", MPLBACKEND="agg", PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")
    root = _imported(package, device)
    known = _known(Path(path))
    gc.freeze()
    for file in suite.files(Path(tests)):
        name = str(file.relative_to(tests))
        if name not in known and _seconds() < int(seconds):
            _fork(suite, file, Path(tests), device, root, path)
            if device != "cuda":  # a GPU that the parent has begun to use is lost to its children
                _import_alike(Path(f"{path}.modules"), package)
            gc.freeze()  # nobody collects in a child what was there before


def _imported(package: str, device: str) -> str:
    """Import torch and the package without asking for a device, which would forbid to fork. Where the package is."""
    if device == "emulated":
        load()
    import torch

    torch.set_num_threads(1)
    known = {"is_available": lambda: True, "device_count": lambda: 1, "mem_get_info": lambda *_: (MEMORY, MEMORY)}
    with mock.patch.multiple(torch.cuda, **known):
        module = importlib.import_module(package)
        _import(["pytest", "numpy", "torch._dynamo", "torch.distributions"])
    return str(Path(module.__file__ or "").parent)


def _import(names: Iterable[str]) -> None:
    """Import what tests need, once for all files."""
    for name in names:
        if name not in _TRIED:
            _TRIED.add(name)
            with contextlib.suppress(Exception):
                importlib.import_module(name)


_TRIED: Final[set[str]] = set()


def _import_alike(file: Path, package: str) -> None:
    """Import what a file of tests has imported of torch, of the package and of what computes, for the next ones."""
    own = {"torch", "numpy", "scipy", "sklearn", "pandas", "transformers", "diffusers", package}
    with contextlib.suppress(OSError), mock.patch("torch.cuda.is_available", return_value=True):
        _import(name for name in file.read_text().split() if name not in sys.modules and name.partition(".")[0] in own)


def _known(path: Path) -> set[str]:
    """The files of tests that have run before."""
    records = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    return {each["file"] for each in records if "file" in each}


def _seconds() -> float:
    """The time that the processor has spent on the children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _fork(suite: Suite, file: Path, tests: Path, device: str, root: str, path: str) -> None:
    """Run one file of tests in a child, and write down how it ended."""
    before = _seconds()
    child = os.fork()
    if not child:
        try:
            _run(suite, file, tests, device, root, path)
            Path(f"{path}.modules").write_text("\n".join([*sys.modules]))
        except BaseException as error:
            print(f"{file}: {type(error).__name__}: {error}", file=sys.__stderr__)
        finally:
            os._exit(0)
    status = _ended(child)
    end = f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else "ended"
    record = {"file": str(file.relative_to(tests)), "end": end, "seconds": round(_seconds() - before, 1)}
    with open(path, "a", encoding="utf-8") as written:
        print(json.dumps(record), file=written)


def _ended(child: int) -> int:
    """The status of the child, which is killed when it has done nothing for a while. What it has started goes too."""
    done = status = 0
    used, since = -1, time.monotonic()
    while not done and time.monotonic() < since + SECONDS_OF_IDLENESS:
        time.sleep(0.05)
        done, status = os.waitpid(child, os.WNOHANG)
        if not done and (now := _ticks(child)) != used:
            used, since = now, time.monotonic()
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    return status if done else os.waitpid(child, 0)[1]


def _ticks(process: int) -> int:
    """The processor's time that a process has had, in the kernel's unit."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def _run(suite: Suite, file: Path, tests: Path, device: str, root: str, path: str) -> None:
    """The child: all that a test file may break is its own."""
    os.setpgid(0, 0)
    import pytest
    import torch

    from .plugin import Plugin
    from .trace import Tracer

    _forbid_downloads()
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS_OF_FILE, SECONDS_OF_FILE))
    if device != "cuda":  # a GPU's driver takes more addresses than there is memory
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY + _size(), MEMORY + _size()))
    sys.path.append(str(tests))
    unwanted = ("cacheprovider", "faulthandler", "threadexception", "unraisableexception")
    options = [
        *(word for name in unwanted for word in ("-p", f"no:{name}")),
        "-q",
        "--no-header",
        "--tb=no",
        "--assert=plain",
    ]
    with tempfile.TemporaryDirectory() as scratch, open(path, "a", encoding="utf-8") as written:
        os.chdir(scratch)
        (ini := Path(scratch) / "pytest.ini").write_text("[pytest]\n")
        tracer = Tracer(root + os.sep)
        with watch(device, [root], trace=False) as watcher:
            if not suite.moves:
                torch.set_default_device("cuda")
            for place in suite.devices:
                _set(place, torch.device("cuda"))
            plugin = Plugin(watcher, tracer, root + os.sep, written, SECONDS_OF_TEST)
            words = [str(file), f"--rootdir={tests}", "-c", str(ini), f"--confcutdir={tests}", *suite.options, *options]
            with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
                pytest.main(words, plugins=[plugin])


def _set(place: str, value: object) -> None:
    """Set what a `module:path.of.attribute` names."""
    module, _, path = place.partition(":")
    owner, _, name = path.rpartition(".")
    setattr(operator.attrgetter(owner)(importlib.import_module(module)), name, value)


def _size() -> int:
    """The address space that the process has already."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def _forbid_downloads() -> None:
    import socket

    def refuse(*_: Any) -> None:
        raise OSError("nothing is downloaded here")

    socket.socket.connect = refuse  # type: ignore[method-assign, assignment]


if __name__ == "__main__":
    main()
