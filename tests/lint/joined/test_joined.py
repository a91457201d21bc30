"""`check --evidence`: what waited comes first and is certain, what ran without a wait is a note if that is trusted."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from synclint.lint.measurements.entries import Entry, Evidence, Key, Run
from synclint.lint.measurements.writing import record

Command = Callable[..., Any]

PROGRAM = """import torch

def step(model, x, verbose=False):
    loss = model(x).sum()
    a = loss.item()
    b = loss.tolist()
    if verbose:
        c = loss.cpu()
    return getattr(loss, "it" + "em")()

def main(loader):
    model = torch.nn.Linear(4, 2).cuda()
    for x in loader:
        step(model, torch.ones(2, 4, device="cuda"))

main([1, 2])
"""
ITEM = ("a = loss.item()", "SYNC101")
LIST = ("b = loss.tolist()", "SYNC102")
CPU = ("c = loss.cpu()", "SYNC103")
HIDDEN = ("return getattr(loss, 'it' + 'em')()", "")
RUN = Run("train.py", "NVIDIA H100", "2026-11-26", 40)


def entry(line: tuple[str, str], waits: float = 1.0, ms: float | None = None, reached: int = 400, **more: Any) -> Entry:
    key = Key("train.py", "step", line[0], line[1], 1)._replace(**more)
    return Entry(key, RUN.name, waits, ms, round(waits * 40), reached, ("reads value",), ("item",), ("lib/a.py:3",))


@pytest.fixture
def project(here: Path) -> Path:
    (here / ".git").mkdir()
    (here / "train.py").write_text(PROGRAM)
    return here


def write(*entries: Entry, file: str = "evidence.json", run: Run = RUN) -> str:
    record(Path(file), Evidence({run.name: run}, entries))
    return file


def rows(outcome: Any) -> dict[str, dict[str, Any]]:
    return {each["code"]: each for each in json.loads(outcome.out)}


def severities(outcome: Any) -> dict[str, str]:
    return {code: row["severity"] for code, row in rows(outcome).items()}


JSON = ("--output-format", "json")


def test_what_cost_most_is_first(real_command: Command, project: Path) -> None:
    file = write(entry(ITEM, ms=0.5), entry(LIST, ms=3.14), entry(HIDDEN, waits=2.0))
    done = real_command("check", "train.py", "--evidence", file)
    told = [line for line in done.out.splitlines() if line.startswith(("==", "train.py"))]
    assert told[0].startswith("== Measured: ")
    assert [line.split(":")[1] for line in told[1:4]] == ["6", "5", "9"]
    text = " ".join(done.out.split())
    assert "measured: 3.14 ms/step, 1 wait/step on NVIDIA H100 (run of 26 November 2026, 40 steps)" in text
    assert "the host waited here for `item` (reads value) in lib/a.py:3, which no rule reports; measured: 2" in text
    said = "evidence of 1 run: 2 findings measured, 1 not in it, 1 line that no other rule reports\n"
    assert done.err == said


def test_what_waited_in_every_step_is_certain_and_hangs_on_nothing(real_command: Command, project: Path) -> None:
    before = rows(real_command("check", "train.py", *JSON))["SYNC103"]
    assert (before["severity"], before["conditions"]) != ("error", [])
    found = rows(real_command("check", "train.py", *JSON, "--evidence", write(entry(CPU))))["SYNC103"]
    assert (found["severity"], found["confidence"], found["frequency"]) == ("error", "certain", "every step")
    assert found["conditions"] == []
    assert found["measured"]["waits"] == 1


def test_what_waited_seldom_keeps_its_frequency(real_command: Command, project: Path) -> None:
    before = rows(real_command("check", "train.py", *JSON))["SYNC103"]
    found = rows(real_command("check", "train.py", *JSON, "--evidence", write(entry(CPU, waits=0.1))))["SYNC103"]
    assert (found["frequency"], found["conditions"]) == (before["frequency"], before["conditions"])


def test_evidence_of_the_repository_does_not_hide(real_command: Command, project: Path) -> None:
    file = write(entry(ITEM, waits=0.0), entry(LIST, waits=0.0))
    before = real_command("check", "train.py", *JSON)
    done = real_command("check", "train.py", *JSON, "--evidence", file)
    assert severities(done) == severities(before)
    assert done.code == before.code == 1
    assert "it ran 400 times without a wait on NVIDIA H100" in rows(done)["SYNC101"]["message"]
    assert "2 ran without a wait (--trust-evidence makes them notes)" in done.err


def test_trusted_evidence_makes_notes(real_command: Command, project: Path) -> None:
    file = write(entry(ITEM, waits=0.0), entry(LIST, waits=0.0))
    done = real_command("check", "train.py", *JSON, "--evidence", file, "--trust-evidence")
    assert {severities(done)[code] for code in ("SYNC101", "SYNC102")} == {"note"}
    assert done.code == 0
    text = real_command("check", "train.py", "--show-notes", "--evidence", file, "--trust-evidence").out
    assert "== Ran without a wait in recorded runs (2 notes)" in text


def test_a_file_from_outside_of_the_tree_is_trusted(
    real_command: Command, project: Path, tmp_path_factory: Any
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    file = write(entry(ITEM, waits=0.0), file=str(outside / "evidence.json"))
    assert severities(real_command("check", "train.py", *JSON, "--evidence", file))["SYNC101"] == "note"
    inside = write(entry(LIST, waits=0.0))
    both = real_command("check", "train.py", *JSON, "--evidence", file, "--evidence", inside)
    assert severities(both)["SYNC101"] == "error"


@pytest.mark.parametrize("way", ["a link in the tree", "a link to the tree", "named by the configuration"])
def test_what_the_tree_chooses_is_not_trusted(
    way: str, real_command: Command, project: Path, tmp_path_factory: Any
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    words: tuple[str, ...] = ()
    if way == "a link in the tree":
        os.symlink(write(entry(ITEM, waits=0.0), file=str(outside / "evidence.json")), "evidence.json")
        words = ("--evidence", "evidence.json")
    elif way == "a link to the tree":
        os.symlink(os.path.abspath(write(entry(ITEM, waits=0.0))), outside / "evidence.json")
        words = ("--evidence", str(outside / "evidence.json"))
    else:
        file = write(entry(ITEM, waits=0.0), file=str(outside / "evidence.json"))
        (project / "synclint.toml").write_text(f'evidence = ["{file}"]\n')
    done = real_command("check", "train.py", *JSON, *words)
    assert "ran 400 times" in rows(done)["SYNC101"]["message"]
    assert severities(done)["SYNC101"] == "error"


def test_what_ran_a_few_times_is_as_if_it_had_not(real_command: Command, project: Path) -> None:
    file = write(entry(ITEM, waits=0.0, reached=19))
    done = real_command("check", "train.py", *JSON, "--evidence", file, "--trust-evidence")
    assert rows(done)["SYNC101"]["measured"] is None


def test_what_waited_in_one_run_is_not_refuted_by_another(real_command: Command, project: Path) -> None:
    write(entry(ITEM, waits=0.0))
    other = Run("eval.py", "NVIDIA H100", "2026-11-27", 7)
    file = write(Entry(entry(ITEM).key, other.name, 1.0, None, 7), run=other)
    done = real_command("check", "train.py", *JSON, "--evidence", file, "--trust-evidence")
    assert rows(done)["SYNC101"]["measured"]["steps"] == 7


def test_a_changed_statement_is_ignored_and_counted(real_command: Command, project: Path) -> None:
    file = write(entry(("a = loss.item() + 1", "SYNC101")), entry(HIDDEN, path="gone.py"), entry(HIDDEN, function="no"))
    done = real_command("check", "train.py", *JSON, "--evidence", file)
    assert all(each["measured"] is None for each in rows(done).values())
    assert "3 lines of it ignored, as the source has changed" in done.err


def test_edits_elsewhere_and_layout_change_nothing(real_command: Command, project: Path) -> None:
    moved = PROGRAM.replace("a = loss.item()", "a = (loss\n        .item())")
    (project / "train.py").write_text(f"#\n{moved}")
    done = real_command("check", "train.py", *JSON, "--evidence", write(entry(ITEM), entry(HIDDEN)))
    assert rows(done)["SYNC101"]["measured"]
    assert rows(done)["SYNC905"]["location"]["row"] == 11


def test_a_file_is_found_by_the_end_of_its_path(real_command: Command, project: Path) -> None:
    (project / "src").mkdir()
    os.rename("train.py", "src/train.py")
    assert rows(real_command("check", ".", *JSON, "--evidence", write(entry(ITEM))))["SYNC101"]["measured"]
    (project / "other").mkdir()
    (project / "other" / "train.py").write_text("import torch\n")
    assert not rows(real_command("check", ".", *JSON, "--evidence", "evidence.json"))["SYNC101"]["measured"]


def test_the_configuration_has_the_last_word_on_severity(real_command: Command, project: Path) -> None:
    (project / "synclint.toml").write_text(
        'evidence = ["evidence.json"]\n[severity]\nSYNC101 = "note"\nSYNC905 = "off"\n'
    )
    write(entry(ITEM), entry(HIDDEN))
    done = real_command("check", "train.py", *JSON)
    assert severities(done)["SYNC101"] == "note"
    assert "SYNC905" not in severities(done)
    assert rows(done)["SYNC101"]["measured"]


def test_a_comment_accepts_what_was_recorded_and_is_not_idle(real_command: Command, project: Path) -> None:
    text = PROGRAM.replace('"em")()\n', '"em")()  # synclint: ignore[SYNC905] by design\n')
    (project / "train.py").write_text(text)
    for words in ((), ("--evidence", write(entry(HIDDEN)))):
        assert {"SYNC905", "SYNC901"}.isdisjoint(severities(real_command("check", "train.py", *JSON, *words)))


def test_rules_that_are_not_selected_say_nothing(real_command: Command, project: Path) -> None:
    done = real_command("check", "train.py", *JSON, "--ignore", "recorded-wait", "--evidence", write(entry(HIDDEN)))
    assert "SYNC905" not in severities(done)


def test_the_cache_knows_nothing_of_evidence(real_command: Command, project: Path) -> None:
    file = write(entry(ITEM))
    cache = ("--cache-dir", "cache")
    for _ in range(2):
        assert rows(real_command("check", "train.py", *JSON, *cache, "--evidence", file))["SYNC101"]["measured"]
        assert not rows(real_command("check", "train.py", *JSON, *cache))["SYNC101"]["measured"]


def test_a_file_that_is_missing(real_command: Command, project: Path) -> None:
    done = real_command("check", "train.py", "--evidence", "none.json")
    assert done.code == 2
    assert "none.json: No such file or directory" in done.err
    (project / "synclint.toml").write_text('evidence = ["none.json"]\n')
    assert real_command("check", "train.py").code == 1


def test_hostile_evidence_is_escaped(real_command: Command, project: Path) -> None:
    run = Run("train.py", "\x1b[31m::error::##vso[task] H\n100", "2026-11-26", 40)
    bad = Entry(entry(HIDDEN).key, run.name, 1.0, 1e14, 40, 40, ("\x1b[2J",), ("##[error]",), ("::warning::x",))
    file = write(bad, Entry(entry(ITEM).key, run.name, 1.0, 1e14, 40), run=run)
    for form in ("full", "concise", "github", "json", "sarif", "azure", "junit", "html"):
        done = real_command("check", "train.py", "--output-format", form, "--evidence", file)
        assert done.code == 1
        assert "\x1b" not in done.out + done.err
        assert "##[" not in done.out
        assert "##vso[task]" not in done.out
        assert not [line for line in done.out.splitlines() if line.startswith(("::error::", "::warning::x"))]


def test_formats_rank_by_what_was_measured(real_command: Command, project: Path) -> None:
    file = write(entry(ITEM, ms=1.0), entry(LIST, ms=4.0))
    log = json.loads(real_command("check", "train.py", "--output-format", "sarif", "--evidence", file).out)
    ranks = {each["ruleId"]: each.get("rank") for each in log["runs"][0]["results"]}
    assert (ranks["SYNC101"], ranks["SYNC102"], ranks["SYNC103"]) == (25.0, 100.0, None)
    commands = [
        line
        for line in real_command("check", "train.py", "--output-format", "github", "--evidence", file).out.splitlines()
        if line.startswith("::error")
    ]
    assert "SYNC102" in commands[0]
    assert "measured: 4 ms/step" in commands[0]
    page = real_command("check", "train.py", "--output-format", "html", "--evidence", file).out
    assert "<dt>measured</dt><dd>measured: 4 ms/step, 1 wait/step on NVIDIA H100" in page
    assert 'data-choose="measured"' in page
