"""Counts the waits of the programs on a device, keeps what torch's CUDA code says, and compares devices with it.

    python -m synclint.runtime_checker.trials.waits --device emulated --record
    python -m synclint.runtime_checker.trials.waits --device cuda --record
    python -m synclint.runtime_checker.trials.waits --device simulated

With `--record` the counts go to `runtime_checker/evidence/waits/torch.json`, one column for each version of torch. The
counts of any other device are compared with the column of the torch that is installed, and what a GPU says otherwise is
recorded beside that file, one file for each GPU and version of torch.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Final

from ...lint.evidence import FOLDER
from ..verify.evidence import file_name, machine
from ..verify.means import Means, choose
from .programs import Program, prepared, trial_programs, written_programs
from .trial import quiet

FILE: Final = FOLDER / "waits" / "torch.json"
NOT_RUN: Final = None
JOBS: Final = min(os.cpu_count() or 1, 8)


def count(programs: Iterable[Program], device: str) -> dict[str, int | None]:
    """The number of waits of each program, by its text; None where it cannot be run, or ends the process."""
    texts = [program.text for program in programs]
    with ThreadPoolExecutor(JOBS) as pool:
        parts = pool.map(lambda at: _count_part(texts[at::JOBS], device), range(JOBS))
        return {text: waits for part in parts for text, waits in part.items()}


def _count_part(texts: Sequence[str], device: str) -> dict[str, int | None]:
    """The number of waits of some programs, in one process after another."""
    left = list(texts)
    found: dict[str, int | None] = {}
    while left:
        counted = _in_another_process(left, device)
        if len(counted) < len(left):
            counted.append(NOT_RUN)
        found |= dict(zip(left, counted, strict=False))
        left = left[len(counted) :]
    return found


def _in_another_process(texts: Sequence[str], device: str) -> list[int | None]:
    """The waits of the first programs: of all, unless one of them ends the process."""
    command = [sys.executable, "-m", "synclint.runtime_checker.trials.waits", "--device", device, "--count"]
    done = subprocess.run(
        command, input=json.dumps(texts), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def _count_here(texts: Sequence[str], means: Means) -> Iterator[int | None]:
    """Count the waits of one program after another, until one breaks the device for all that follow."""
    watch = list(means.ways.values())[-1]  # the one that sees most
    with means.device():
        for text in texts:
            waits = NOT_RUN
            with suppress(Exception), quiet():
                call = prepared(text)
                with watch(()) as watcher:
                    call()
                waits = len(watcher.waits)
            if means.lags and not _is_well():
                return
            yield waits


def _is_well() -> bool:
    """Whether the GPU still computes: what a kernel asserts is told late, and then for good."""
    import torch

    try:
        torch.cuda.synchronize()
    except Exception:  # torch raises what the driver says, in a kind of its own
        return False
    return True


def _answer(means: Means) -> None:
    """Count the waits of the programs on the standard input; what they print themselves goes elsewhere."""
    import torch

    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    torch.set_num_threads(1)
    for waits in _count_here(json.load(sys.stdin), means):
        print(json.dumps(waits), file=out, flush=True)


def read() -> dict[str, dict[str, int | None]]:
    """Version of torch -> text of a program -> its waits on the emulated device."""
    versions, rows = _content()
    return {version: {text: counts[at] for _, text, counts in rows} for at, version in enumerate(versions)}


def of_release(version: str) -> dict[str, int | None]:
    """The waits in the CUDA code of a release, whatever its build; nothing of one that is not known."""
    release = version.partition("+")[0]
    return next((counts for known, counts in read().items() if known.partition("+")[0] == release), {})


def stored() -> list[Program]:
    """The programs that were recorded; none in an installed copy, which does without them."""
    return [Program(group, text) for group, text, _ in _content()[1]]


def _content() -> tuple[list[str], list[tuple[str, str, list[int | None]]]]:
    if not FILE.exists():
        return [], []
    content = json.loads(FILE.read_text(encoding="utf-8"))
    return content["torch"], content["programs"]


def write(programs: Iterable[Program], version: str, counts: Mapping[str, int | None]) -> None:
    """Put the column of one version into the file: one line for each program."""
    columns = {**read(), version: dict(counts)}
    versions = sorted(columns, key=lambda text: [int(part) for part in text.partition("+")[0].split(".")])
    rows = [(each.group, each.text, [columns[version].get(each.text) for version in versions]) for each in programs]
    lines = [json.dumps(row, separators=(",", ":")) for row in rows if any(each is not None for each in row[2])]
    FILE.parent.mkdir(parents=True, exist_ok=True)
    joined = ",\n".join(lines)
    FILE.write_text(f'{{"torch":{json.dumps(versions)},"programs":[\n{joined}\n]}}\n', encoding="utf-8")


def write_of_gpu(ran: int, found: Iterable[tuple[Program, int, int]]) -> Path:
    """Keep what a GPU says otherwise than torch's CUDA code, and how many programs ran on both; return the file."""
    head = machine()
    rows = [{"group": each.group, "program": each.text, "gpu": here, "code": there} for each, here, there in found]
    path = FILE.with_name(file_name(head["device"], head["torch"]))
    path.write_text(json.dumps({**head, "programs": ran, "differ": rows}, indent=2) + "\n", encoding="utf-8")
    return path


def all_programs(guess: bool) -> list[Program]:
    """Return the programs written by hand, those of the trials, and calls of all public functions; each once.

    The calls are guessed anew only if asked to, for that takes minutes and would hardly differ.
    """
    from .guesses import guessed_programs

    calls = guessed_programs() if guess else (each for each in stored() if each.group.startswith("torch."))
    found: dict[str, Program] = {}
    for program in (*written_programs(), *trial_programs(), *calls):
        found.setdefault(program.text, program)
    return list(found.values())


def differences(
    programs: Iterable[Program], counts: Mapping[str, int | None], observed: Mapping[str, int | None]
) -> Iterator[tuple[Program, int, int]]:
    """The programs that wait otherwise: on the device, and in torch's CUDA code."""
    for program in programs:
        here, there = counts.get(program.text), observed.get(program.text)
        if here is not None and there is not None and here != there:
            yield program, here, there


def main(arguments: Sequence[str] | None = None) -> int:
    """Record, or print a table of groups and the programs that differ."""
    import argparse

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--device", choices=["cuda", "emulated", "simulated"], default="emulated")
    parser.add_argument("--record", action="store_true", help="keep the counts of the installed torch")
    parser.add_argument("--guess", action="store_true", help="guess the calls of public functions anew")
    parser.add_argument("--count", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    means = choose(given.device)
    import torch

    if given.count:
        _answer(means)
        return 0
    if given.record and given.device == "emulated":
        programs = all_programs(given.guess)
        write(programs, torch.__version__, count(programs, given.device))
        return 0
    programs = stored()
    observed = of_release(torch.__version__)
    counts = count(programs, given.device)
    found = list(differences(programs, counts, observed))
    for program, here, there in found:
        print(f"differs   {program.group}: {program.text}: {here} waits, and {there} in torch's CUDA code")
    ran = sum(counts[each.text] is not None and observed.get(each.text) is not None for each in programs)
    print(f"{ran} programs run on both devices, {len(found)} differ; {len(programs) - ran} run on one only")
    if given.record and means.lags:
        print(f"recorded in {write_of_gpu(ran, found)}")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
