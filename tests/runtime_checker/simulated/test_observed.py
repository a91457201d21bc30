"""The simulated device waits as often as torch's CUDA code does, program by program."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from synclint.runtime_checker.simulated.watcher import watch_simulated  # noqa: E402
from synclint.runtime_checker.trials.explained import COUNTED_OTHERWISE  # noqa: E402
from synclint.runtime_checker.trials.programs import Program, prepared  # noqa: E402
from synclint.runtime_checker.trials.trial import quiet  # noqa: E402
from synclint.runtime_checker.trials.waits import of_release, read, stored  # noqa: E402

OBSERVED = of_release(torch.__version__)


def is_shown(program: Program) -> bool:
    """Programs that are written by hand, and of the calls of public functions those that wait."""
    return not program.group.startswith("torch.") or bool(OBSERVED.get(program.text))


def waits_of(text: str) -> int | None:
    try:
        with quiet():
            call = prepared(text)
            with watch_simulated() as watcher:
                call()
    except Exception:  # what is not there cannot be compared
        return None
    return len(watcher.waits)


def count() -> dict[str, int | None]:
    with watch_simulated():
        return {each.text: waits_of(each.text) for each in stored() if is_shown(each)}


@pytest.fixture
def counted(tmp_path: Path) -> dict[str, int | None]:
    """The waits of each program, counted in a process of its own: the programs switch many things of torch's."""
    found = tmp_path / "counted.json"
    subprocess.run([sys.executable, __file__, found], check=True, capture_output=True)
    waits: dict[str, int | None] = json.loads(found.read_text())
    return waits


@pytest.mark.skipif(not OBSERVED, reason=f"nothing was recorded of torch {torch.__version__}")
def test_the_simulated_device_agrees_with_torchs_cuda_code(counted: dict[str, int | None]) -> None:
    known = [text for text, waits in counted.items() if waits is not None and OBSERVED.get(text) is not None]
    differing = {text for text in known if counted[text] != OBSERVED[text]}
    unexplained = {text for text in differing if not any(part in text for part in COUNTED_OTHERWISE)}
    assert {text: (counted[text], OBSERVED[text]) for text in unexplained} == {}
    assert {part for part in COUNTED_OTHERWISE if not any(part in text for text in differing)} == set()
    assert len(known) > 1500


def test_the_recording_knows_several_versions() -> None:
    assert len(read()) >= 4
    assert all(sum(waits is not None for waits in counts.values()) > 4000 for counts in read().values())


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(json.dumps(count()))
