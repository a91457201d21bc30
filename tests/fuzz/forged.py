"""Forged records: each place of a summary's and of findings' JSON gets values of other types, and is linked or merged.

    python tests/fuzz/forged.py [--values 3] [--seed 1]

Whoever forges a record can make its digest right; so does this. What comes of it must be a report, or one line that
says which file it is about. Printed is each mutation after which that is not so. `--values` limits how many values,
drawn at random, each place gets.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import io
import json
import os
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any, Final, NamedTuple

from synclint.lint import cli
from synclint.lint.distributed import parts
from synclint.lint.distributed.parts import FINDINGS, SUMMARY

PROGRAM: Final = """\
import torch
import torchmetrics
from torch import nn
from torch.utils.data import DataLoader
from other import scale, Base


class Net(Base, nn.Module):
    def __init__(self, size=3, *, device="cuda"):
        super().__init__()
        self.layer = nn.Linear(size, size).to(device)
        self.seen: list[torch.Tensor] = []
        self.accuracy = torchmetrics.Accuracy(task="multiclass", num_classes=3)

    def forward(self, x: torch.Tensor, mask=None):
        if mask is not None and mask.any():
            x = x[mask]
        return scale(self.layer(x), by=2.5)


def train(model, loader, log=print):
    total = 0
    for step, (x, y) in enumerate(loader):
        loss = nn.functional.cross_entropy(model(x.cuda(), x > 0), y.cuda())
        total += loss.item()
        loss.backward()
        if step % 10 == 0:
            log(f"{float(loss)} {max(loss, y.sum())}")  # synclint: ignore[SYNC105] - rarely
        for each in {"a": [1, 2j, b"x", ...], "b": (x, None)}.values():
            log(each)
    return total


if __name__ == "__main__":
    train(Net(), DataLoader(range(3), num_workers=2))
"""
OTHER: Final = (
    "import torch\nclass Base:\n    def loss(self, x: torch.Tensor):\n        return x.sum().item()\n"
    "def scale(x, by=1):\n    x[x > by] = 0\n    return x * torch.tensor(by).to(x.device)\n"
)
VALUES: Final[tuple[Any, ...]] = (
    *(None, True, False, 0, 1, 7, 20, -1, 10**6, 10**40, -(10**4000), 1.5, float("nan"), float("inf")),
    *("", "a.py", "/etc/passwd", "torch.Tensor.item", "\ud800", "\x1b[31m", [], {}, [[]], [0], [7, 0, 0], {"a": []}),
)
SECONDS: Final = 30
"""The time that one step may take."""


class Record(NamedTuple):
    """A record of one step's file: its kind, its header without what is found out again, and its lines as JSON."""

    kind: str
    header: dict[str, Any]
    lines: list[list[Any]]

    def written(self) -> bytes:
        """Return the record as its writer would have written it."""
        texts = ["\n".join(json.dumps(each, separators=(",", ":")) for each in line) for line in self.lines]
        return parts.written(self.kind, texts, **self.header)


class Outcome(NamedTuple):
    """What a command did."""

    code: object
    out: str
    err: str


def records(file: Path, kind: str) -> list[Record]:
    """Return the records in a file."""
    own = ("synclint", "schema", "by", "lines")
    return [
        Record(kind, {key: value for key, value in header.items() if key not in own}, [[json.loads(x)] for x in lines])
        for header, lines in parts.read(str(file), kind)
    ]


