"""Which stub libraries an installed torch wants, with which functions: read from torch's own libraries."""

from __future__ import annotations

import importlib.util
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ..device import DeviceError
from .elf import ElfError, Library, read

_NVIDIAS: Final = re.compile(r"lib(cu|nv|nccl)\w*\.so")
_NVIDIAS_SYMBOL: Final = re.compile(r"_*(cu|nv|nccl)")
DRIVER: Final = "libcuda.so.1"
"""Symbols without a version are looked for in every library: this one's stub has them all."""


@dataclass(frozen=True, slots=True)
class Stub:
    """One library to make: its name for the dynamic linker, the version of its symbols or nothing, its functions."""

    soname: str
    version: str
    functions: tuple[str, ...]

    @property
    def stem(self) -> str:
        """`cublas` of `libcublas.so.13`: by this its hand-written part is found."""
        return self.soname.partition(".")[0].removeprefix("lib")


@dataclass(frozen=True, slots=True)
class Torch:
    """An installed torch that has not been imported."""

    folder: Path
    version: str
    cuda: tuple[int, int]


def installed() -> Torch:
    """The torch that `import torch` would bring. Raises DeviceError unless it is a CUDA build."""
    spec = importlib.util.find_spec("torch")
    if spec is None or spec.origin is None:
        raise DeviceError("PyTorch is not installed; the emulated device needs its CUDA build (`pip install torch`)")
    folder = Path(spec.origin).parent
    try:
        text = (folder / "version.py").read_text(encoding="utf-8")
    except OSError as error:
        raise DeviceError(f"{folder} is not an installed PyTorch: {error}") from error
    version = re.search(r"^__version__ = '([^']+)'", text, re.MULTILINE)
    cuda = re.search(r"^cuda[^=]*= '(\d+)\.(\d+)", text, re.MULTILINE)
    if cuda is None or not (folder / "lib" / "libtorch_cuda.so").exists():
        name = f"PyTorch {version[1]}" if version else "this PyTorch"
        raise DeviceError(f"{name} was built without CUDA; the emulated device runs the code of a CUDA build")
    return Torch(folder, version[1] if version else "unknown", (int(cuda[1]), int(cuda[2])))


def plan(torch: Torch) -> list[Stub]:
    """The stubs that stand in for all of NVIDIA's libraries. Raises DeviceError."""
    try:
        libraries = [read(path) for path in sorted((torch.folder / "lib").glob("*.so"))]
    except (ElfError, OSError) as error:
        raise DeviceError(f"torch's libraries cannot be read: {error}") from error
    return stubs(libraries)


def stubs(libraries: Iterable[Library]) -> list[Stub]:
    """The stubs for what libraries want and none of them has."""
    libraries = list(libraries)
    sonames = {name for library in libraries for name in library.needed if _NVIDIAS.match(name)} | {DRIVER}
    own = frozenset().union(*(library.defined for library in libraries))
    functions: dict[str, set[str]] = defaultdict(set)
    versions: dict[str, str] = {}
    for symbol in frozenset().union(*(library.wanted for library in libraries)):
        if symbol.library in sonames:
            functions[symbol.library].add(symbol.name)
            versions[symbol.library] = symbol.version
        elif not symbol.version and symbol.name not in own and _NVIDIAS_SYMBOL.match(symbol.name):
            functions[DRIVER].add(symbol.name)
    return [Stub(name, versions.get(name, ""), tuple(sorted(functions[name]))) for name in sorted(sonames)]
