"""Only regular files are read, and none without end."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from synclint.lint.files.regular import NotReadError, read


def test_files(here: Path) -> None:
    (here / "a").write_bytes(b"x" * 3_000_000)
    (here / "link").symlink_to("a")
    assert read("a") == read("link") == b"x" * 3_000_000
    (here / "a").write_bytes(b"")
    assert read("a") == b""


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="no devices here")
def test_what_is_no_file_is_told(here: Path) -> None:
    os.mkfifo("pipe")
    os.mkdir("folder")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind("socket")
    os.symlink("/dev/zero", "device")
    kinds = {"pipe": "a named pipe", "folder": "a directory", "socket": "a socket", "device": "a device"}
    for name, kind in kinds.items():
        with pytest.raises(NotReadError, match=f"it is {kind}, not a file"):
            read(name)
    listener.close()


def test_a_file_that_grows_or_is_too_large(here: Path) -> None:
    (here / "a").write_bytes(b"x" * (2 << 20))
    with pytest.raises(NotReadError, match="it is larger than 1 MiB; exclude it"):
        read("a", 1 << 20)


def test_names_that_no_file_can_have() -> None:
    with pytest.raises(OSError, match="no file can have this name"):
        read("a\0b")
