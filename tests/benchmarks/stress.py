"""How odd programs cost: chains of thousands of steps across files, cycles, diamonds, and tens of thousands of files.

    python tests/benchmarks/stress.py [--size 5000] [SHAPE …]

Each shape is a program that waits on a known line, written to a temporary directory once in the size given and once in
a quarter of it, and checked in one process, and by `summarize` and `link`. Printed are seconds of processor time and
peak memory of each; four times the size should cost four times as much.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

START: Final = "import torch\n"
FORWARD: Final = "    def forward(self, x):\n        return x.cuda().sum().item()\n"
LOOP: Final = "for batch in torch.utils.data.DataLoader([]):\n"


def calls(size: int) -> dict[str, str]:
    """Functions that each call that of the next file; the last one waits."""
    files = {
        f"m{at}.py": f"{START}from m{at + 1} import f{at + 1}\n\n\ndef f{at}(x):\n    return f{at + 1}(x)\n"
        for at in range(size)
    }
    files[f"m{size}.py"] = f"{START}\n\ndef f{size}(x):\n    print(x.item())\n    return x\n"
    files["train.py"] = f"{START}from m0 import f0\n\n{LOOP}    f0(batch.cuda().sum())\n"
    return files


def attributes(size: int) -> dict[str, str]:
    """Objects that each hold that of the next file; the last one holds a tensor."""
    files = {
        f"m{at}.py": f"{START}from m{at + 1} import C{at + 1}\n\n\nclass C{at}:\n    def __init__(self):\n"
        f"        self.a = C{at + 1}().a\n"
        for at in range(size)
    }
    files[f"m{size}.py"] = (
        f"{START}\n\nclass C{size}:\n    def __init__(self):\n        self.a = torch.ones(1).cuda()\n"
    )
    files["train.py"] = f"{START}from m0 import C0\n\nc = C0()\n{LOOP}    print(c.a.item())\n"
    return files


def assignments(size: int) -> dict[str, str]:
    """Modules that each bind what the one before binds."""
    files = {f"m{at}.py": f"{START}from m{at + 1} import x{at + 1}\n\nx{at} = x{at + 1}\n" for at in range(size)}
    files[f"m{size}.py"] = f"{START}\nx{size} = torch.ones(1).cuda()\n"
    files["train.py"] = f"{START}from m0 import x0\n\n{LOOP}    print(x0.item(), batch.cuda().sum().item())\n"
    return files


def bases(size: int) -> dict[str, str]:
    """Classes that each derive from that of the next file; the last one is a module whose `forward` waits."""
    files = {
        f"m{at}.py": f"{START}from m{at + 1} import C{at + 1}\n\n\nclass C{at}(C{at + 1}):\n    pass\n"
        for at in range(size)
    }
    files[f"m{size}.py"] = f"{START}\n\nclass C{size}(torch.nn.Module):\n{FORWARD}"
    files["train.py"] = f"{START}from m0 import C0\n\nmodel = C0()\n{LOOP}    model(batch)\n"
    return files


def imports(size: int) -> dict[str, str]:
    """Files that import each other in a circle, each with a name of all the others."""
    files = {
        f"m{at}.py": f"{START}from m{(at + 1) % size} import *\nfrom m{(at + 7) % size} import f{(at + 7) % size}\n\n\n"
        f"def f{at}(x):\n    return f{(at + 7) % size}(x)\n"
        for at in range(size)
    }
    files["train.py"] = (
        f"{START}import m0\n\n{LOOP}    print(m0.f0(batch.cuda()).item())\n    print(batch.cuda().sum().item())\n"
    )
    return files


def diamonds(size: int) -> dict[str, str]:
    """Layers of functions and classes with two ways to the next: 2 to the 20 paths, once per thousand of size."""
    files: dict[str, str] = {}
    for block in range(max(size // 1000, 1)):
        for at in range(20):
            below = [f"f{block}_{at + 1}_{side}" for side in "ab"]
            classes = [f"C{block}_{at + 1}_{side}" for side in "ab"]
            text = f"{START}from d{block}_{at + 1} import {', '.join(below + classes)}\n"
            for side in "ab":
                text += f"\n\ndef f{block}_{at}_{side}(x):\n    return {below[0]}(x) + {below[1]}(x)\n"
                text += f"\n\nclass C{block}_{at}_{side}({', '.join(classes)}):\n    pass\n"
            files[f"d{block}_{at}.py"] = text
        text = START
        for side in "ab":
            text += f"\n\ndef f{block}_20_{side}(x):\n    print(x.item())\n    return x\n"
            text += f"\n\nclass C{block}_20_{side}(torch.nn.Module):\n{FORWARD}"
        files[f"d{block}_20.py"] = text
        files[f"train{block}.py"] = (
            f"{START}from d{block}_0 import f{block}_0_a\n\n{LOOP}    f{block}_0_a(batch.cuda().sum())\n"
        )
    return files


def files(size: int) -> dict[str, str]:
    """Ten times as many small files as the size, in packages of a hundred."""
    made = {}
    for at in range(10 * size):
        place = f"p{at // 100}/"
        made.setdefault(f"{place}__init__.py", "")
        made[f"{place}m{at}.py"] = f"{START}\n\ndef f{at}(x):\n    return x * {at}\n"
    made["train.py"] = f"{START}from p0.m0 import f0\n\n{LOOP}    print(f0(batch.cuda().sum()).item())\n"
    return made


SHAPES: Final[Mapping[str, Callable[[int], dict[str, str]]]] = {
    each.__name__: each for each in (calls, attributes, assignments, bases, imports, diamonds, files)
}


def write(place: Path, program: Mapping[str, str]) -> Path:
    """Write a program into a directory."""
    for name, text in program.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
    (place.parent / "files").write_text("".join(f"{place / name}\n" for name in sorted(program)))
    (place.parent / "names").write_text("".join(f"{name}\n" for name in sorted(program)))
    return place


def measured(place: Path, *arguments: str) -> str:
    """Return the processor seconds and the peak memory of one command, and its exit code if that is no good one."""
    command = [sys.executable, "-m", "synclint", *arguments]
    process = subprocess.Popen(command, cwd=place, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    code = os.waitstatus_to_exitcode(status)
    bad = "" if code in (0, 1) else f" EXIT {code}"
    return f"{used.ru_utime + used.ru_stime:8.2f} s {used.ru_maxrss >> 10:6} MB{bad}"


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shapes", nargs="*", metavar="SHAPE")
    parser.add_argument("--size", type=int, default=5000)
    given = parser.parse_args()
    for shape in given.shapes or SHAPES:
        for size in (given.size // 4, given.size):
            with tempfile.TemporaryDirectory() as scratch:
                place = write(Path(scratch, "program"), SHAPES[shape](size))
                every = ("--base", str(place))
                steps = {
                    "check": ("check", ".", "--no-cache", "--isolated", "--jobs", "1"),
                    "summarize": ("summarize", "@../files", *every, "--names", "../names", "-o", "../all.summary"),
                    "link": ("link", "../all.summary", *every, "--open-world", "--isolated", "-o", "../found"),
                }
                for step, arguments in steps.items():
                    print(f"{shape:12} {size:6} {step:10} {measured(place, *arguments)}", flush=True)


if __name__ == "__main__":
    main()
