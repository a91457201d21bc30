"""From a library's symbols to stubs in the cache; no torch takes part."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from synclint.runtime_checker.device import DeviceError
from synclint.runtime_checker.emulated import build, load, old
from synclint.runtime_checker.emulated.elf import ElfError, Library, Wanted, read
from synclint.runtime_checker.emulated.plan import DRIVER, Stub, Torch, installed, stubs

needs_compiler = pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("cc") is None, reason="needs Linux and a C compiler"
)


def compiled(source: str, path: Path, *options: str) -> Path:
    (text := path.with_suffix(".c")).write_text(source)
    subprocess.run(["cc", "-shared", "-fPIC", "-w", "-o", path, text, *options], check=True)
    return path


@pytest.fixture
def torch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Torch:
    """A torch of one library, which wants two of NVIDIA's."""
    folder = tmp_path / "torch"
    (folder / "lib").mkdir(parents=True)
    (folder / "version.py").write_text("__version__ = '2.99.0+cu130'\ncuda: str | None = '13.0'\n")
    (versions := tmp_path / "versions").write_text("libcudart.so.13 { global: *; };\n")
    runtime = compiled(
        "int cudaMalloc() {} int cudaNews() {}", tmp_path / "libcudart.so.13",
        f"-Wl,--version-script={versions}", "-Wl,-soname,libcudart.so.13",
    )  # fmt: skip
    nccl = compiled("int ncclSend() {}", tmp_path / "libnccl.so.2", "-Wl,-soname,libnccl.so.2")
    source = (
        "int cudaMalloc(), cudaNews(), ncclSend(); int torch_cuda() { return cudaMalloc() + cudaNews() + ncclSend(); }"
    )
    compiled(source, folder / "lib" / "libtorch_cuda.so", str(runtime), str(nccl))
    (folder / "__init__.py").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return Torch(folder, "2.99.0+cu130", (13, 0))


@needs_compiler
def test_what_a_library_wants_and_has(torch: Torch) -> None:
    library = read(torch.folder / "lib" / "libtorch_cuda.so")
    assert {"libcudart.so.13", "libnccl.so.2"} <= set(library.needed)
    assert Wanted("cudaMalloc", "libcudart.so.13", "libcudart.so.13") in library.wanted
    assert Wanted("ncclSend") in library.wanted
    assert "torch_cuda" in library.defined


@pytest.mark.parametrize("content", [b"", b"no library", b"\x7fELF\x02\x01" + b"\xff" * 200])
def test_what_is_no_library(content: bytes, tmp_path: Path) -> None:
    (path := tmp_path / "lib.so").write_bytes(content)
    with pytest.raises(ElfError, match=r"lib\.so"):
        read(path)


def test_which_stub_has_which_function() -> None:
    """By the library that a version belongs to; without a version, in the driver's, where the linker looks as well."""
    wanted = frozenset(
        {Wanted("cublasCreate", "libcublas.so.13", "libcublas.so.13"), Wanted("ncclSend"), Wanted("malloc"),
         Wanted("nvshmem_put", "NVSHMEM", "libnvshmem_host.so.3"), Wanted("cudnn_of_torch")}
    )  # fmt: skip
    needed = ("libcublas.so.13", "libnvshmem_host.so.3", "libnccl.so.2", "libc.so.6")
    assert stubs([Library(needed, wanted, frozenset({"cudnn_of_torch"}))]) == [
        Stub("libcublas.so.13", "libcublas.so.13", ("cublasCreate",)),
        Stub(DRIVER, "", ("ncclSend",)),
        Stub("libnccl.so.2", "", ()),
        Stub("libnvshmem_host.so.3", "NVSHMEM", ("nvshmem_put",)),
    ]


@needs_compiler
def test_what_is_built_satisfies_the_linker(torch: Torch) -> None:
    for path in build.built(torch):
        ctypes.CDLL(str(path), mode=os.RTLD_GLOBAL | os.RTLD_NOW)
    library = ctypes.CDLL(str(torch.folder / "lib" / "libtorch_cuda.so"), mode=os.RTLD_NOW)
    assert library.torch_cuda


@needs_compiler
def test_stubs_are_built_once(torch: Torch, monkeypatch: pytest.MonkeyPatch) -> None:
    first = build.built(torch)
    monkeypatch.setattr(build, "_compile", None)
    assert build.built(torch) == first


