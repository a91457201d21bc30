"""A notebook is read as one module; people are told cells and their lines, programs the lines of the file."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from synclint.lint import cli
from synclint.lint.files.notebook import notebook
from synclint.lint.files.source import Source, Unreadable, parse, text_of
from synclint.lint.finding import Span
from synclint.lint.output.targets import format_names
from synclint.lint.suppression.suppress import suppressions

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
    source = parse(data, "a.ipynb", wanted=True)
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
        assert parse(book("library(torch)\nx <- (", metadata=about), "a.ipynb", wanted=True) is None

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
        assert parse(b"", "a.ipynb", wanted=True) is None
        assert isinstance(parse(book("import torch"), "a.ipynb"), Source)

    @pytest.mark.parametrize(
        ("data", "place", "message"),
        [
            (b'{\n "cells": [\n<<<<<<< torch', (3, 1), "is not a notebook: Expecting '{'"),
            (b'{"cells": []} torch', (1, 15), "is not a notebook: Extra data"),
            (b"{}", (1, 1), "it has no cells"),
            (b"[]", (1, 1), "is not a notebook: Expecting '{'"),
            (b"import torch", (1, 1), "is not a notebook"),
            (b'{"cells": null}', (1, 11), "is not a notebook: Expecting '['"),
            (b'{"cells": [],}', (1, 14), "property name"),
            (b'{"cells": [], "nbformat": 5}', (1, 1), "has notebook format 5; save it in version 4"),
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
        assert "\n4 | print('größer', loss.item())\n  |                 ^^^^^^^^^^^\n" in shown
        assert "train.ipynb:cell 5:" in shown
        assert "\n5 | if loss > 3:\n  |    ^^^^^^^^\n" in shown

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
            "html": '<span class="place">cell {}:',
            "junit": "(cell {}:",
            "pylint": "train.ipynb:{}:0: ",
            "rdjsonl": '"range": {{"start": {{"line": {0}}}, "end": {{"line": {0}}}}}',
            "sarif": '"region": {{"startLine": {0}, "endLine": {0}}}',
        }
        told = [4, 5] if form in ("html", "junit") else rows
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

    def test_comments_are_written_into_the_cells(self, run: Run, here: Path) -> None:
        before = json.loads((here / "train.ipynb").read_bytes())
        assert run("--add-ignore=why") == (0, "suppressed 2 findings in 1 file\n", "")
        assert places(run("--output-format", "concise")[1]) == []
        after = json.loads((here / "train.ipynb").read_bytes())
        for each in (before, after):
            each["cells"] = ["".join(one.pop("source")) for one in each["cells"]] + each["cells"]
        assert len(after["cells"]) == len(before["cells"])
        cells = [re.sub(r"  # synclint: ignore\[SYNC\d+\] why|# synclint.*\n", "", str(one)) for one in after["cells"]]
        assert cells == list(map(str, before["cells"]))
        assert after["metadata"] == before["metadata"]

    @pytest.mark.parametrize("indent", [None, 1])
    @pytest.mark.parametrize("whole", [True, False])
    def test_only_the_lines_with_comments_change(self, run: Run, here: Path, indent: int | None, whole: bool) -> None:
        source = "import torch\nx = torch.ones(3).cuda()\n"
        source += "for b in torch.utils.data.DataLoader(x):\n    print('ä', x.sum().item())"
        cell = {"cell_type": "code", "source": source if whole else source.splitlines(keepends=True), "outputs": []}
        text = json.dumps({"nbformat": 4, "cells": [cell], "metadata": {}}, indent=indent, ensure_ascii=False)
        (here / "train.ipynb").write_text(text, encoding="utf-8")
        assert run("--add-ignore=why")[0] == 0
        comment = "  # synclint: ignore[SYNC101] why"
        assert (here / "train.ipynb").read_text(encoding="utf-8") == text.replace("item())", f"item()){comment}")
        (here / "train.ipynb").write_text(text, encoding="utf-8")
        long = "why " * 20
        assert run(f"--add-ignore={long}")[0] == 0
        changed = "".join(json.loads((here / "train.ipynb").read_bytes())["cells"][0]["source"])
        assert f"\n    # synclint: ignore[SYNC101] {long.strip()}\n    print(" in changed
        if not whole and indent:
            lines = (here / "train.ipynb").read_text(encoding="utf-8").split("\n")
            assert [each for each in lines if each not in text.split("\n")] == [
                f'    "    # synclint: ignore[SYNC101] {long.strip()}\\n",'
            ]
