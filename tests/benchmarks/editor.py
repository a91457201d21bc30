"""How long an editor waits: from a change in an open file of a project until its findings are shown.

    python tests/benchmarks/editor.py PROJECT [--times 5] [FILE …]

The server runs as editors start it, with a cache of its own. Without files, the largest one that has functions and
those at the middle and at nine tenths by size are opened, one after the other. Printed are milliseconds: until the
first findings with an empty and with a filled cache; then, for a comment, a statement in a body and another parameter,
the median, and behind a stroke the server's processor time on average, which other processes disturb less. Last comes
the peak memory of the server. Nothing is written into the project.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

BODY: Final = re.compile(r"^( +)\w+ = .*[\w)]$")
SIGNATURE: Final = re.compile(r"^( *def \w+\()(.*)$")


class Server:
    """A server, and a conversation with it."""

    def __init__(self, cache: str, root: Path) -> None:
        command = [sys.executable, "-m", "synclint", "server", "--cache-dir", cache]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=root)
        folders = [{"uri": root.as_uri(), "name": "project"}]
        params = {"processId": None, "rootUri": root.as_uri(), "capabilities": {}, "workspaceFolders": folders}
        self.send("initialize", params, id=1)
        while self.read().get("id") != 1:
            pass
        self.send("initialized", {})

    def send(self, method: str, params: Mapping[str, Any], **more: Any) -> None:
        """Send a message."""
        data = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self.process.stdin.flush()

    def read(self) -> dict[str, Any]:
        """Return the next message."""
        assert self.process.stdout is not None
        length = 0
        while (line := self.process.stdout.readline().strip()) or not length:
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        found: dict[str, Any] = json.loads(self.process.stdout.read(length))
        return found

    def shown(self, uri: str, version: int) -> None:
        """Wait until the findings in a version of a file are shown."""
        while True:
            said = self.read()
            if said.get("method") == "window/showMessage":
                raise SystemExit(said["params"]["message"])
            params = said.get("params", {})
            if "diagnostics" in params and (params["uri"], params.get("version")) == (uri, version):
                return

    def memory(self) -> int:
        """Return the peak memory in MB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) >> 10

    def used(self) -> float:
        """Return the milliseconds of processor time."""
        times = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        return sum(map(int, times)) * 1000 / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        """End the server."""
        self.process.kill()
        self.process.wait()


class File:
    """A file that is open."""

    def __init__(self, server: Server, path: Path) -> None:
        self.server = server
        self.uri = path.as_uri()
        self.lines = path.read_text(encoding="utf-8").split("\n")
        self.version = 0

    def open(self) -> float:
        """Open the file and return the milliseconds until its findings are shown."""
        document = {"uri": self.uri, "languageId": "python", "version": 0, "text": "\n".join(self.lines)}
        return self._timed("textDocument/didOpen", {"textDocument": document})

    def close(self) -> None:
        """Close the file."""
        self.server.send("textDocument/didClose", {"textDocument": {"uri": self.uri}})

    def changed(self, lines: list[str]) -> float:
        """Change the text and return the milliseconds until the findings in it are shown."""
        self.version += 1
        document = {"uri": self.uri, "version": self.version}
        params = {"textDocument": document, "contentChanges": [{"text": "\n".join(lines)}]}
        return self._timed("textDocument/didChange", params)

    def _timed(self, method: str, params: Mapping[str, Any]) -> float:
        time.sleep(0.3)  # as somebody who looks at what the last change has brought
        started = time.perf_counter()
        self.server.send(method, params)
        self.server.shown(self.uri, self.version)
        return (time.perf_counter() - started) * 1000


def comment(lines: list[str], number: int) -> list[str]:
    """Return the lines with a comment behind one of them."""
    at = next(at for at, line in enumerate(lines) if BODY.match(line))
    return [*lines[:at], f"{lines[at]}  # {'x' * number}", *lines[at + 1 :]]


def body(lines: list[str], number: int) -> list[str]:
    """Return the lines with another statement."""
    at, found = next((at, found) for at, line in enumerate(lines) if (found := BODY.match(line)))
    return [*lines[: at + 1], f"{found[1]}another_{number} = 1", *lines[at + 1 :]]


def signature(lines: list[str], number: int) -> list[str]:
    """Return the lines with another parameter of a function."""
    at, found = next((at, found) for at, line in enumerate(lines) if (found := SIGNATURE.match(line)))
    name = f"another_{number}" + (", " if found[2] and not found[2].startswith(")") else "")
    return [*lines[:at], f"{found[1]}{name}{found[2]}", *lines[at + 1 :]]


CHANGES: Final[tuple[Callable[[list[str], int], list[str]], ...]] = (comment, body, signature)


def chosen(root: Path) -> list[Path]:
    """Return the files at the middle, at nine tenths and at the end of those with functions, by size."""
    texts = {path: path.read_text(encoding="utf-8", errors="replace").split("\n") for path in root.rglob("*.py")}
    fit = [
        path
        for path, lines in texts.items()
        if any(map(BODY.match, lines)) and any(map(SIGNATURE.match, lines)) and any("torch" in line for line in lines)
    ]
    fit.sort(key=lambda path: len(texts[path]))
    return [fit[len(fit) // 2], fit[len(fit) * 9 // 10], fit[-1]]


def measured(server: Server, path: Path, times: int) -> str:
    """Return a row about one file."""
    file = File(server, path)
    opened = file.open()
    row = f"{opened:8.0f}"
    for change in CHANGES:
        before = server.used()
        waited = statistics.median([file.changed(change(file.lines, at)) for at in range(1, times + 1)])
        row += f"{waited:10.0f} /{(server.used() - before) / times:5.0f}"
    file.close()
    return f"{path.name[:30]:30} {len(file.lines):6} {row} {server.memory():8}"


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("project", type=Path)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--times", type=int, default=5)
    given = parser.parse_args()
    root = given.project.resolve()
    files = [path.resolve() for path in given.files] or chosen(root)
    with tempfile.TemporaryDirectory() as scratch:
        cache = str(Path(scratch, "cache"))
        for state in ("empty", "filled"):
            server = Server(cache, root)
            print(f"first findings with the cache {state}: {File(server, files[0]).open():.0f} ms", flush=True)
            server.close()
        server = Server(cache, root)
        print(f"{'':30} {'lines':>6} {'opened':>8}{'comment':>17}{'body':>17}{'signature':>17} {'MB':>8}")
        for path in files:
            print(measured(server, path, given.times), flush=True)
        server.close()


if __name__ == "__main__":
    main()
