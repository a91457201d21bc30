"""Both articles of examples/articles, before and after their cure: waits per step, blocked time, step time.

    python tests/benchmarks/articles.py [--device DEVICE] [--steps N] [--json FILE] [ARTICLE...]

Waits and blocked time come from a watched run, whose steps are timed as well, and the step time that counts from
another one that nobody watches, with the device synchronised before the clock is read. The first batch is used in all
steps: making data is not what is measured.
On the simulated and on the emulated device (with `--small`) the CPU computes: only the numbers of waits mean something.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar, Final

from synclint.runtime_checker.cuda.watcher import CudaWatcher
from synclint.runtime_checker.device import watch
from synclint.runtime_checker.script.command import main as run
from synclint.runtime_checker.script.program import Enough, Program
from synclint.runtime_checker.script.steps import Steps, counted

ARTICLES: Final = Path(__file__).parents[2] / "examples" / "articles"
NAMES: Final = ("metric_collection", "metric_placement", "masked_loss")
VERSIONS: Final = ("before", "after")
SMALL: Final = ("--batch-size", "2", "--classes", "5", "--image-size", "32")
NO_REPORT: Final = 1_000_000_000
"""Reports every so many steps: the articles read values to report them, and that is not what they are about."""


@dataclass(frozen=True)
class Measured:
    """One version of one article. `error` is the last line of a program that failed."""

    article: str
    version: str
    device: str = ""
    waits_per_step: float | None = None
    blocked_ms_per_step: float | None = None
    watched_ms: float | None = None
    step_ms: float | None = None
    lines: tuple[str, ...] = ()
    error: str = ""


def main() -> int:
    """Measure what is asked for, or be the process that does."""
    options = arguments()
    if options.child:
        return child(options)
    measured = [measure(article, version, options) for article in options.articles or NAMES for version in VERSIONS]
    print("\n".join(table(measured)))
    if options.json:
        Path(options.json).write_text(json.dumps([asdict(each) for each in measured], indent=2) + "\n")
    return int(any(each.error for each in measured))


def arguments() -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("articles", nargs="*", metavar="ARTICLE", help=f"{', '.join(NAMES)} (all)")
    parser.add_argument("--device", choices=["auto", "cuda", "emulated", "simulated"], default="auto")
    parser.add_argument("--steps", type=int, default=20, help="steps that are measured")
    parser.add_argument("--warmup", type=int, default=12, help="steps before; DDP times the first ten")
    parser.add_argument("--small", action="store_true", help="small programs on a GPU as well")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    return parser.parse_args()


def measure(article: str, version: str, options: argparse.Namespace) -> Measured:
    """Run one version twice, each time in a process of its own."""
    script = ARTICLES / f"{article}_{version}.py"
    with tempfile.TemporaryDirectory() as directory:
        found = Path(directory) / "found.json"
        done = [start(kind, script, found, options) for kind in ("watch", "time")]
        for each in done:
            if each.returncode:
                return Measured(article, version, error=f"exit code {each.returncode}: {trouble(each.stderr)}")
        record = json.loads(found.read_text())
        step_ms = float(done[1].stdout.strip().splitlines()[-1])
    waiting = (line for line in record["lines"] if line["count_per_step"])
    lines = tuple(f"{Path(line['filename']).name}:{line['line']} {line['count_per_step']:g}" for line in waiting)
    summary = record["summary"]
    numbers = (summary["waits_per_step"], summary["blocked_ms_per_step"], summary["step_ms"], step_ms)
    return Measured(article, version, record["device"], *numbers, lines)


def trouble(text: str) -> str:
    """The line of a failed program's output that says why."""
    lines = text.strip().splitlines() or ["no message"]
    return next((line for line in lines if "program stopped with" in line), lines[-1])


def start(kind: str, script: Path, found: Path, options: argparse.Namespace) -> subprocess.CompletedProcess[str]:
    """A child that runs a script, watched or timed."""
    own = ["--device", options.device, "--steps", str(options.steps), "--warmup", str(options.warmup)]
    child = ["--child", kind, str(script)]
    small = ["--small"] if options.small else []
    return subprocess.run(
        [sys.executable, __file__, *own, *small, *child],
        env={**os.environ, "SYNCLINT_FOUND": str(found)},
        capture_output=True,
        text=True,
    )


