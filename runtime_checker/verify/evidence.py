"""Evidence: what `verify --record` has seen on a real GPU, one file for each GPU and version of torch."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...lint.evidence import FOLDER

if TYPE_CHECKING:
    from .outcome import Outcome


def write(outcomes: Sequence[Outcome]) -> Path:
    """Write the file for this machine, keeping what it knows about rules that were not run, and return its path."""
    head = machine()
    path = FOLDER / file_name(head["device"], head["torch"])
    before = json.loads(path.read_text(encoding="utf-8"))["rules"] if path.exists() else {}
    FOLDER.mkdir(exist_ok=True)
    path.write_text(text(head, {**before, **rules(outcomes)}), encoding="utf-8")
    return path


def text(head: dict[str, Any], found: dict[str, Any]) -> str:
    """The file's content: sorted, so that two recordings differ only where they disagree."""
    return json.dumps({**head, "rules": found}, indent=2, sort_keys=True) + "\n"


def rules(outcomes: Iterable[Outcome]) -> dict[str, Any]:
    """One entry for each rule. Times are rounded: more digits would only differ."""
    return {
        outcome.code: {
            "verdict": outcome.verdict,
            "seen_by": outcome.proofs,
            "waits": outcome.waits,
            "blocked_ms": None if outcome.seconds is None else round(outcome.seconds * 1e3, 3),
        }
        for outcome in outcomes
    }


def machine() -> dict[str, Any]:
    """What the evidence was recorded on."""
    import torch

    return {
        "device": torch.cuda.get_device_name(),
        "driver": _driver(),
        "torch": torch.__version__.partition("+")[0],
        "cuda": torch.version.cuda,
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
    }


def _driver() -> str | None:
    """The version of the kernel's driver, where it says so."""
    try:
        found = re.search(r"\b(\d+\.\d+(?:\.\d+)?)\b", Path("/proc/driver/nvidia/version").read_text(encoding="utf-8"))
    except OSError:
        return None
    return found[1] if found else None


def file_name(device: str, version: str) -> str:
    """`nvidia-h200-torch2.11.0.json`."""
    return f"{re.sub(r'[^a-z0-9]+', '-', device.lower()).strip('-')}-torch{version}.json"
