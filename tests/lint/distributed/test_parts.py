"""Files of records that are damaged, foreign or forged cost one clear line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from synclint.lint.distributed import parts
from synclint.lint.distributed.parts import FINDINGS, SUMMARY, PartError

Synclint = Callable[..., str]
PROGRAM = "import torch\nfor batch in torch.utils.data.DataLoader([]):\n    print(batch.cuda().sum().item())\n"


@pytest.fixture
def summary(here: Path, synclint: Synclint) -> Path:
    (here / "a.py").write_text(PROGRAM)
    synclint("summarize", "a.py", "-o", "a.summary")
    return here / "a.summary"


@pytest.fixture
def findings(summary: Path, synclint: Synclint) -> Path:
    synclint("link", "a.summary", "--open-world", "-o", "found")
    return summary.parent / "found"


def forged(file: Path, kind: str, at: int, old: str, new: str) -> None:
    """Change a line of a record as only somebody who means to can: its digest is right."""
    (record,) = parts.read(str(file), kind)
    lines = [line.replace(old, new) if number == at else line for number, line in enumerate(record.lines)]
    assert tuple(lines) != record.lines
    more = {key: value for key, value in record.header.items() if key not in ("synclint", "schema", "by", "lines")}
    file.write_bytes(parts.written(kind, lines, **more))


@pytest.mark.parametrize("kind", [SUMMARY, FINDINGS])
def test_every_damage_is_noticed(summary: Path, findings: Path, kind: str) -> None:
    file = summary if kind == SUMMARY else findings
    data = file.read_bytes()
    for at in range(0, len(data), 7):
        for damaged in (data[:at], data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :], data[:at] + data[at + 1 :]):
            file.write_bytes(damaged)
            if damaged:
                with pytest.raises(PartError, match=r"damaged|holds no|another version"):
                    list(parts.read(str(file), kind))


def test_a_record_of_another_version(summary: Path, synclint: Synclint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("synclint.lint.distributed.parts.identity", lambda: "9.9.9-py399-000000000000")
    told = synclint("link", "a.summary", "--open-world", "-o", "found", code=2)
    assert (
        told
        == "synclint: a.summary: was written by another version of synclint or Python; regenerate it with this one\n"
    )


@pytest.mark.parametrize(
    "text", ["", "\n", "{}\n", "nothing of ours\n", '{"synclint": "findings"}\n', "[" * 100_000 + "\n", "\xff"]
)
def test_a_file_of_something_else(here: Path, synclint: Synclint, text: str) -> None:
    (here / "a.summary").write_text(text, encoding="latin-1")
    told = synclint("link", "a.summary", "--open-world", "-o", "found", code=0 if not text else 2)
    assert told.count("\n") == bool(text)
    assert not text or "a.summary: holds no summary" in told


@pytest.mark.parametrize(
    "name", ["../b.py", "/etc/passwd", "a/../../b.py", "", "C:/x.py", "a\\b.py", "a\0b.py", "\ud800.py", 3, None]
)
def test_names_of_files_elsewhere(name: object) -> None:
    assert not parts.is_inside(name)


def test_a_summary_that_speaks_of_another_file(summary: Path, synclint: Synclint) -> None:
    (record,) = parts.read(str(summary), SUMMARY)
    more = {"file": "b.py", "content": "0", "imports": [], "added": []}
    text = record.lines[0].replace('"module level', '"/etc/passwd","module level')
    summary.write_bytes(parts.written(SUMMARY, (text, *record.lines[1:]), **more))
    told = synclint("link", "a.summary", "--open-world", "-o", "found", code=2)
    assert told.count("\n") == 1


def test_findings_about_a_file_of_the_machine(findings: Path, synclint: Synclint) -> None:
    forged(findings, FINDINGS, 0, '"a.py"', '"/etc/passwd"')
    assert "damaged" in synclint("merge", "found", code=2)


def test_what_cannot_be_combined(summary: Path, synclint: Synclint) -> None:
    (summary.parent / "a.py").write_text(PROGRAM + "\n")
    synclint("summarize", "a.py", "-o", "b.summary")
    told = synclint("link", "a.summary", "b.summary", "--open-world", "-o", "found", code=2)
    assert "a.py is summarized twice, with different contents" in told
    for name in ("a", "b"):
        synclint("link", f"{name}.summary", "--open-world", "-o", name)
    assert "a.py differs between two links" in synclint("merge", "a", "b", code=2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("link", "a.summary", "-o", "x"), "specify what is linked"),
        (("link", "a.summary", "--open-world", "--root", "a.py", "-o", "x"), "specify what is linked"),
        (("link", "a.summary", "--root", "b.py", "-o", "x"), "b.py: is given as a root, but"),
        (("link", "none", "--open-world", "-o", "x"), "none: No such file"),
        (("link", "@none", "--open-world", "-o", "x"), "none: No such file"),
        (("link", "a.summary", "--open-world", "--base", "none", "-o", "x"), "none: No such file"),
        (("link", "a.summary", "--open-world", "--select", "SYNC9999", "-o", "x"), "there is no rule"),
        (("summarize", "none.py", "-o", "x"), "none.py: No such file"),
        (("summarize", "/dev/null", "-o", "x"), "/dev/null: is not below ."),
        (("summarize", "a.py", "sub/a.py", "--base", ".", "--base", "sub", "-o", "x"), "has the same name as a.py"),
        (("summarize", "a.py", "-o", "none/x"), "could not be written"),
        (("merge", "a.summary"), "holds no findings"),
    ],
)
def test_wrong_use(summary: Path, synclint: Synclint, arguments: tuple[str, ...], message: str) -> None:
    told = synclint(*arguments, code=2)
    assert message in told
    assert told.count("\n") == 1