def child(options: argparse.Namespace) -> int:
    """Run a script, watched or timed."""
    kind, script = options.child
    total = options.steps + options.warmup
    is_real = isinstance(watch(options.device), CudaWatcher)
    words = [script, "--steps", str(total + 1), "--workers", "0", "--report-every", str(NO_REPORT)]
    words += SMALL if options.small or not is_real else ()
    repeat_first_batch()
    if not is_real:
        use_gloo()
    if kind == "time":
        words += () if is_real else ("--device", "cpu")
        print(f"\n{timed(words, total, options.warmup) * 1000}")
        return 0
    output = f"json={os.environ['SYNCLINT_FOUND']}"
    return run(words, options.device, total, options.warmup, [output])


def repeat_first_batch() -> None:
    """Let every DataLoader make one batch and give it again and again."""
    from torch.utils.data import DataLoader

    original = DataLoader.__iter__

    def repeated(loader: DataLoader[Any]) -> Iterator[Any]:
        first = next(original(loader))
        for _ in range(len(loader)):
            yield first

    DataLoader.__iter__ = repeated  # type: ignore[method-assign, assignment]


def use_gloo() -> None:
    """Let processes talk through gloo where there is no NCCL; nothing of it is measured."""
    from torch import distributed

    original = distributed.init_process_group

    def init(_: str, **options: Any) -> None:
        original("gloo", **options)

    distributed.init_process_group = init


class Clock(Steps):
    """Waits for the device before it looks at the time: when the warm-up is over, and at the end."""

    warmup: ClassVar[int] = 0

    def stepped(self, optimizer: object, *_: object) -> None:
        """An optimizer has stepped. These programs have only one."""
        import torch

        if len(self.marks) + 1 in (self.warmup, self.limit) and torch.cuda.is_initialized():  # type: ignore[no-untyped-call]
            torch.cuda.synchronize()
        super().stepped(optimizer)


def timed(words: Sequence[str], total: int, warmup: int) -> float:
    """Seconds of one step of a program that nobody watches."""
    Clock.warmup = warmup
    clock = Clock([], limit=total)
    with contextlib.suppress(Enough), counted(clock):
        Program.of(words).run()
    return clock.window(warmup).step_seconds or 0.0


def table(measured: Sequence[Measured]) -> Iterator[str]:
    """A table in Markdown, and below it the lines that wait."""
    yield f"Measured on: {', '.join(sorted({each.device for each in measured if each.device})) or 'nothing'}."
    yield ""
    yield "| article | version | waits per step | blocked ms per step | watched step ms | step ms | faster |"
    yield "|---|---|---:|---:|---:|---:|---:|"
    before: dict[str, float] = {}
    noise = max(
        (abs(each.watched_ms / each.step_ms - 1) for each in measured if each.watched_ms and each.step_ms), default=0
    )
    for each in measured:
        if each.error:
            yield f"| {each.article} | {each.version} | {each.error} | | | | |"
            continue
        if each.version == "before" and each.step_ms:
            before[each.article] = each.step_ms
        ratio = before.get(each.article, 0.0) / (each.step_ms or 1.0)
        is_timed = each.version == "after" and ratio and not {"simulated", "Emulated"} & {*each.device.split()}
        faster = (
            f"{ratio:.2f}x" if is_timed and abs(ratio - 1) > noise else "no measurable difference" if is_timed else ""
        )
        numbers = (each.waits_per_step, each.blocked_ms_per_step, each.watched_ms, each.step_ms)
        cells = ("unknown" if number is None else f"{number:.2f}" for number in numbers)
        yield f"| {each.article} | {each.version} | {' | '.join(cells)} | {faster} |"
    yield ""
    yield from (f"{each.article} {each.version}: {', '.join(each.lines)}" for each in measured if each.lines)


if __name__ == "__main__":
    sys.exit(main())
