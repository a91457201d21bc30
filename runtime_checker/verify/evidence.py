"""Evidence: what `verify --record` has seen on a real GPU, one file per GPU and torch version."""

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
    """Write the file for this machine, keeping entries for rules that were not run, and return its path."""
    head = machine()
    path = FOLDER / file_name(head["device"], head["torch"])
    before = json.loads(path.read_text(encoding="utf-8"))["rules"] if path.exists() else {}
    FOLDER.mkdir(exist_ok=True)
    path.write_text(text(head, {**before, **rules(outcomes)}), encoding="utf-8")
    return path


def text(head: dict[str, Any], found: dict[str, Any]) -> str:
    """Return the file's content, sorted so that two recordings differ only where they disagree."""
    return json.dumps({**head, "rules": found}, indent=2, sort_keys=True) + "\n"


def rules(outcomes: Iterable[Outcome]) -> dict[str, Any]:
    """Return one entry per rule, with rounded times: more digits would only add noise."""
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
    """Return what the evidence was recorded on."""
    import torch

    return {
        "device": torch.cuda.get_device_name(),
        "driver": _driver(),
        "torch": torch.__version__.partition("+")[0],
        "cuda": torch.version.cuda,
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
    }


def _driver() -> str | None:
    """Return the version of the kernel driver, if it reports one."""
    try:
        found = re.search(r"\b(\d+\.\d+(?:\.\d+)?)\b", Path("/proc/driver/nvidia/version").read_text(encoding="utf-8"))
    except OSError:
        return None
    return found[1] if found else None


def file_name(device: str, version: str) -> str:
    """Return the file's name, such as `nvidia-h200-torch2.11.0.json`."""
    return f"{re.sub(r'[^a-z0-9]+', '-', device.lower()).strip('-')}-torch{version}.json"
