"""A Python that has PyTorch already: it forks for each request, so that none imports it again.

`Preloaded` starts it. Its `run` is for tests, and `write_program` writes a `synclint` that bash can call. A request is
what a process has of its own: a directory, an environment, words, and files for input, output and errors. The child
ends as a process of its own does, so that what Python does at its end is done as well.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

SERVER = """
import gc, json, os, runpy, select, socket, sys, torch
import synclint.runtime_checker.script.command, synclint.runtime_checker.simulated.watcher, torch._dynamo
import synclint.lint.cli
from synclint.lint.rule import all_rules

all_rules()
gc.freeze()  # no child need look for garbage here, as pytest does five times at its end
server = socket.socket(socket.AF_UNIX)
server.bind(sys.argv[1])
server.listen()
print("ready", flush=True)
while server in select.select([server, 0], [], [])[0]:  # the other one ends with the process of the tests
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
        words = given["words"]
        if words[0] == "-m":
            sys.argv = words[1:]
            runpy.run_module(words[1], run_name="__main__", alter_sys=True)
        else:
            sys.argv = words
            runpy.run_path(words[0], run_name="__main__")
        sys.exit()
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
    own = {{"directory": os.getcwd(), "environment": dict(os.environ), "words": ["-m", "synclint", *sys.argv[1:]]}}
    socket.send_fds(connection, [json.dumps(own).encode()], [0, 1, 2])
    sys.exit(int(connection.recv(16)) % 256)
"""


class Preloaded:
    """A process that waits for words as they follow `python`."""

    def __init__(self, folder: Path) -> None:
        self.address = os.fspath(folder / "socket")
        command = [sys.executable, "-c", SERVER, self.address]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == b"ready\n"

    def __enter__(self) -> Preloaded:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def run(self, directory: Path, *words: str, **environment: str) -> tuple[int, str, str]:
        """Run a program; return its exit code, its output and its errors."""
        own = {"directory": os.fspath(directory), "environment": {**os.environ, **environment}, "words": words}
        with socket.socket(socket.AF_UNIX) as connection, ExitStack() as stack:
            nothing, out, errors = (stack.enter_context(tempfile.TemporaryFile("w+")) for _ in range(3))
            connection.connect(self.address)
            files = [file.fileno() for file in (nothing, out, errors)]
            socket.send_fds(connection, [json.dumps(own).encode()], files)
            code = int(connection.recv(16))
            out.seek(0)
            errors.seek(0)
            return code, out.read(), errors.read()

    def write_program(self, file: Path) -> None:
        """Write a program that does what the command `synclint` does."""
        file.write_text(PROGRAM.replace("ADDRESS", repr(self.address)))
        file.chmod(0o755)
