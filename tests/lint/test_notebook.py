"""A notebook is read as one module; people are told cells and their lines, programs the lines of the file."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from synclint.lint import cli
from synclint.lint.finding import Span
from synclint.lint.notebook import NotebookError, notebook
from synclint.lint.output.targets import format_names
from synclint.lint.source import Source, Unreadable, parse, text_of
from synclint.lint.suppress import suppressions

Run = Callable[..., tuple[int, str, str]]

TRAINING = [
    "# Training\n",
    "%pip install torch\nimport torch\nmodel = torch.nn.Linear(3, 4).cuda()\n",
    "%%bash\necho 'x\n",
    "def step(batch):\n    loss = model(batch).mean()\n    # größer\n    print('größer', loss.item())\n    return loss",
    "%%time\nfor _ in range(100):\n    loss = step(torch.ones(2, 3, device='cuda'))\n    loss.backward()\n"
    "    if loss > 3:\n        !echo 'large",
]


def cell(source: str | Sequence[str], kind: str = "code", **more: Any) -> dict[str, Any]:
    lines = source.splitlines(True) if isinstance(source, str) else source
    return {"cell_type": kind, "metadata": {}, "source": lines, "outputs": [], **more}


def kind_of(source: str) -> str:
    return "markdown" if source.startswith("# ") else "code"


def document(*cells: str | dict[str, Any], **more: Any) -> dict[str, Any]:
    made = [
        each if isinstance(each, dict) else cell(each, "markdown" if each[:2] == "# " else "code") for each in cells
    ]
    about = {"kernelspec": {"name": "python3"}, "language_info": {"name": "python"}}
    return {"cells": made, "metadata": about, "nbformat": 4, "nbformat_minor": 5, **more}


def book(*cells: str | dict[str, Any], **more: Any) -> bytes:
    return json.dumps(document(*cells, **more), indent=1, ensure_ascii=False).encode()


def read(data: bytes) -> Source:
    source = parse(data, "a.ipynb", named=True)
    assert isinstance(source, Source), source
    return source


def unreadable(data: bytes, named: bool = True) -> Unreadable:
    found = parse(data, "a.ipynb", named)
    assert isinstance(found, Unreadable), found
    return found


def raw_rows(data: bytes) -> dict[str, str]:
    """For each line of the notebook the line of the file where it begins."""
    found = notebook(data)
    assert found is not None
    lines, file = found.text.split("\n"), data.decode("utf-8-sig").split("\n")
    pairs = [(lines[each.first - 1 + at], row) for each in found.cells for at, row in enumerate(each.rows)]
    return {line: file[row - 1] for line, row in pairs if line}


@pytest.fixture
def run(here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """The command line with the real inference, beside `train.ipynb`."""
    (here / "train.ipynb").write_bytes(book(*TRAINING))

    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["synclint", *arguments])
        capsys.readouterr()
        with pytest.raises(SystemExit) as exit_:
            cli.main()
        captured = capsys.readouterr()
        return int(exit_.value.code or 0), captured.out, captured.err

    return call


PLACES = ["train.ipynb:cell 4:4:21", "train.ipynb:cell 5:5:8"]


def places(out: str) -> list[str]:
    return [line.split(": ")[0] for line in out.splitlines() if "[SYNC" in line]


class TestReading:
    def test_names_go_from_cell_to_cell(self) -> None:
        source = read(book("x = 1", "# text", "y = x\n"))
        assert source.text == "\nx = 1\n\ny = x\n"
        assert [(each.number, each.first) for each in source.cells] == [(1, 2), (3, 4)]

    def test_a_broken_cell_leaves_the_others(self) -> None:
        source = read(book("import torch", "def f(:\n  pass", "# text", "x = 1", "y = (", "z = 1"))
        assert source.text == "\nimport torch\n\n\n\n\nx = 1\n\n\n\nz = 1"
        assert source.broken is not None
        assert source.broken.span.position == "cell 2:1:7"
        assert "in cell 2: " in source.broken.message
        assert "(also in cell 5)" in source.broken.message

    @pytest.mark.parametrize("text", ["x = '\0'", "(" * 3000 + ")" * 3000])
    def test_a_cell_the_parser_refuses(self, text: str) -> None:
        source = read(book("import torch", text, "x = 1"))
        assert source.text.endswith("\nx = 1")
        assert source.broken is not None
        assert source.broken.span.cell == source.cells[1]

    def test_halves_of_surrogate_pairs(self) -> None:
        assert read(rb'{"cells": [{"cell_type": "code", "source": "x = \"\ud800\""}]}').text == '\nx = "?"'

    @pytest.mark.parametrize(
        "about",
        [
            {"language_info": {"name": "R"}},
            {"kernelspec": {"language": "julia"}},
            {"kernelspec": {"name": "ir", "display_name": "R"}},
            {"kernelspec": {"name": "julia-1.9"}},
        ],
    )
    def test_other_languages_are_none_of_our_business(self, about: dict[str, Any]) -> None:
        assert parse(book("library(torch)\nx <- (", metadata=about), "a.ipynb", named=True) is None

    @pytest.mark.parametrize("about", [{}, None, [], {"kernelspec": None}, {"kernelspec": {"name": "irene"}}])
    def test_no_word_about_the_language_means_python(self, about: object) -> None:
        assert read(book("x = 1", metadata=about)).text == "\nx = 1"

    def test_a_cell_of_another_language(self) -> None:
        marked = cell("ls 'x", metadata={"vscode": {"languageId": "shellscript"}})
        assert read(book(marked, "x = 1")).text == "\nx = 1"

    def test_version_3(self) -> None:
        cells = [
            {"cell_type": "heading", "source": "x", "level": 1},
            {"cell_type": "code", "language": "python", "input": ["import torch\n", "x = 1"], "outputs": []},
            {"cell_type": "code", "language": "ruby", "input": "puts 'x"},
        ]
        old = {"metadata": {"name": ""}, "nbformat": 3, "worksheets": [{"metadata": {}, "cells": cells}]}
        source = read(json.dumps(old, indent=1).encode())
        assert source.text == "\nimport torch\nx = 1"
        assert [each.number for each in source.cells] == [2]

    def test_what_does_not_matter_is_not_parsed(self) -> None:
        outputs = [{"text": "torch.item()"}]
        assert parse(book(cell("x = (", outputs=outputs)), "a.ipynb") is None
        assert parse(b'{"cells": [', "a.ipynb") is None
        assert parse(b"", "a.ipynb", named=True) is None
        assert isinstance(parse(book("import torch"), "a.ipynb"), Source)

    @pytest.mark.parametrize(
        ("data", "place", "message"),
        [
            (b'{\n "cells": [\n<<<<<<< torch', (3, 1), "is no notebook: Expecting '{'"),
            (b'{"cells": []} torch', (1, 15), "is no notebook: Extra data"),
            (b"{}", (1, 1), "it has no cells"),
            (b"[]", (1, 1), "is no notebook: Expecting '{'"),
            (b"import torch", (1, 1), "is no notebook"),
            (b'{"cells": null}', (1, 11), "is no notebook: Expecting '['"),
            (b'{"cells": [],}', (1, 14), "property name"),
            (b'{"cells": [], "nbformat": 5}', (1, 1), "has the notebook format 5; save it in version 4"),
            (b'{\n"cells": "\xff"}', (2, 1), "is not UTF-8"),
            (b'{"a": ' + b"[" * 200_000, (1, 1), "nested too deeply"),
        ],
    )
    def test_what_is_no_notebook(self, data: bytes, place: tuple[int, int], message: str) -> None:
        found = unreadable(data)
        assert (found.span.row, found.span.column) == place
        assert message in found.message

    def test_numbers_of_any_length(self) -> None:
        data = book(cell("x = 1", outputs=[1234, float("nan")])).replace(b"1234", b"1234" * 2000)
        assert read(data).text == "\nx = 1"


class TestRows:
    def test_the_standard_layout(self) -> None:
        rows = raw_rows(book(*TRAINING))
        assert all(json.dumps(line, ensure_ascii=False)[1:-1] in raw for line, raw in rows.items())

    @pytest.mark.parametrize("end", [b"\n", b"\r\n"])
    def test_ends_of_the_files_lines(self, end: bytes) -> None:
        data = book("x = 'ä'\ny = '日'\n", "z = 1").replace(b"\n", end)
        assert [raw.strip() for raw in raw_rows(b"\xef\xbb\xbf" + data).values()] == [
            "\"x = 'ä'\\n\",",
            "\"y = '日'\\n\"",
            '"z = 1"',
        ]

    def test_ends_of_the_cells_lines(self) -> None:
        source = read(book(cell(["x = 1\r\n", "y = 2\r", "z = 3"])))
        assert source.text == "\nx = 1\ny = 2\nz = 3"
        first = source.cells[0].rows[0]
        assert source.cells[0].rows == (first, first + 1, first + 2)

    def test_one_text_and_one_line(self) -> None:
        made = book(cell("x")).replace(b'[\n    "x"\n   ]', b'"x = 1\\ny = 2"')
        assert {raw.strip() for raw in raw_rows(made).values()} == {'"source": "x = 1\\ny = 2",'}
        data = json.dumps(document("x = 1\ny = 2\n", "z = 3")).encode()
        assert {row for each in read(data).cells for row in each.rows} == {1}

    def test_pieces_that_are_no_lines(self) -> None:
        source = read(book(cell(["x ", "= 1\ny = 2\n", None, "", "z", " = 3"])))  # type: ignore[list-item]
        assert source.text == "\nx = 1\ny = 2\nz = 3"
        first = source.cells[0].rows[0]
        assert source.cells[0].rows == (first, first + 1, first + 4)

    def test_outputs_are_not_taken_for_sources(self) -> None:
        outputs = [{"source": ["x = 1\n"], "text": '"source": ["x = 1"]'}]
        made = {"outputs": outputs, **cell("x = 1")} | {"outputs": outputs}
        data = book({"outputs": outputs, "cell_type": "code", "source": ["x = 1\n", "y = 2"]}, made)
        before, _, rest = data.decode().partition('"cell_type"')
        row = before.count("\n") + rest[: rest.index('"x = 1')].count("\n") + 1
        assert read(data).cells[0].rows == (row, row + 1)

    def test_a_span_for_people_and_one_for_programs(self) -> None:
        source = read(book("# text", "import torch\nx = (1 +\n     2)\n"))
        span = source.span(source.tree.body[1])
        assert (span.position, span.line) == ("cell 2:2:1", "cell 2:2")
        assert (span.shown.row, span.shown.end_row) == (2, 3)
        rows = source.cells[0].rows
        assert (span.on_disk.row, span.on_disk.end_row) == (rows[1], rows[2])
        plain = Span("a.py", 3, 4, 3, 5)
        assert plain.shown is plain.on_disk is plain
        assert plain.position == "3:4"

    def test_a_comment_has_a_cell(self) -> None:
        found = suppressions(read(book("x = 1", "# text", "y = 2\nz = 3  # synclint: ignore[SYNC101] why\n")))
        assert [each.span.position for each in found] == ["cell 3:2:8"]

    def test_people_see_what_they_wrote(self) -> None:
        assert text_of(book("!ls\n%time x = 1", "%%bash\nls"), "a.ipynb") == "\n!ls\n%time x = 1\n\n%%bash\nls"


class TestRuns:
    def test_people_are_told_cells(self, run: Run) -> None:
        for arguments in (["."], ["train.ipynb"], [".", "--no-cache"], ["."]):
            code, out, _ = run(*arguments, "--output-format", "concise")
            assert places(out) == PLACES
            assert code == 1

    def test_full_shows_the_cell(self, run: Run) -> None:
        shown = run("--output-format", "full")[1]
        assert (
            "\n3 |     # größer\n4 |     print('größer', loss.item())\n  |                     ^^^^^^^^^^^\n5 |"
            in shown
        )
        assert "(train.ipynb:cell 5:" in shown
        assert "\n5 |     if loss > 3:\n  |        ^^^^^^^^\n6 |         !echo 'large\n" in shown

    def test_standard_input(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(book(*TRAINING))))
        out = run("-", "--stdin-filename", "other.ipynb", "--output-format", "concise")[1]
        assert places(out) == [place.replace("train", "other") for place in PLACES]

    def test_rows_of_json(self, run: Run) -> None:
        rows = json.loads(run("--output-format", "json")[1])
        assert [(row["cell"], row["location"], row["end_location"]["row"]) for row in rows] == [
            (4, {"row": 4, "column": 21}, 4),
            (5, {"row": 5, "column": 8}, 5),
        ]
        assert {reason["cell"] for row in rows for reason in row["reasons"]} <= {None, 2, 4, 5}

    @pytest.mark.parametrize("form", sorted({*format_names()} - {"concise", "full", "grouped", "json", "json-lines"}))
    def test_programs_are_told_lines_of_the_file(self, run: Run, here: Path, form: str) -> None:
        file = (here / "train.ipynb").read_text(encoding="utf-8").split("\n")
        rows = [row for row, line in enumerate(file, 1) if "loss.item()" in line or "if loss > 3" in line]
        out = run("--output-format", form)[1]
        shapes = {
            "azure": "linenumber={};columnnumber=1;",
            "github": ",line={0},endLine={0}::",
            "gitlab": '"lines": {{"begin": {0}, "end": {0}}}',
            "junit": "(cell {}:",
            "pylint": "train.ipynb:{}:0: ",
            "rdjsonl": '"range": {{"start": {{"line": {0}}}, "end": {{"line": {0}}}}}',
            "sarif": '"region": {{"startLine": {0}, "endLine": {0}}}',
        }
        told = [4, 5] if form == "junit" else rows
        assert [shapes[form].format(each) in out for each in told] == [True, True]

    def test_grouped(self, run: Run) -> None:
        assert "  cell 4:4:21  " in run("--output-format", "grouped")[1]

    def test_the_summary_of_a_step(self, run: Run, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(here / "summary.md"))
        run("--output-format", "github")
        assert r"train\.ipynb\:cell 4\:4 |" in (here / "summary.md").read_text()

    def test_a_broken_cell_is_told_and_the_rest_checked(self, run: Run, here: Path) -> None:
        (here / "train.ipynb").write_bytes(book(*TRAINING, "x = (\n"))
        for _ in range(2):  # the second time out of the cache
            out = run("--output-format", "concise")[1]
            assert places(out) == [*PLACES, "train.ipynb:cell 6:1:5"]
            assert "SYNC902" in out

    def test_suppressions(self, run: Run, here: Path) -> None:
        cells = [each.replace("loss.item())", "loss.item())  # synclint: ignore[SYNC101] why") for each in TRAINING]
        (here / "train.ipynb").write_bytes(book(*cells))
        assert places(run("--output-format", "concise")[1]) == PLACES[1:]
        (here / "train.ipynb").write_bytes(book("# synclint\n", cell("# synclint: file-ignore[SYNC1] why"), *cells))
        assert places(run("--output-format", "concise")[1]) == []

    def test_a_baseline_does_not_depend_on_outputs_and_other_cells(self, run: Run, here: Path) -> None:
        assert run("--write-baseline")[0] == 0
        cells = [cell(each, kind_of(each), outputs=[{"text": "x\n" * 9}]) for each in TRAINING]
        (here / "train.ipynb").write_bytes(book("# new", "import torch\nx = 1", *cells))
        code, _, err = run(".")
        assert code == 0
        assert "2 findings in" in err

    def test_comments_are_not_written(self, run: Run, here: Path) -> None:
        before = (here / "train.ipynb").read_bytes()
        code, _, err = run("--add-ignore=why")
        assert "train.ipynb: left as it is: it is a notebook; write the comments in its cells" in err
        assert code == 1
        assert (here / "train.ipynb").read_bytes() == before

    def test_checkpoints_are_left_out(self, run: Run, here: Path) -> None:
        (here / ".ipynb_checkpoints").mkdir()
        shutil.copy(here / "train.ipynb", here / ".ipynb_checkpoints/train-checkpoint.ipynb")
        assert places(run("--output-format", "concise")[1]) == PLACES

    def test_a_module_of_the_same_name_is_another_one(self, run: Run, here: Path) -> None:
        (here / "train.py").write_text("import torch\n\ndef step(batch):\n    return torch.ones(3, device='cpu')\n")
        (here / "main.py").write_text("import torch\nimport train\nfor _ in range(9):\n    train.step(1).item()\n")
        assert places(run("--output-format", "concise")[1]) == PLACES

    @pytest.mark.parametrize(
        ("place", "answer"),
        [
            ("train.ipynb:cell 4:4", "loss.item(): "),
            ("train.ipynb:cell 4:3", "train.ipynb:cell 4:3: no expression of the program stands here"),
            ("train.ipynb:cell 3:1", "train.ipynb:cell 3:1: no expression"),
            ("train.ipynb:cell 1:1", "cell 1 of train.ipynb is no code cell"),
            ("train.ipynb:cell 4:9", "cell 4 of train.ipynb has 5 lines; there is no line 9"),
            ("train.ipynb:1", "no code begins in line 1 of train.ipynb"),
        ],
    )
    def test_explain(self, run: Run, place: str, answer: str) -> None:
        _, out, err = run("explain", place)
        assert answer in out + err

    def test_explain_knows_lines_of_the_file(self, run: Run, here: Path) -> None:
        lines = (here / "train.ipynb").read_text(encoding="utf-8").split("\n")
        row = next(row for row, line in enumerate(lines, 1) if "loss.item()" in line)
        assert run("explain", f"train.ipynb:{row}") == run("explain", "train.ipynb:cell 4:4")


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
@pytest.mark.parametrize("option", ["--new-from", "--diff-only"])
def test_only_what_is_new(run: Run, here: Path, monkeypatch: pytest.MonkeyPatch, option: str) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    identity = ["-c", "user.name=n", "-c", "user.email=e@x", "-c", "commit.gpgsign=false"]
    for words in (["init", "-q", "-b", "main"], ["add", "train.ipynb"], [*identity, "commit", "-qm", "first"]):
        subprocess.run(["git", *words], check=True, capture_output=True)
    assert run(option, "main")[0] == 0
    (here / "train.ipynb").write_bytes(book("# new", *TRAINING[:-1], TRAINING[-1] + "\n    print(loss.tolist())"))
    assert places(run(option, "main", "--output-format", "concise")[1]) == ["train.ipynb:cell 6:7:11"]


WORDS = ["cells", "source", "input", "cell_type", "code", "metadata", "worksheets", "nbformat", "kernelspec", "python"]
WORDS += ["import torch\n", "%%time\n", "x = (", "\r", "\0", "\ud800", "language_info", "name", "markdown"]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(3, 5) | st.sampled_from(WORDS) | st.floats(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=4),
    max_leaves=15,
)


@given(VALUES, VALUES, st.integers(0, 3))
def test_odd_documents_are_read_or_reported(cells: object, about: object, depth: int) -> None:
    wrapped = [cells, [cells], [{"cell_type": "code", "source": cells}], {"source": cells}][depth]
    data = json.dumps({"cells": wrapped, "metadata": about}).encode()
    found = parse(data, "a.ipynb", named=True)
    assert found is None or isinstance(found, Source | Unreadable)
    assert json.loads(data)


@given(st.integers(0, 2000), st.integers(0, 200), st.binary(max_size=4))
def test_damaged_files_are_read_or_reported(at: int, length: int, instead: bytes) -> None:
    data = book(*TRAINING)
    damaged = data[:at] + instead + data[at + length :]
    found = parse(damaged, "a.ipynb", named=True)
    if not isinstance(found, Source):
        return
    try:
        json.loads(damaged, strict=False)
    except RecursionError:
        raise
    except ValueError as error:  # what we read, any reader of JSON reads
        raise AssertionError(damaged) from error


def test_the_message_of_an_error_is_one_line() -> None:
    with pytest.raises(NotebookError) as error:
        notebook(b'{"nbformat": "' + b"9" * 500 + b'", "cells": []}')
    assert len(str(error.value)) < 100
