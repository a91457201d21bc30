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
NOT_MEASURED = "not measured"
"""The verdict where nothing was expected to wait, and nothing else was seen either."""
SAYS_SOMETHING = frozenset(("confirmed", "observed", "disagrees", NOT_MEASURED))
"""The verdicts that are about the rule, not about a library missing on the machine."""
_ADVICE = f"{NOT_MEASURED}: advice about work that makes nothing wait on one GPU."
_BY_OTHERS = {
    "exception": "an exception",
    "wrong value": "a wrong value",
    "no wait before the read": "a read that nothing waits for",
}
"""What has shown a rule other than a wait -> as it is said."""


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

    @property
    def said(self) -> str:
        """The verdict with what has shown it: `confirmed by its waits`, `confirmed by an exception`."""
        if self.verdict == "disagrees":
            return self.verdict
        others = [_BY_OTHERS.get(each, each) for each in self.seen_by]
        return f"{self.verdict} by {'its waits' if self.waits else ' and '.join(others)}"


def _in_torchs_code(said: str, versions: Sequence[str]) -> str:
    preposition = "with" if said == "disagrees" else "in"
    return f"{said} {preposition} torch's CUDA code ({', '.join(versions)}, emulated)"


def recordings(code: str) -> tuple[Recording, ...]:
    """Return what was recorded of a rule, ordered by file name."""
    return tuple(each for each in _every(FOLDER).get(code, ()) if each.verdict in SAYS_SOMETHING)


def sentences(code: str) -> tuple[str, ...]:
    """Return what each GPU said, then all versions of torch's code; without any, how the example is shown to wait."""
    recorded = recordings(code)
    found = [each for each in recorded if each.verdict != NOT_MEASURED]
    said = [f"{each}." for each in _on_gpus([each for each in found if each.kind != EMULATED])]
    emulated = sorted((each for each in found if each.kind == EMULATED), key=lambda each: _numbers(each.torch))
    for verdict in sorted({each.said for each in emulated}, reverse=True):
        versions = [each.torch for each in reversed(emulated) if each.said == verdict]
        said.append(f"{_in_torchs_code(verdict, versions)}.")
    modelled = f"modelled on the simulated device only (`synclint verify {code} --device simulated`)."
    return tuple(said) or (_ADVICE if recorded else modelled,)


def _on_gpus(found: Sequence[Recording]) -> Iterator[str]:
    """Yield what GPUs said, those that say the same with the same torch together."""
    for said, torch in dict.fromkeys((each.said, each.torch) for each in found):
        devices = [each.device for each in found if (each.said, each.torch) == (said, torch)]
        yield f"{said} on {' and '.join(devices)}, torch {torch}"


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


def _verdict(row: dict[str, Any]) -> str:
    """Return the verdict as far as what was seen carries it."""
    is_empty = row["verdict"] != "disagrees" and not row["waits"] and not row["seen_by"]
    return NOT_MEASURED if is_empty and row["verdict"] in SAYS_SOMETHING else str(row["verdict"])


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
                    verdict=_verdict(row),
                    seen_by=tuple(row["seen_by"]),
                    waits=int(row["waits"]),
                    blocked_ms=row["blocked_ms"],
                ),
            )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return
