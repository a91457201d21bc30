"""Run the command line under an audit hook that writes down what it does: `python audited.py LOG WORD…`."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
WATCHED = ("os.", "subprocess.", "socket.", "shutil.", "ctypes.", "pty.", "urllib.", "http.", "ftplib.", "smtplib.")
HARMLESS = ("os.listdir", "os.scandir", "os.walk", "os.fwalk", "os.putenv", "os.unsetenv", "os.getxattr")


def watch(log: int) -> None:
    """Write each event into a file, as a line of JSON: its name and what it is about."""

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            if isinstance(arguments[0], int):
                return  # it has been opened before, by its name
            written = bool(arguments[2] & WRITING) if isinstance(arguments[2], int) else "r" not in str(arguments[1])
            event, arguments = "write" if written else "read", arguments[:1]
        elif event == "exec":
            arguments = (getattr(arguments[0], "co_filename", "?"),)
        elif event == "import":
            arguments = arguments[:2]
        elif not event.startswith(WATCHED) or event in HARMLESS:
            return
        words = [os.fsdecode(each) if isinstance(each, (bytes, os.PathLike)) else each for each in arguments]
        os.write(log, f"{json.dumps([event, words], default=str)}\n".encode())

    sys.addaudithook(hook)


if __name__ == "__main__":
    name = sys.argv.pop(1)
    descriptor = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    from synclint.lint.cli import main

    watch(descriptor)
    main()
