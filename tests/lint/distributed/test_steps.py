"""`summarize`, `link` and `merge`: together they find what one process finds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from .conftest import FILES, make, names

Synclint = Callable[..., str]
FORMATS = ("full", "json", "sarif", "concise", "html")


def linked(synclint: Synclint, files: Sequence[str], *options: str) -> str:
    """The report as JSON, after a step for each file."""
    for at, name in enumerate(files):
        synclint("summarize", name, "-o", f"{at}.summary")
    synclint("link", *(f"{at}.summary" for at in range(len(files))), "-o", "found", *(options or ["--open-world"]))
    return synclint("merge", "found", "--output-format", "json", code=1)


@pytest.mark.parametrize("form", FORMATS)
def test_what_is_found_is_what_one_process_finds(project: Path, synclint: Synclint, form: str) -> None:
    synclint("summarize", *names(project), "-o", "all.summary")
    synclint("link", "all.summary", "--open-world", "-o", "found")
    options = ("--output-format", form, "--show-notes")
    checked = synclint("check", ".", "--no-cache", *options, code=1)
    assert synclint("merge", "found", *options, code=1) == checked
    assert "apps/tool/beside.py" in checked
    assert "exploring.ipynb" in checked


def test_every_file_may_be_summarized_by_itself(project: Path, synclint: Synclint) -> None:
    found = linked(synclint, names(project))
    assert found == synclint("check", ".", "--no-cache", "--output-format", "json", code=1)
    assert {"SYNC901", "SYNC902"} < {each["code"] for each in json.loads(found)}


def test_names_of_other_files_spare_linking_and_change_nothing(
    project: Path, synclint: Synclint, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "names").write_text("".join(f"{name}\n" for name in names(project)))
    for name in names(project):
        synclint("summarize", name, "--names", "names", "-o", f"{name}.summary")
    (project / "synclint.toml").write_text('exclude = ["third_party/"]\n')  # what is declared needs the source
    monkeypatch.setattr(
        "synclint.lint.distributed.link.check_files", lambda files, jobs: iter([*files, "read again"][1:])
    )
    synclint("link", *(f"{name}.summary" for name in names(project)), "--open-world", "-o", "found")


def test_the_default_device_that_is_configured_changes_what_a_summary_says(project: Path, synclint: Synclint) -> None:
    (project / "made.py").write_text(
        "import torch\nfor batch in torch.utils.data.DataLoader([]):\n    torch.ones(3).tolist()\n"
    )
    assert "made.py" not in linked(synclint, names(project))
    (project / "synclint.toml").write_text(f'default-device = "cuda"\n{FILES["synclint.toml"]}')
    found = linked(synclint, names(project))
    assert "made.py" in found
    assert found == synclint("check", ".", "--no-cache", "--output-format", "json", code=1)


def test_summaries_and_findings_are_the_same_everywhere(tmp_path: Path) -> None:
    made = []
    for seed, order in (("0", 1), ("1", -1)):
        place = make(tmp_path / f"a machine {seed}")
        run = [sys.executable, "-m", "synclint"]
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        files = [str(place / name) for name in names(place)[::order]]
        for arguments in (
            ["summarize", *files[:7], "--base", str(place), "-o", "first"],
            ["summarize", *files[7:], "--base", str(place), "-o", "second"],
            ["link", *["first", "second"][::order], "--open-world", "--base", str(place), "-o", "found"],
        ):
            elsewhere = tmp_path / f"elsewhere{seed}"
            elsewhere.mkdir(exist_ok=True)
            subprocess.run([*run, *arguments], cwd=elsewhere, env=environment, check=True)
        texts = [(elsewhere / name).read_bytes() for name in ("first", "second", "found")]
        records = sorted(b"".join(texts[:2]).split(b'{"added"'))
        made.append((records, texts[2]))
    assert made[0] == made[1]
    assert os.fsencode(tmp_path) not in made[0][1]


def test_files_of_records_can_be_joined(project: Path, synclint: Synclint) -> None:
    synclint("summarize", "train.py", "pkg/losses.py", "-o", "together")
    for name in ("train.py", "pkg/losses.py"):
        synclint("summarize", name, "-o", f"{name}.summary")
    apart = [(project / f"{name}.summary").read_bytes() for name in ("pkg/losses.py", "train.py")]
    assert b"".join(apart) == (project / "together").read_bytes()


def test_lists_of_names(project: Path, synclint: Synclint) -> None:
    (project / "files").write_text("train.py\n\npkg/losses.py\n")
    synclint("summarize", "@files", "-o", "some.summary")
    (project / "summaries").write_text("some.summary\n")
    synclint("link", "@summaries", "--root", "train.py", "-o", "found")
    (project / "results").write_text("found\n")
    assert "pkg/losses.py:6" in synclint("merge", "@results", "--output-format", "concise", code=1)


def test_an_unchanged_summary_keeps_its_time(project: Path, synclint: Synclint) -> None:
    synclint("summarize", "train.py", "-o", "one.summary")
    os.utime(project / "one.summary", (1, 1))
    synclint("summarize", "train.py", "-o", "one.summary")
    assert (project / "one.summary").stat().st_mtime == 1


def test_the_interface_stays_where_only_the_source_changes(project: Path, synclint: Synclint) -> None:
    headers = []
    for ending in ("", "# a comment at the end\n", "def more(): ...\n"):
        (project / "pkg/deep.py").write_text(FILES["pkg/deep.py"] + ending)
        synclint("summarize", "pkg/deep.py", "-o", "one.summary")
        headers.append(json.loads((project / "one.summary").read_text().split("\n")[0]))
    assert headers[0]["interface"] == headers[1]["interface"] != headers[2]["interface"]
    assert len({each["content"] for each in headers}) == 3


def test_a_program_is_what_its_roots_import(project: Path, synclint: Synclint) -> None:
    synclint("summarize", *names(project), "-o", "all.summary")
    synclint("link", "all.summary", "--root", "train.py", "-o", "found")
    rows = json.loads(synclint("merge", "found", "--output-format", "json", code=1))
    found = {(row["filename"], row["location"]["row"], row["severity"]) for row in rows}
    assert {name for name, _, _ in found} == {"train.py", "pkg/losses.py", "pkg/deep.py"}
    assert ("pkg/losses.py", 6, "error") in found
    assert ("pkg/losses.py", 11, "note") in found  # nothing in this program calls it


def test_two_programs_share_code_and_the_loudest_report_of_it_counts(project: Path, synclint: Synclint) -> None:
    (project / "setup.py").write_text("import torch\nfrom pkg.losses import unseen\nunseen(torch.ones(1).cuda())\n")
    (project / "eval.py").write_text("from apps.tool.beside import log\nimport torch\nlog(3.0)\n")
    (project / "apps/tool/main.py").write_text(FILES["apps/tool/main.py"].replace("accelerator", "'cuda'"))
    synclint("summarize", *names(project), "-o", "all.summary")
    alone = {}
    for root in ("train.py", "setup.py", "apps/tool/main.py", "eval.py"):
        part = root.replace("/", "_")
        synclint("link", "all.summary", "--root", root, "-o", part)
        alone[root] = synclint("merge", part, "--output-format", "concise", "--exit-zero")
    assert "pkg/losses.py:11" not in alone["setup.py"]
    assert "beside.py:8:20: warning" in alone["eval.py"]  # there is nothing to suppress
    parts = [root.replace("/", "_") for root in alone]
    merged = synclint("merge", *parts, "--output-format", "concise", "--show-notes", "--exit-zero")
    assert merged == synclint(
        "merge", *parts[::-1], *parts, "--output-format", "concise", "--show-notes", "--exit-zero"
    )
    assert "pkg/losses.py:6:11: error" in merged
    assert "beside.py:8" not in merged  # in another program there is
    assert len([line for line in merged.splitlines() if line.startswith("pkg/losses.py:6")]) == 1


def test_the_baseline_and_the_threshold_are_those_of_check(project: Path, synclint: Synclint) -> None:
    synclint("summarize", *names(project), "-o", "all.summary")
    synclint("link", "all.summary", "--open-world", "-o", "found")
    synclint("merge", "found", "--fail-on", "never", code=0)
    assert "wrote" in synclint("merge", "found", "--write-baseline")
    known = (project / ".synclint-baseline.json").read_text()
    assert "Found no problems" in synclint("merge", "found")
    synclint("check", ".", "--write-baseline", "--no-cache")
    assert (project / ".synclint-baseline.json").read_text() == known


def test_any_number_of_findings_is_merged(here: Path, synclint: Synclint, monkeypatch: pytest.MonkeyPatch) -> None:
    reads = "    print(x.item())\n" * 50
    (here / "many.py").write_text(f"import torch\n\n\ndef forward(x: torch.Tensor):\n{reads}")
    synclint("summarize", "many.py", "-o", "many.summary")
    synclint("link", "many.summary", "--open-world", "-o", "found")
    monkeypatch.setattr("synclint.lint.store.forms.LARGEST_STORED", 500)  # of what is compared, as findings are
    assert len(json.loads(synclint("merge", "found", "--output-format", "json", code=0))) == 50


def test_what_the_command_line_selects_is_linked(project: Path, synclint: Synclint) -> None:
    synclint("summarize", *names(project), "-o", "all.summary")
    synclint("link", "all.summary", "--open-world", "--select", "SYNC102", "--isolated", "-o", "found")
    found = synclint("merge", "found", "--isolated", "--output-format", "json", code=1)
    assert found == synclint(
        "check", ".", "--select", "SYNC102", "--isolated", "--no-cache", "--output-format", "json", code=1
    )


def test_an_error_of_ours_costs_one_file(project: Path, synclint: Synclint, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise KeyError("a bug of ours")

    with monkeypatch.context() as broken:
        broken.setattr("synclint.lint.inference.reading.interpreter.analyse", fail)
        synclint("summarize", "pkg/deep.py", "-o", "deep.summary")
    synclint("summarize", "pkg/losses.py", "train.py", "-o", "others.summary")
    synclint("link", "deep.summary", "others.summary", "--open-world", "-o", "found")
    assert "pkg/deep.py: internal error in the analysis: KeyError: 'a bug of ours'" in synclint(
        "merge", "found", code=2
    )
