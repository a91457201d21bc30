"""The examples prove the rules: marked lines wait on the simulated device, others do not."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from synclint.runtime_checker.observe import Wait
from synclint.runtime_checker.verify import evidence
from synclint.runtime_checker.verify.examples import Mark, all_examples, marks_of, same, unmet
from synclint.runtime_checker.verify.outcome import (
    CONFIRMED,
    DISAGREES,
    MODELLED,
    NOT_APPLICABLE,
    NOT_MEASURED,
    Outcome,
    table,
)

torch = pytest.importorskip("torch")

from synclint.runtime_checker.verify import command as verifying  # noqa: E402
from synclint.runtime_checker.verify.means import simulated  # noqa: E402

EXAMPLES = all_examples()
STEP = """
import torch

def setup(device):
    return torch.ones(3, device=device)

def step(state):
{body}
    return state.sum()
"""


@pytest.mark.parametrize("example", EXAMPLES, ids=[f"{each.code}-{each.name}" for each in EXAMPLES])
def test_example(example: verifying.Example) -> None:
    outcome = verifying.check(example, simulated())
    if outcome.verdict == NOT_APPLICABLE:
        pytest.skip("; ".join(outcome.why))
    assert outcome.why == []
    assert outcome.verdict == (NOT_MEASURED if example.code in ("SYNC602", "SYNC603") else MODELLED)


def test_marks() -> None:
    second = "y  # noqa: X  # expect: SYNC403, SYNC401[torchmetrics<1.6.2]  # waits: SYNC402[torch>=2.9]"
    source = f"x  # expect: SYNC101\n{second}"
    assert marks_of(source) == [
        Mark(1, "SYNC101", False),
        Mark(2, "SYNC403", False),
        Mark(2, "SYNC401", False, "torchmetrics", "<", "1.6.2"),
        Mark(2, "SYNC402", True, "torch", ">=", "2.9"),
    ]


@pytest.mark.parametrize(
    ("condition", "version", "applies"),
    [
        (("torch", "<", "2.15"), "2.13.0+cpu", True),
        (("torch", "<", "2.15"), "2.15.0", False),
        (("torch", ">=", "2.9"), "2.10.1", True),
        (("torchmetrics", "<", "1.6.2"), None, False),
    ],
)
def test_conditions(condition: tuple[str, str, str], version: str | None, applies: bool) -> None:
    assert Mark(1, "SYNC101", False, *condition).applies(lambda _: version) is applies


def test_needs() -> None:
    source = "import torchmetrics  # needs: torchmetrics>=1.6.2"
    assert unmet(source, lambda _: "1.6.1") == ["torchmetrics>=1.6.2"]
    assert unmet(source, lambda _: None) == ["torchmetrics>=1.6.2"]
    assert unmet(source, lambda _: "1.9.0") == []


def outcome_of(tmp_path: Path, hazard: str, fixed: str = "    pass") -> Outcome:
    folder = tmp_path / "item-call"
    folder.mkdir()
    (folder / "hazard.py").write_text(STEP.format(body=hazard))
    (folder / "fixed.py").write_text(STEP.format(body=fixed))
    (example,) = (each for each in all_examples(tmp_path) if each.hazard.path.is_relative_to(tmp_path))
    return verifying.check(example, simulated())


def test_a_marked_line_that_does_not_wait(tmp_path: Path) -> None:
    outcome = outcome_of(tmp_path, "    state.sum()  # expect: SYNC101")
    assert outcome.why == ["hazard.py:8 is marked but does not wait"]
    assert outcome.verdict == DISAGREES


def test_a_line_that_waits_without_a_mark(tmp_path: Path) -> None:
    hazard = "    state.tolist()  # expect: SYNC101\n    state.cpu()"
    outcome = outcome_of(tmp_path, hazard, "    state.sum().item()")
    assert outcome.why == [
        "hazard.py:9 is not marked but waits (cpu: copy to host)",
        "fixed.py:8 is not marked but waits (item: reads value)",
    ]


def test_an_example_that_fails(tmp_path: Path) -> None:
    outcome = outcome_of(tmp_path, "    raise ValueError('no')")
    assert (outcome.verdict, outcome.why) == (DISAGREES, ["raised ValueError: no"])


def test_different_results(tmp_path: Path) -> None:
    outcome = outcome_of(tmp_path, "    state = state * state.max().item() * 2  # expect: SYNC101")
    assert outcome.why == ["hazard.py and fixed.py compute different results"]


def test_a_mark_for_another_version(tmp_path: Path) -> None:
    outcome = outcome_of(tmp_path, "    state.sum()  # expect: SYNC101[torch<1.0]")
    why = "only with torch<1.0: run it in an environment of its own, with `pip install 'torch<1.0'`"
    assert (outcome.verdict, outcome.why) == (NOT_APPLICABLE, [why])


def test_same() -> None:
    assert same(torch.ones(2), torch.ones(2) + 1e-6)
    assert not same(torch.ones(2), torch.ones(3))
    assert same((1.0, "a"), (1.0 + 1e-6, "a"))
    assert not same(1.0, 1.1)


def test_the_table_ends_with_counts() -> None:
    good = Outcome("SYNC101", "item-call", CONFIRMED, [3, 4], [3, 4], 2, 0.0005)
    bad = Outcome("SYNC102", "tensor-tolist", DISAGREES, why=["hazard.py:1 is marked but does not wait"])
    text = table([good, bad], "simulated CUDA device")
    assert "SYNC101  item-call      3,4       3,4   2      0.500 ms  confirmed" in text
    assert text.endswith("2 rules on the simulated CUDA device: 1 confirmed, 1 disagrees")


def test_the_time_is_that_of_whoever_has_timed_everything() -> None:
    def wait(row: int, seconds: float | None) -> Wait:
        return Wait("hazard.py", row, "item", "reads value", seconds, None, ())

    seen = {
        "sync_debug_mode": [wait(3, None), wait(4, 0.5)],
        "gpu_trace": [wait(3, 0.25), wait(4, 0.5), wait(9, None)],
        "profiler": [wait(3, 7.0), wait(4, 7.0)],
    }
    assert verifying._seconds(verifying.Run(seen, None), {3, 4}) == 0.75 / verifying.STEPS
    assert verifying._seconds(verifying.Run({"sync_debug_mode": seen["sync_debug_mode"]}, None), {3, 4}) is None


def test_evidence_is_sorted_and_keeps_other_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = {"device": "NVIDIA H200", "driver": "570.1", "torch": "2.11.0", "cuda": "12.8", "date": "2026-01-01"}
    monkeypatch.setattr(evidence, "FOLDER", tmp_path)
    monkeypatch.setattr(evidence, "machine", lambda: machine)
    evidence.write([Outcome("SYNC102", "b", CONFIRMED, waits=1, seconds=0.00012345, proofs=["gpu_trace"])], "1111")
    path = evidence.write([Outcome("SYNC101", "a", CONFIRMED, waits=2, proofs=["sync_debug_mode"])], "1111")
    assert path.name == "nvidia-h200-torch2.11.0.json"
    content = json.loads(path.read_text())
    assert list(content["rules"]) == ["SYNC101", "SYNC102"]
    assert content["rules"]["SYNC102"]["blocked_ms"] == 0.123
    assert content["device"] == "NVIDIA H200"


def test_evidence_names_the_commit_of_each_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of rules that an earlier recording had, at another commit."""
    machine = {"device": "NVIDIA H200", "driver": "570.1", "torch": "2.11.0", "cuda": "12.8", "date": "2026-01-01"}
    monkeypatch.setattr(evidence, "FOLDER", tmp_path)
    monkeypatch.setattr(evidence, "machine", lambda: machine)
    for commit, code in (("1111", "SYNC101"), ("2222", "SYNC102")):
        path = evidence.write([Outcome(code, "a", CONFIRMED, waits=1, proofs=["gpu_trace"])], commit)
    rows = json.loads(path.read_text())["rules"]
    assert {code: row["commit"] for code, row in rows.items()} == {"SYNC101": "1111", "SYNC102": "2222"}