@needs_compiler
def test_a_build_that_was_killed_leaves_nothing_that_is_used(torch: Torch, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(build, "_compile", killed)
        with pytest.raises(KeyboardInterrupt):
            build.built(torch)
    assert {"libcudart.so.13", "libnccl.so.2"} <= {path.name for path in build.built(torch)}


@needs_compiler
def test_of_two_builds_at_once_one_wins(torch: Torch, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = build._compile_all

    def slower(*args: object) -> None:
        monkeypatch.setattr(build, "_compile_all", inner)
        build.built(torch)  # another process comes in between
        inner(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(build, "_compile_all", slower)
    paths = build.built(torch)
    assert paths
    assert [path.name for path in paths[0].parent.parent.iterdir()] == [paths[0].parent.name]


def kept(cache: Path, name: str, age: int, *more: str) -> Path:
    """A folder as a build leaves it, last used some days ago."""
    (folder := cache / name).mkdir(parents=True)
    (folder / "cuda.c").write_text(old.MARK + "int cuInit(void) { return 0; }")
    for file in ("cuda.map", "libcuda.so.1", *more):
        (folder / file).touch()
    os.utime(folder, (time.time() - age * 86400,) * 2)
    return folder


@needs_compiler
def test_few_folders_are_kept(torch: Torch) -> None:
    """A new one takes the place of the one that was not used for longest; what may not be ours stays."""
    cache = build._cache()
    folders = [kept(cache, f"torch2.{age}.0+cu130-{age:016x}", age) for age in range(1, old.KEPT + 2)]
    others = [kept(cache, f"torch2.0.0-{99:016x}", 90, "notes.txt"), kept(cache, "mine", 90)]
    killed, running = (kept(cache, f".torch2.0.0-{age:016x}-abc", age) for age in (5, 0))
    (cache / f"torch2.0.0-{98:016x}").symlink_to(folders[0])
    build.built(torch)
    assert [each.is_dir() for each in folders] == [True] * (old.KEPT - 1) + [False] * 2
    assert all(each.is_dir() for each in (*others, running, cache / f"torch2.0.0-{98:016x}"))
    assert not killed.exists()


@needs_compiler
@pytest.mark.parametrize("is_a_file", [False, True])
def test_a_cache_that_cannot_be_written(torch: Torch, is_a_file: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The stubs are built all the same, for this process only."""
    cache = Path(os.environ["XDG_CACHE_HOME"])
    if is_a_file:
        cache.touch()
    else:
        monkeypatch.setattr(build.tempfile, "mkdtemp", _refusing(build.tempfile.mkdtemp, cache))
    paths = build.built(torch)
    assert paths
    assert not any(path.is_relative_to(cache) for path in paths)


def _refusing(original: object, cache: Path) -> object:
    def mkdtemp(prefix: str, dir: Path | None = None) -> str:  # noqa: A002
        if dir is not None and dir.is_relative_to(cache):
            raise PermissionError(f"{dir} is read-only")
        return original(prefix=prefix, dir=dir)  # type: ignore[operator, no-any-return]

    return mkdtemp


def test_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build.shutil, "which", lambda _: None)
    monkeypatch.setattr(build.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(DeviceError, match="needs a C compiler once: install `cc`, or `pip install ziglang`"):
        build._compiler()


@needs_compiler
def test_a_compiler_that_fails(torch: Torch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (script := tmp_path / "fails").write_text("#!/bin/sh\necho 'no such target' >&2\nexit 1\n")
    script.chmod(0o755)
    monkeypatch.setenv("CC", str(script))
    with pytest.raises(DeviceError, match=r"cannot build the stub of libcuda\.so\.1: no such target$"):
        build.built(torch)


def test_a_torch_without_cuda(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder := tmp_path / "torch").mkdir()
    (folder / "__init__.py").touch()
    (folder / "version.py").write_text("__version__ = '2.99.0+cpu'\ncuda: str | None = None\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    with pytest.raises(DeviceError, match=r"PyTorch 2\.99\.0\+cpu was built without CUDA"):
        installed()


def test_no_torch(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    with pytest.raises(DeviceError, match="PyTorch is not installed"):
        installed()


@pytest.mark.parametrize(
    ("platform", "modules", "message"),
    [
        ("darwin", [], "works on 64-bit Linux only; `simulated` works anywhere"),
        ("win32", [], "works on 64-bit Linux only"),
        ("linux", ["torch"], "torch has already been imported"),
    ],
)
def test_where_it_cannot_be_loaded(
    platform: str, modules: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load, "_LOADED", {})
    monkeypatch.setattr(sys, "platform", platform)
    for name in modules:
        monkeypatch.setitem(sys.modules, name, sys)
    with pytest.raises(DeviceError, match=message):
        load.load()
