"""Asks Dynamo what it makes of each program, and the device whether the compiled program still waits.

Run `python -m synclint.runtime_checker.tables.compiling.measure [--device emulated]` with each version of torch, then
`python -m synclint.runtime_checker.tables.compiling.generate`. Without a device, nothing is known of waits.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import logging
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

EVIDENCE: Final = Path(__file__).resolve().parents[2] / "evidence" / "compiling"


def measured(programs: dict[str, list[Any]], device: str, watch: Callable[[], Any] | None) -> dict[str, list[Any]]:
    """Return, by kind of wait, what becomes of each program: by default, as one graph, and whether that waits."""
    return {kind: [_outcome(each, device, watch) for each in found] for kind, found in programs.items()}


def _outcome(program: Any, device: str, watch: Callable[[], Any] | None) -> dict[str, Any]:
    default, whole = _compiled(program, device, None, fullgraph=False), _compiled(program, device, None, fullgraph=True)
    found = {"program": program.__name__, "default": default["outcome"], "fullgraph": whole["outcome"]}
    if watch is not None and whole["outcome"] == "captured":
        seen = _compiled(program, device, watch, fullgraph=True)
        if "waits" in seen:
            found["waits"] = bool(seen["waits"])
    return found


def _compiled(program: Any, device: str, watch: Callable[[], Any] | None, *, fullgraph: bool) -> dict[str, Any]:
    """Compile a program anew and run it: an error, a graph that breaks, or one that holds all of it."""
    import torch
    from torch._dynamo.utils import counters

    graphs: list[Any] = []

    def backend(module: Any, _: Any) -> Any:
        graphs.append(module)
        return module.forward

    torch._dynamo.reset()
    counters.clear()
    x = (torch.arange(32).reshape(8, 4) % 7 / 7.0 + 1).to(device)
    compiled = torch.compile(program, backend=backend, fullgraph=fullgraph)
    waits = 0
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            compiled(x.clone())  # type: ignore[no-untyped-call]
            breaks = bool(counters["graph_break"]) or len(graphs) != 1
            if watch is not None:
                given = x.clone()
                with watch() as watcher:
                    compiled(given)  # type: ignore[no-untyped-call]
                waits = len(watcher.waits)
    except Exception as error:
        return {"outcome": "error", "why": f"{type(error).__name__}: {str(error).strip().splitlines()[0]}"}
    return {"outcome": "breaks" if breaks else "captured", "waits": waits}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure with the torch that is installed, and keep what was found."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--device", choices=("cpu", "emulated"), default="cpu")
    parser.add_argument("--only", nargs="*", default=[], metavar="KIND", help="measure these, and keep the others")
    given = parser.parse_args(arguments)
    device = given.device
    watch = None
    if device == "emulated":
        from ...verify.means import emulated

        means = emulated()
        watch = lambda: means.ways["runtime"](())  # noqa: E731
    import torch

    from .programs import PROGRAMS

    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    chosen = {kind: each for kind, each in PROGRAMS.items() if kind in given.only or not given.only}
    found = measured(chosen, "cuda" if watch else "cpu", watch)
    version = torch.__version__.partition("+")[0]
    EVIDENCE.mkdir(exist_ok=True)
    target = EVIDENCE / f"torch{version}.json"
    if given.only:
        found = {**json.loads(target.read_text("utf-8"))["found"], **found}
    target.write_text(json.dumps({"torch": version, "device": device, "found": found}, indent=1) + "\n", "utf-8")
    for kind, outcomes in found.items():
        print(f"{kind:36}", " | ".join(" ".join(map(str, list(each.values())[1:])) for each in outcomes))
    return 0


if __name__ == "__main__":
    sys.exit(main())
