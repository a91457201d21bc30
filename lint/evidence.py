"""Evidence for rules: the recordings of `synclint verify --record`, read without PyTorch.

A recording is a file of `runtime_checker/evidence/`, for one GPU, or the emulated device, and one version of PyTorch;
its form is that of `runtime_checker/verify/evidence.py`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent.parent / "runtime_checker" / "evidence"
EMULATED = "emulated"
"""The kind of evidence that torch's CUDA code gives without a GPU; that of a GPU is `cuda`."""
SAYS_SOMETHING = frozenset(("confirmed", "observed", "disagrees"))
"""The verdicts that are about the rule, not about a library missing on the machine."""


@dataclass(frozen=True, slots=True)
class Recording:
    """One example, run on one device; `seen_by` are the ways that showed it; `waits` are those of one step."""

    kind: str
    device: str
    torch: str
    date: str
    verdict: str
    seen_by: tuple[str, ...]
    waits: int
    blocked_ms: float | None


def _in_torchs_code(verdict: str, versions: Sequence[str]) -> str:
    preposition = "with" if verdict == "disagrees" else "in"
    return f"{verdict} {preposition} torch's CUDA code ({', '.join(versions)}, emulated)"


def recordings(code: str) -> tuple[Recording, ...]:
    """Return what was recorded of a rule, ordered by file name."""
    return tuple(each for each in _every(FOLDER).get(code, ()) if each.verdict in SAYS_SOMETHING)


def sentences(code: str) -> tuple[str, ...]:
    """Return what each GPU said, then all versions of torch's code; without any, how the example is shown to wait."""
    found = recordings(code)
    said = [f"{each}." for each in _on_gpus([each for each in found if each.kind != EMULATED])]
    emulated = sorted((each for each in found if each.kind == EMULATED), key=lambda each: _numbers(each.torch))
    for verdict in sorted({each.verdict for each in emulated}, reverse=True):
        versions = [each.torch for each in reversed(emulated) if each.verdict == verdict]
        said.append(f"{_in_torchs_code(verdict, versions)}.")
    return tuple(said) or (f"modelled on the simulated device only (`synclint verify {code} --device simulated`).",)


def _on_gpus(found: Sequence[Recording]) -> Iterator[str]:
    """Yield what GPUs said, those with the same verdict and torch together: `confirmed on A and B, torch 2.11.0`."""
    for verdict, torch in dict.fromkeys((each.verdict, each.torch) for each in found):
        devices = [each.device for each in found if (each.verdict, each.torch) == (verdict, torch)]
        yield f"{verdict} on {' and '.join(devices)}, torch {torch}"


def _numbers(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version.partition("+")[0])]


@cache
def _every(folder: Path) -> dict[str, tuple[Recording, ...]]:
    """Return all recordings by rule; an unreadable file is skipped."""
    found: dict[str, tuple[Recording, ...]] = {}
    for path in sorted(folder.glob("*.json")):
        for code, recording in _read(path):
            found[code] = (*found.get(code, ()), recording)
    return found


def _read(path: Path) -> Iterator[tuple[str, Recording]]:
    try:
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        for code, row in content["rules"].items():
            yield (
                code,
                Recording(
                    kind=str(content.get("kind", "cuda")),
                    device=str(content["device"]),
                    torch=str(content["torch"]),
                    date=str(content["date"]),
                    verdict=str(row["verdict"]),
                    seen_by=tuple(row["seen_by"]),
                    waits=int(row["waits"]),
                    blocked_ms=row["blocked_ms"],
                ),
            )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return
