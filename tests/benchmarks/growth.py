"""Whether the work of a check grows no faster than what is checked: `python tests/benchmarks/growth.py [KIND…]`.

Each kind of syntax, and each key of the settings, is written n, 2n and 4n times. What Python then does is counted, an
operation of its virtual machine at a time, so that the answer is the same on every machine. Work in C is not counted
(searching a text, joining tuples); it shows in the processor time of larger files, compared with a wide margin.
The exit code is 1 where anything grows faster. `--quick` only counts, and of fewer lines, as `.ci/run` does.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FrameType
from typing import Any, Final

from synclint.lint.cli import cli
from synclint.lint.limits import MOST_ITEMS
from synclint.lint.settings.config import KEYS

HEAD: Final = "import torch\nx = torch.ones(9, device='cuda')\na = b = x.sum()\n"
COUNTED, TIMED = 120, 3000
QUICK: Final = MOST_ITEMS + 2
"""Half as much takes half the time, and is still beyond what is read otherwise because it is longer than most."""
MOST_GROWTH: Final = 2.2
"""From 2n to 4n the work grows by twice as much as from n to 2n if it is linear, by four times if quadratic."""
MOST_TIME: Final = 7.0
"""Four times the text may take so many times the time; 16 if it is quadratic."""
SLOW: Final = 1.0
"""Seconds below which a time says little."""


def repeated(line: str) -> Callable[[int], str]:
    """A text with a line for each number."""
    return lambda n: HEAD + "".join(line.replace("@", str(i)).replace("%", str(max(i - 1, 0))) for i in range(n))


def joined(before: str, part: str, between: str, after: str = "\n") -> Callable[[int], str]:
    """A text with one line of many parts."""
    return lambda n: HEAD + before + between.join(part.replace("@", str(i)) for i in range(n)) + after


SYNTAX: Final[Mapping[str, Callable[[int], str]]] = {
    "expressions": repeated("x.item()\n"),
    "assignments": repeated("y@ = x + 1\nprint(y@.item())\n"),
    "rebinding": repeated("x = x + x.item()\n"),
    "functions": repeated("def f@(p): return p.item()\n"),
    "chained functions": repeated("def f@(p): return f%(p)\n"),
    "globals": repeated("def f@(p):\n    global g@\n    g@ = p\n"),
    "classes": repeated("class C@(torch.nn.Module):\n    def forward(self, p): return p.item()\n"),
    "chained classes": repeated("class C@(C%):\n    def m@(self): return self.m%().item()\n"),
    "for": repeated("for e in x: e.item()\n"),
    "suppressed for": repeated("for e in x:  # synclint: ignore\n    e.item()\n"),
    "while": repeated("while a > @: a = x.sum()\n"),
    "if": repeated("if a > @: x = x + 1\n"),
    "try": repeated("try: x.item()\nexcept ValueError: x = x + 1\n"),
    "with": repeated("with torch.no_grad(): x.item()\n"),
    "match": lambda n: HEAD + "match a:\n" + "".join(f"    case {i}: x.item()\n" for i in range(n)),
    "imports": repeated("from m@ import n@\nn@(x)\n"),
    "comments": repeated("# synclint: ignore[SYNC101]\n"),
    "decorators": repeated("@torch.no_grad()\ndef f@(p): return p\n".replace("@torch", "\0torch")),
    "and": joined("if ", "a", " and ", ":\n    x.item()\n"),
    "or": joined("if ", "a", " or ", ":\n    x.item()\n"),
    "comparisons": joined("print(", "a", " < ", ")\n"),
    "sums": joined("print(", "a", " + ", ")\n"),
    "arguments": joined("print(", "a", ", ", ")\n"),
    "keywords": joined("dict(", "k@=a", ", ", ")\n"),
    "parameters": joined("def f(", "p@", ", ", "): return x.item()\nf(x)\n"),
    "lists": joined("y = [", "a", ", ", "]\nprint(y[0].item())\n"),
    "dictionaries": joined("y = {", "'k@': a", ", ", "}\nprint(y['k0'].item())\n"),
    "targets": joined("", "y@", " = ", " = x\nprint(y0.item())\n"),
    "text": joined('print(f"', "{a}", "", '")\n'),
    "semicolons": joined("", "x.item()", "; "),
    "attributes": repeated("x.a@ = a\nprint(x.a@)\n"),
    "deletions": repeated("y@ = x\ndel y@\n"),
}
SYNTAX_OF: Final = {name: (lambda n, make=make: make(n).replace("\0", "@")) for name, make in SYNTAX.items()}


def settings(name: str) -> Callable[[int], str] | None:
    """A configuration with many entries for a key; None if there cannot be many."""
    example = KEYS[name].metadata["example"]
    if name in ("plugins", "severity") or not ("[" in example or " = " in example):
        return None
    if " = " in example:
        key, _, value = example.partition(" = ")
        return lambda n: f"[{name}]\n" + "".join(f'"a{i}/{key[1:]} = {value}\n' for i in range(n))
    is_free = not list(KEYS[name].metadata["selectors"](["SYNC1"]))
    first = example[1:-1].split(",")[0]
    word = (lambda i: f"{first[:-1]}{i}{first[-1]}") if is_free else (lambda _: first)
    return lambda n: f"{name} = [{', '.join(word(i) for i in range(n))}]\n"


def kinds() -> dict[str, tuple[str, Callable[[int], str]]]:
    """What grows: the file that it is in, and its text."""
    found = {name: ("a.py", make) for name, make in SYNTAX_OF.items()}
    found |= {f"key {name}": ("synclint.toml", make) for name in KEYS if (make := settings(name)) is not None}
    found["requirements"] = ("requirements.txt", lambda n: "".join(f"torch>=1.{i}\n" for i in range(10 * n)))
    found["repeated requirements"] = ("requirements.txt", lambda n: "torch>=1.0\n" * 10 * n)
    found["gitignore"] = (".gitignore", lambda n: "".join(f"a{i}*b\n" for i in range(n)))
    return found


def checked() -> None:
    """Check the current directory, in this process."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        words = ["check", ".", "--no-cache", "--exit-zero", "--jobs", "1", "--output-format", "concise"]
        code = cli.main(words, standalone_mode=False)
    if code:
        raise SystemExit(f"a check ended with {code}")


