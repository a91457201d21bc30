"""Compiles the stub libraries, once for each torch, and keeps them in the user's cache directory.

What is there is complete: a folder is built under another name and takes its own in one step, so that a build that was
killed leaves nothing that is used, and of two builds at once one wins.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ..device import DeviceError
from . import old
from .plan import Stub, Torch, plan

SOURCES: Final = Path(__file__).parent / "stubs"
_MAKERS: Final = ("build", "elf", "plan")
_MAKES_HANDLE: Final = re.compile(r"(cublas|cusolver|cusparse|cudnn|nvrtc)(?!Lt\w*Init)\w*[Cc]reate")
_TELLS: Final = re.compile(r"(cublas|cusolver|cusparse|cudnn|nvrtc|cufft|nccl)\w*(ErrorString|StatusString|ErrorName)$")
_FLAGS: Final = ("-O1", "-w", "-fPIC", "-shared", "-fno-builtin")


def built(torch: Torch) -> list[Path]:
    """The stub libraries for an installed torch, built now if they are not there yet. Raises DeviceError."""
    compiler = _compiler()
    folder = _cache() / f"torch{torch.version}-{_digest(torch, compiler)}"
    if not folder.is_dir():
        folder = _build(torch, compiler, folder)
        old.forget(_cache())
    old.used(folder)
    return sorted(folder.glob("lib*.so*"))


def _cache() -> Path:
    """Return the directory of the stubs, in the user's cache directory."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(home) / "synclint" / "emulated"


def _digest(torch: Torch, compiler: Sequence[str]) -> str:
    """A key of all that the stubs are made of. torch's libraries are told apart by place, size and time."""
    digest = hashlib.sha256("\0".join([sys.platform, os.uname().machine, torch.version, *compiler]).encode())
    for path in (*sorted(SOURCES.glob("*.c")), *(Path(__file__).with_name(f"{name}.py") for name in _MAKERS)):
        digest.update(path.read_bytes())
    for path in sorted((torch.folder / "lib").glob("*.so")):
        status = path.stat()
        digest.update(f"{path}\0{status.st_size}\0{status.st_mtime_ns}\0".encode())
    return digest.hexdigest()[:16]


def _compiler() -> tuple[str, ...]:
    """The command of a C compiler: the one that $CC names, the machine's, or the one of the package `ziglang`."""
    named = os.environ.get("CC", "").split()
    for words in (named, ["cc"], ["gcc"], ["clang"]):
        if words and (path := shutil.which(words[0])):
            return (path, *words[1:])
    if importlib.util.find_spec("ziglang") is not None:
        return (sys.executable, "-m", "ziglang", "cc")
    raise DeviceError("the emulated device needs a C compiler once: install `cc`, or `pip install ziglang`")


def _build(torch: Torch, compiler: Sequence[str], folder: Path) -> Path:
    """Build next to where the stubs shall be; where that cannot be written, for this process only."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    except OSError:
        return _build_for_now(torch, compiler)
    try:
        _compile_all(torch, compiler, work)
        with contextlib.suppress(OSError):  # another process was faster, and has built the same
            work.rename(folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    if not folder.is_dir():
        raise DeviceError(f"the stub libraries could not be moved to {folder}")
    return folder


def _build_for_now(torch: Torch, compiler: Sequence[str]) -> Path:
    import atexit

    work = Path(tempfile.mkdtemp(prefix="synclint-emulated-"))
    atexit.register(shutil.rmtree, work, ignore_errors=True)
    _compile_all(torch, compiler, work)
    return work


def _compile_all(torch: Torch, compiler: Sequence[str], work: Path) -> None:
    for stub in plan(torch):
        _compile(stub, torch, compiler, work)


def _compile(stub: Stub, torch: Torch, compiler: Sequence[str], work: Path) -> None:
    source, versions = work / f"{stub.stem}.c", work / f"{stub.stem}.map"
    source.write_text(source_of(stub), encoding="utf-8")
    versions.write_text(
        f"{stub.version} {{ global: *; }};\n" if stub.version else "{ global: *; };\n", encoding="utf-8"
    )
    by_hand = SOURCES / f"{stub.stem}.c"
    major, minor = torch.cuda
    command = [
        *compiler, *_FLAGS, f"-DCUDA={major}", f"-DCUDA_VERSION={major * 1000 + minor * 10}",
        "-o", str(work / stub.soname), str(source), *([str(by_hand)] if by_hand.exists() else []),
        f"-Wl,-soname,{stub.soname}", f"-Wl,--version-script={versions}",
    ]  # fmt: skip
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", cwd=work)
    except OSError as error:
        raise DeviceError(f"the C compiler {compiler[0]} cannot be run: {error}") from error
    if done.returncode:
        told = (done.stderr.strip() or f"exit code {done.returncode}").splitlines()
        raise DeviceError(f"{' '.join(compiler)} cannot build the stub of {stub.soname}: {told[0]}")


def source_of(stub: Stub) -> str:
    """The generated part: each function is weak, so that one written by hand takes its place."""
    return old.MARK + "".join(f"__attribute__((weak)) {_function(name)}\n" for name in stub.functions)


def _function(name: str) -> str:
    """A function that succeeds, and leaves a handle where one is asked for."""
    if _MAKES_HANDLE.match(name):
        return f"int {name}(void **result) {{ *result = handle; return 0; }}"
    if _TELLS.match(name):
        return f'const char *{name}(int status) {{ return "{name}"; }}'
    return f"int {name}(void) {{ return 0; }}"
