"""Notebooks in an editor: their cells are documents of their own, and one program."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from lsprotocol import types

from .conftest import SECONDS

if TYPE_CHECKING:
    from .conftest import Editor

pytestmark = pytest.mark.asyncio

MODEL = "import torch\nweights = torch.ones(3, 3).cuda()"
LOOP = """\
%matplotlib inline
for batch in torch.utils.data.DataLoader(torch.randn(9, 3)):
    loss = weights.sum()
    print("größe 𝔾", loss.item(), batch.cuda())"""
Cell = tuple[str, str]
CELLS: list[Cell] = [("markdown", "# A *title*"), ("python", MODEL), ("python", LOOP)]


class Notebook:
    """A notebook that is open in an editor; what is found in its cells is kept by their names."""

    def __init__(self, editor: Editor, name: str = "train.ipynb") -> None:
        self.editor = editor
        self.uri = editor.uri(name)
        self.version = 0
        self.names: list[str] = []
        self.found: dict[str, list[types.Diagnostic]] = {}

    def cell(self, name: str) -> str:
        return f"{self.uri.replace('file:', 'vscode-notebook-cell:')}#{name}"

    def _item(self, name: str, cell: Cell) -> types.TextDocumentItem:
        return types.TextDocumentItem(self.cell(name), cell[0], 0, cell[1])

    def _cell(self, name: str, cell: Cell) -> types.NotebookCell:
        kind = types.NotebookCellKind.Markup if cell[0] == "markdown" else types.NotebookCellKind.Code
        return types.NotebookCell(kind, self.cell(name))

    async def open(self, cells: list[Cell] = CELLS) -> None:
        await self.editor.start()
        self.names = [f"W{at}" for at in range(len(cells))]
        document = types.NotebookDocument(
            self.uri, "jupyter-notebook", 0, [self._cell(*each) for each in zip(self.names, cells)]
        )
        items = [self._item(*each) for each in zip(self.names, cells)]
        self.editor.client.notebook_document_did_open(types.DidOpenNotebookDocumentParams(document, items))
        await self.next(sum(language == "python" for language, _ in cells))

    def change(self, cells: types.NotebookDocumentCellChanges) -> None:
        self.version += 1
        document = types.VersionedNotebookDocumentIdentifier(self.version, self.uri)
        self.editor.client.notebook_document_did_change(
            types.DidChangeNotebookDocumentParams(document, types.NotebookDocumentChangeEvent(cells=cells))
        )

    async def type(self, name: str, place: types.Range, text: str, count: int = 2) -> None:
        """Change a region of a cell."""
        changed = types.NotebookDocumentCellContentChanges(
            types.VersionedTextDocumentIdentifier(self.version + 1, self.cell(name)),
            [types.TextDocumentContentChangePartial(place, text)],
        )
        self.change(types.NotebookDocumentCellChanges(text_content=[changed]))
        await self.next(count)

    async def replace(self, start: int, removed: int, new: dict[str, Cell], count: int) -> None:
        """Put cells in the place of others."""
        gone = self.names[start : start + removed]
        self.names[start : start + removed] = new
        array = types.NotebookCellArrayChange(start, removed, [self._cell(*each) for each in new.items()])
        structure = types.NotebookDocumentCellChangeStructure(
            array,
            [self._item(*each) for each in new.items()],
            [types.TextDocumentIdentifier(self.cell(each)) for each in gone],
        )
        self.change(types.NotebookDocumentCellChanges(structure=structure))
        await self.next(count)

    async def next(self, count: int) -> None:
        """Wait for the diagnostics of so many cells."""
        for _ in range(count):
            found = await asyncio.wait_for(self.editor.client.found.get(), SECONDS)
            self.found[found.uri.partition("#")[2]] = list(found.diagnostics)

    def codes(self) -> dict[str, list[tuple[str, int, int]]]:
        """What is found in which cell: code, line and character."""
        return {
            name: [(str(each.code), each.range.start.line, each.range.start.character) for each in found]
            for name, found in self.found.items()
        }

    async def actions(self, name: str, kind: str) -> list[types.CodeAction]:
        everything = types.Range(types.Position(0, 0), types.Position(99, 0))
        found = await self.editor.client.text_document_code_action_async(
            types.CodeActionParams(
                types.TextDocumentIdentifier(self.cell(name)), everything, types.CodeActionContext([], only=[kind])
            )
        )
        return [each for each in found or [] if isinstance(each, types.CodeAction)]


@pytest.fixture(autouse=True)
def project(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text("[tool.synclint]\n")
    return tmp_path


@pytest.fixture
def notebook(editor: Editor) -> Notebook:
    return Notebook(editor)


async def test_a_cell_has_what_the_command_line_finds_in_it(notebook: Notebook) -> None:
    await notebook.open()
    cells = [{"cell_type": "markdown" if kind == "markdown" else "code", "source": text} for kind, text in CELLS]
    file = notebook.editor.folder / "train.ipynb"
    file.write_text(json.dumps({"nbformat": 4, "metadata": {}, "cells": cells}))
    words = [sys.executable, "-m", "synclint", "check", str(file), "--output-format", "json", "--no-cache"]
    report = subprocess.run(words, capture_output=True, text=True, check=False, cwd=file.parent)
    rows = [(row["code"], row["cell"], row["location"]["row"]) for row in json.loads(report.stdout)]
    assert rows
    found = notebook.codes()
    assert found["W1"] == []
    assert [(code, 3, line + 1) for code, line, _ in found["W2"]] == rows
    (item,) = [each for each in notebook.found["W2"] if each.code == "SYNC101"]
    assert item.range.start.character == 22  # in UTF-16
    related = {each.location.uri for each in item.related_information or []}
    assert related == {notebook.cell("W1"), notebook.cell("W2")}


async def test_what_is_typed_in_one_cell_changes_another(notebook: Notebook) -> None:
    await notebook.open()
    start, end = types.Position(1, 26), types.Position(1, 33)
    assert MODEL.split("\n")[1][26:33] == ".cuda()"
    before = notebook.codes()["W2"]
    await notebook.type("W1", types.Range(start, end), "")
    assert notebook.codes()["W2"] != before
    await notebook.type("W1", types.Range(start, start), ".cuda()")
    assert notebook.codes()["W2"] == before


async def test_cells_come_go_and_move(notebook: Notebook) -> None:
    await notebook.open()
    before = notebook.codes()["W2"]
    await notebook.replace(0, 1, {"N": ("python", "x = 1\n\n")}, count=3)
    assert notebook.codes()["W2"] == before
    await notebook.replace(2, 1, {"M": ("python", LOOP)}, count=4)
    assert (notebook.codes()["W2"], notebook.codes()["M"]) == ([], before)
    await notebook.replace(1, 1, {}, count=3)
    assert notebook.codes()["M"] != before


async def test_a_broken_cell_is_reported_and_the_others_are_checked(notebook: Notebook) -> None:
    await notebook.open()
    before = notebook.codes()["W2"]
    await notebook.replace(0, 1, {"B": ("python", "if True\n")}, count=3)
    assert [line for _, line, _ in notebook.codes()["B"]] == [0]
    assert notebook.codes()["W2"] == before


async def test_fixes_and_suppressions_are_edits_of_cells(notebook: Notebook) -> None:
    await notebook.open()
    for kind in ("quickfix", "source.fixAll"):
        changes = [dict((each.edit and each.edit.changes) or {}) for each in await notebook.actions("W2", kind)]
        assert changes
        assert all(set(each) == {notebook.cell("W2")} for each in changes)
    titles = [each.title for each in await notebook.actions("W2", "quickfix")]
    assert any(each.startswith("Suppress SYNC101") for each in titles)
    assert await notebook.actions("W1", "quickfix") == []
    suppressing = next(each for each in await notebook.actions("W2", "quickfix") if "SYNC101" in each.title)
    (edit,) = ((suppressing.edit and suppressing.edit.changes) or {})[notebook.cell("W2")]
    last = LOOP.split("\n")[3]
    assert edit.range.start == types.Position(3, len(last.encode("utf-16-le")) // 2)
    await notebook.type("W2", edit.range, edit.new_text)
    assert "SYNC101" not in [code for code, _, _ in notebook.codes()["W2"]]


async def test_hovering_in_a_cell(notebook: Notebook) -> None:
    await notebook.open()
    found = await notebook.editor.client.text_document_hover_async(
        types.HoverParams(types.TextDocumentIdentifier(notebook.cell("W2")), types.Position(2, 5))
    )
    assert found is not None
    assert isinstance(found.contents, types.MarkupContent)
    assert "loss" in found.contents.value
    assert found.range == types.Range(types.Position(2, 4), types.Position(2, 8))


async def test_closing_takes_the_diagnostics_away(notebook: Notebook) -> None:
    await notebook.open()
    items = [types.TextDocumentIdentifier(notebook.cell(each)) for each in notebook.names]
    notebook.editor.client.notebook_document_did_close(
        types.DidCloseNotebookDocumentParams(types.NotebookDocumentIdentifier(notebook.uri), items)
    )
    await notebook.next(2)
    assert notebook.codes() == {"W1": [], "W2": []}


async def test_other_languages_and_a_notebook_without_a_name(editor: Editor) -> None:
    notebook = Notebook(editor, "untitled:Untitled-1?jupyter-notebook")
    cells = [("r", "x <- 1"), *CELLS[1:]]
    await notebook.open(cells)
    assert [code for code, _, _ in notebook.codes()["W2"]]
    assert "W0" not in notebook.codes()