def test_nothing_is_recorded_from_a_checkout_with_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "runtime_checker" / "evidence"
    folder.mkdir(parents=True)
    monkeypatch.setattr(evidence, "FOLDER", folder)
    with pytest.raises(evidence.UncleanError, match="this is no checkout"):
        evidence.commit()
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "first"], check=True)
    (folder / "other.json").write_text("{}")
    assert len(evidence.commit()) == 40
    (tmp_path / "hazard.py").write_text("")
    with pytest.raises(evidence.UncleanError, match=r"commit hazard\.py first"):
        evidence.commit()


@pytest.mark.parametrize("name", ["data-parallel", "dataloader-without-workers"])
def test_what_shows_nothing_is_not_measured(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert verifying.verify([name], "simulated") == 0
    assert capsys.readouterr().out.endswith("1 rule on the simulated CUDA device: 1 not measured\n")


def test_evidence_comes_from_a_gpu_only(capsys: pytest.CaptureFixture[str]) -> None:
    assert verifying.verify(["SYNC101"], "simulated", record=True) == 2
    assert "evidence comes from a GPU or the emulated device" in capsys.readouterr().err


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_a_gpu_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert verifying.verify(["SYNC101"], "cuda") == 2
    assert "finds no CUDA device" in capsys.readouterr().err


def test_what_ran_before_does_not_matter() -> None:
    """Compiling anything turns the checks of distributions off for the whole process."""
    distribution = torch.distributions.Distribution
    before = distribution._validate_args
    distribution.set_default_validate_args(False)
    try:
        assert verifying.verify(["SYNC501"], "simulated") == 0
        assert distribution._validate_args is False
    finally:
        distribution.set_default_validate_args(before)


def test_unknown_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert verifying.verify(["SYNC000"], "simulated") == 2
    assert "SYNC000" in capsys.readouterr().err


def test_it_runs_with_torch_alone() -> None:
    """Without the libraries that reading code needs, as on the bare image of a GPU machine."""
    hide = "import sys; sys.modules.update(dict.fromkeys(['click', 'libcst', 'packaging', 'tomli']))"
    run = "from synclint.runtime_checker.verify.command import main; exit(main(['item-call', '--device', 'simulated']))"
    done = subprocess.run([sys.executable, "-c", f"{hide}; {run}"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "SYNC101  item-call" in done.stdout
