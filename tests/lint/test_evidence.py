"""What recordings of real GPUs say of a rule; here from files that are made for the test."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from synclint.lint import evidence
from synclint.lint.cli import cli

ROW = {"verdict": "confirmed", "seen_by": ["gpu_trace"], "waits": 2, "blocked_ms": 0.5}
MODELLED = "modelled on the simulated device only (`synclint verify SYNC101 --device simulated`)."


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(evidence, "FOLDER", tmp_path)
    return tmp_path


def record(folder: Path, version: str, device: str = "NVIDIA Test", **row: Any) -> None:
    head = {"device": device, "driver": "1.2", "torch": version, "cuda": "12.8", "date": "2026-01-01"}
    content = {**head, "rules": {"SYNC101": {**ROW, **row}}}
    (folder / f"{device.lower()}-torch{version}.json").write_text(json.dumps(content))


def test_without_recordings_the_rule_is_modelled(folder: Path) -> None:
    assert evidence.sentences("SYNC101") == (MODELLED,)
    assert evidence.recordings("SYNC101") == ()


def test_each_recording_is_quoted(folder: Path) -> None:
    record(folder, "2.11.0")
    record(folder, "2.12.0", verdict="disagrees")
    assert evidence.sentences("SYNC101") == (
        "confirmed by its waits on NVIDIA Test, torch 2.11.0.",
        "disagrees on NVIDIA Test, torch 2.12.0.",
    )


def test_gpus_that_say_the_same_are_quoted_together(folder: Path) -> None:
    for device in ("NVIDIA B", "NVIDIA A"):
        record(folder, "2.11.0", device)
    assert evidence.sentences("SYNC101") == ("confirmed by its waits on NVIDIA A and NVIDIA B, torch 2.11.0.",)


def test_torchs_code_is_quoted_newest_first(folder: Path) -> None:
    for version in ("2.9.0+cu128", "2.15.0+cu132"):
        content = {"kind": "emulated", "device": "emulated", "torch": version, "date": "2026-01-01"}
        rules = {"SYNC101": {**ROW, "verdict": "observed"}}
        (folder / f"emulated-torch{version}.json").write_text(json.dumps({**content, "rules": rules}))
    assert evidence.sentences("SYNC101") == (
        "observed by its waits in torch's CUDA code (2.15.0+cu132, 2.9.0+cu128, emulated).",
    )


def test_what_could_not_be_run_says_nothing(folder: Path) -> None:
    record(folder, "2.11.0", verdict="not applicable")
    assert evidence.sentences("SYNC101") == (MODELLED,)


def test_a_verdict_says_what_has_shown_it(folder: Path) -> None:
    record(folder, "2.11.0", waits=0, seen_by=["exception"])
    record(folder, "2.12.0", waits=0, seen_by=["wrong value"])
    assert evidence.sentences("SYNC101") == (
        "confirmed by an exception on NVIDIA Test, torch 2.11.0.",
        "confirmed by a wrong value on NVIDIA Test, torch 2.12.0.",
    )


@pytest.mark.parametrize("verdict", ["confirmed", "observed", "not measured"])
def test_a_verdict_without_anything_seen_is_none(folder: Path, verdict: str) -> None:
    record(folder, "2.11.0", verdict=verdict, waits=0, seen_by=[])
    (found,) = evidence.recordings("SYNC101")
    assert found.verdict == "not measured"
    assert evidence.sentences("SYNC101") == ("not measured: advice about work that makes nothing wait on one GPU.",)


def test_no_recording_names_a_commit_without_the_example() -> None:
    """What a commit lacks cannot have been recorded there."""
    root = evidence.FOLDER.parents[1]
    for path in evidence.FOLDER.glob("*.json"):
        rows = json.loads(path.read_text(encoding="utf-8"))["rules"]
        for commit in {row["commit"] for row in rows.values() if row.get("commit")}:
            command = ["git", "-C", str(root), "grep", "-hE", "# (expect|waits): ", commit, "--", "examples"]
            found = subprocess.run(command, capture_output=True, text=True, check=False)
            if found.returncode:
                pytest.skip("needs the repository's history")
            there = set(re.findall(r"SYNC\d+", found.stdout))
            assert {code for code, row in rows.items() if row.get("commit") == commit} <= there, path.name


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"rules": {"SYNC101": 1}}', "\x00"])
def test_a_broken_file_says_nothing(folder: Path, content: str) -> None:
    (folder / "broken.json").write_text(content)
    assert evidence.sentences("SYNC101") == (MODELLED,)


def test_the_rules_page_quotes_it(folder: Path) -> None:
    record(folder, "2.11.0", blocked_ms=None)
    page = CliRunner().invoke(cli, ["rule", "SYNC101"]).output
    assert page.rstrip().endswith("Evidence: confirmed by its waits on NVIDIA Test, torch 2.11.0.")
    (row,) = json.loads(CliRunner().invoke(cli, ["rule", "SYNC101", "--output-format", "json"]).output)
    assert row["evidence"] == [
        {"kind": "cuda"} | {"device": "NVIDIA Test", "torch": "2.11.0", "date": "2026-01-01", **ROW, "blocked_ms": None}
    ]


def test_rules_about_the_linting_have_none(folder: Path) -> None:
    assert "Evidence" not in CliRunner().invoke(cli, ["rule", "SYNC901"]).output


def test_it_is_what_verify_writes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from synclint.runtime_checker.verify import evidence as written
    from synclint.runtime_checker.verify.outcome import CONFIRMED, Outcome

    head = {"device": "NVIDIA Test", "driver": None, "torch": "2.11.0", "cuda": "12.8", "date": "2026-01-01"}
    monkeypatch.setattr(written, "FOLDER", folder)
    monkeypatch.setattr(written, "machine", lambda: head)
    written.write([Outcome("SYNC101", "item-call", CONFIRMED, waits=2, proofs=["gpu_trace"], seconds=0.0005)], "1111")
    (found,) = evidence.recordings("SYNC101")
    assert found == evidence.Recording(
        "cuda", "NVIDIA Test", "2.11.0", "2026-01-01", "confirmed", ("gpu_trace",), 2, 0.5
    )


def test_reading_needs_no_torch() -> None:
    program = "import sys, synclint.lint.evidence as e; e.sentences('SYNC101'); sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