def operations() -> int:
    """Return how many operations a check takes."""
    count = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        count += event == "opcode"
        return trace

    threading.settrace(trace)
    sys.settrace(trace)
    try:
        checked()
    finally:
        sys.settrace(None)
        threading.settrace(None)  # type: ignore[arg-type]
    return count


def seconds() -> float:
    """Return the processor time of a check."""
    started = time.process_time()
    checked()
    return time.process_time() - started


def judged(file: str, make: Callable[[int], str], quick: bool) -> tuple[bool, str]:
    """Whether a kind grows too fast, and by how much it grows."""
    number = QUICK if quick else COUNTED
    Path(file).write_text(make(number), encoding="utf-8")
    checked()  # what is imported and compiled on demand is not counted
    work = []
    for times in (1, 2, 4):
        Path(file).write_text(make(number * times), encoding="utf-8")
        work.append(operations())
    growth = (work[2] - work[1]) / max(work[1] - work[0], number)
    spent = []
    for times in () if quick else (1, 4):
        Path(file).write_text(make(TIMED * times), encoding="utf-8")
        spent.append(seconds())
    is_bad = growth > MOST_GROWTH or (bool(spent) and spent[1] > max(SLOW, MOST_TIME * spent[0]))
    return is_bad, f"{growth:6.2f}" + "".join(f"{each:8.2f} s" for each in spent)


def main(words: list[str]) -> int:
    """Try the kinds that are named, or all, and print a table."""
    quick, names = "--quick" in words, [each for each in words if not each.startswith("-")]
    failing = 0
    for name, (file, make) in kinds().items():
        if names and name not in names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            Path("a.py").write_text(HEAD + "x.item()\n")
            is_bad, told = judged(file, make, quick)
            os.chdir("/")
        failing += is_bad
        print(f"{name:24}{told}{'  grows too fast' if is_bad else ''}", flush=True)
    return bool(failing)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
