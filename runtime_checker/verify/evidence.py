"""Evidence: what `verify --record` has seen, one file for each GPU, or the emulated device, and version of torch."""

from __future__ import annotations

import datetime
import json
import re
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...lint.evidence import EMULATED, FOLDER, SAYS_SOMETHING

if TYPE_CHECKING:
    from .outcome import Outcome


class UncleanError(Exception):
    """Nothing can be recorded from here, because no commit has what would be run; the message is one line."""


def write(outcomes: Sequence[Outcome], commit: str, *, emulated: bool = False) -> Path:
    """Write the file for this machine, keeping what it knows about rules that could not be run, and return its path."""
    head = torchs_code() if emulated else machine()
    path = FOLDER / file_name(head["device"], head["torch"])
    before = json.loads(path.read_text(encoding="utf-8"))["rules"] if path.exists() else {}
    FOLDER.mkdir(exist_ok=True)
    found = {
        code: row
        for code, row in rules(outcomes, commit).items()
        if code not in before or row["verdict"] in SAYS_SOMETHING
    }
    path.write_text(text(head, {**before, **found}), encoding="utf-8")
    return path


def text(head: dict[str, Any], found: dict[str, Any]) -> str:
    """Return the file's content, sorted so that two recordings differ only where they disagree."""
    return json.dumps({**head, "rules": found}, indent=2, sort_keys=True) + "\n"


def rules(outcomes: Iterable[Outcome], commit: str) -> dict[str, Any]:
    """Return one entry per rule, with our commit, and with rounded times: more digits would only add noise."""
    return {
        outcome.code: {
            "commit": commit,
            "verdict": outcome.verdict,
            "seen_by": outcome.proofs,
            "waits": outcome.waits,
            "blocked_ms": None if outcome.seconds is None else round(outcome.seconds * 1e3, 3),
            **({"with": outcome.libraries} if outcome.libraries else {}),
            **({"why": outcome.why} if outcome.why else {}),
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


def torchs_code() -> dict[str, Any]:
    """Return what evidence from the emulated device was recorded with: it has no driver, and its times mean nothing."""
    import torch

    return {
        "kind": EMULATED,
        "device": EMULATED,
        "torch": torch.__version__,
        "cuda": torch.version.cuda,
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
    }


def commit() -> str:
    """Return the commit that has all that would be run now, but for other evidence. Raises UncleanError."""
    changed = _git("status", "--porcelain", "--", f"{FOLDER.parents[1]}", f":(exclude){FOLDER}")
    found = _git("rev-parse", "HEAD")
    if changed is None or found is None:
        raise UncleanError("evidence names the commit that it was recorded at, and this is no checkout with one")
    if changed:
        raise UncleanError(f"evidence names the commit that it was recorded at: commit {changed.split()[-1]} first")
    return found


def _git(*words: str) -> str | None:
    """Return what git says about our own checkout, if we run from one."""
    try:
        return subprocess.run(
            ["git", "-C", str(FOLDER), *words], capture_output=True, text=True, check=True
        ).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None


def _driver() -> str | None:
    """Return the version of the kernel driver, if it reports one."""
    try:
        found = re.search(r"\b(\d+\.\d+(?:\.\d+)?)\b", Path("/proc/driver/nvidia/version").read_text(encoding="utf-8"))
    except OSError:
        return None
    return found[1] if found else None


def file_name(device: str, version: str) -> str:
    """`nvidia-h200-torch2.11.0.json`."""
    return f"{re.sub(r'[^a-z0-9]+', '-', device.lower()).strip('-')}-torch{version.partition('+')[0]}.json"