def places(tree: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the way to each value in a tree of lists and dicts."""
    inner = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in inner:
        yield (key,)
        yield from ((key, *rest) for rest in places(value))


def changed(tree: Any, way: Sequence[Any], value: Any) -> Any:
    """Return a tree with another value at a place; None if it is the same."""
    made = copy.deepcopy(tree)
    within = made
    for key in way[:-1]:
        within = within[key]
    if type(within[way[-1]]) is type(value) and within[way[-1]] == value:
        return None
    within[way[-1]] = value
    return made


def mutations(record: Record, random: Random, values: int) -> list[tuple[tuple[Any, ...], Any]]:
    """Return all places of a record, each with some values for it."""
    tree = {"header": record.header, "lines": record.lines}
    return [(way, value) for way in places(tree) if len(way) > 1 for value in random.sample(VALUES, values)]


def forged(record: Record, way: Sequence[Any], value: Any) -> bytes | None:
    """Return a record with another value at a place; None if no such record can be written."""
    made = changed({"header": record.header, "lines": record.lines}, way, value)
    if made is None:
        return None
    with contextlib.suppress(TypeError, ValueError):
        return Record(record.kind, made["header"], made["lines"]).written()
    return None


def run(*arguments: str) -> Outcome:
    """Run a command in this process, for no longer than it may take."""
    out, err = io.StringIO(), io.StringIO()
    sys.argv = ["synclint", *arguments]
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            cli.main()
    except SystemExit as error:
        return Outcome(error.code, out.getvalue(), err.getvalue())
    except TimeoutError:
        return Outcome("too long", out.getvalue(), err.getvalue())
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return Outcome(None, out.getvalue(), err.getvalue())


def steps(kind: str, file: str) -> list[tuple[str, ...]]:
    """Return the commands that read a file of records."""
    merge = ("merge", "found" if kind == SUMMARY else file, "--show-notes", "--output-format")
    report = [(*merge, form) for form in ("json", "full", "sarif")]
    return [("link", file, "--open-world", "--isolated", "-o", "found"), *report] if kind == SUMMARY else report


def wrong(kind: str, file: str) -> str:
    """Return what is wrong with what comes of a file of records; empty if nothing is."""
    for arguments in steps(kind, file):
        done = run(*arguments)
        if done.code == 2 and done.err.count("\n") == 1 and "internal error" not in done.err and not done.out:
            return ""
        if done.code not in (0, 1) or done.err:
            return f"{arguments[0]}: {done.code} {done.err or done.out[:200]}".strip()
        if "json" in arguments or "sarif" in arguments:
            json.loads(done.out)
    return ""


def prepared() -> list[tuple[list[Record], int]]:
    """Write the program, its summaries and its findings; return for each record all of its file, and which it is."""
    Path("a.py").write_text(PROGRAM)
    Path("other.py").write_text(OTHER)
    run("summarize", "a.py", "other.py", "-o", "all.summary")
    run("link", "all.summary", "--open-world", "--isolated", "-o", "all.found")
    found = [records(Path("all.summary"), SUMMARY), records(Path("all.found"), FINDINGS)]
    return [(each, at) for each in found for at in range(len(each))]


def tried(chosen: Sequence[tuple[list[Record], int, tuple[Any, ...], Any]]) -> Iterator[tuple[str, str]]:
    """Yield for each mutation what it is, and what is wrong after it."""
    for every, at, way, value in chosen:
        data = forged(every[at], way, value)
        if data is not None:
            kind = every[at].kind
            Path("forged").write_bytes(b"".join(data if n == at else each.written() for n, each in enumerate(every)))
            yield f"{kind} {at} {'.'.join(map(str, way))} = {str(value)[:40]!r}", wrong(kind, "forged")


def everything(random: Random, values: int = len(VALUES)) -> list[tuple[list[Record], int, tuple[Any, ...], Any]]:
    """Return the mutations of a program's records in random order."""
    found = [(every, at, way, value) for every, at in prepared() for way, value in mutations(every[at], random, values)]
    random.shuffle(found)
    return found


def stop(_: int, __: FrameType | None) -> None:
    """End a step that takes too long."""
    raise TimeoutError


def main() -> None:
    """Print what goes wrong, and how often what."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--values", type=int, default=len(VALUES))
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    signal.signal(signal.SIGALRM, stop)
    counted: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        chosen = everything(Random(given.seed), given.values)
        for what, bad in tried(chosen):
            counted["tried"] += 1
            if bad:
                counted[bad.partition(";")[0]] += 1
                print(what, "->", bad, flush=True)
    print(f"{len(chosen)} mutations, {counted.most_common()}")


if __name__ == "__main__":
    main()
