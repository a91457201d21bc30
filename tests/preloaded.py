"""The command line in a process that has PyTorch already: it forks for each request, so that none imports it again.

`Preloaded` starts it. Its `run` is for tests, and `write_program` writes a `synclint` that bash can call. A request is
what a process has of its own: a directory, an environment, words, and files for input, output and errors. The child
ends as the command does, so that what Python does at its end is done as well.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

SERVER = """
import json, os, socket, sys, torch
import synclint.runtime_checker.script.command, synclint.runtime_checker.simulated.watcher, torch._dynamo
from synclint.lint.cli import main
from synclint.lint.rule import all_rules

all_rules()
server = socket.socket(socket.AF_UNIX)
server.bind(sys.argv[1])
server.listen()
print("ready", flush=True)
while True:
    connection, _ = server.accept()
    request, files, *_ = socket.recv_fds(connection, 1 << 20, 3)
    child = os.fork()
    if not child:
        server.close()
        connection.close()
        given = json.loads(request)
        os.chdir(given["directory"])
        os.environ.clear()
        os.environ.update(given["environment"])
        for number, file in enumerate(files):
            os.dup2(file, number)
            os.close(file)
        sys.stdin, sys.stdout = open(0, closefd=False), open(1, "w", closefd=False)
        sys.stderr = open(2, "w", 1, errors="backslashreplace", closefd=False)
        sys.argv = ["synclint", *given["words"]]
        main()
    for file in files:
        os.close(file)
    with connection:
        connection.sendall(b"%d" % os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""

PROGRAM = f"""\
#!{sys.executable} -IS
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as connection:
    connection.connect(ADDRESS)
    own = {{"directory": os.getcwd(), "environment": dict(os.environ), "words": sys.argv[1:]}}
    socket.send_fds(connection, [json.dumps(own).encode()], [0, 1, 2])
    sys.exit(int(connection.recv(16)) % 256)
"""


class Preloaded:
    """A process that waits for words of the command line."""

    def __init__(self, folder: Path) -> None:
        self.address = os.fspath(folder / "socket")
        self.process = subprocess.Popen([sys.executable, "-c", SERVER, self.address], stdout=subprocess.PIPE)
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == b"ready\n"

    def __enter__(self) -> Preloaded:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def run(self, directory: Path, words: list[str], *files: Any) -> int:
        """Run the command with these files for input, output and errors; return its exit code."""
        own = {"directory": os.fspath(directory), "environment": dict(os.environ), "words": words}
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(self.address)
            socket.send_fds(connection, [json.dumps(own).encode()], [file.fileno() for file in files])
            return int(connection.recv(16))

    def write_program(self, file: Path) -> None:
        """Write a program that does what the command does."""
        file.write_text(PROGRAM.replace("ADDRESS", repr(self.address)))
        file.chmod(0o755)
