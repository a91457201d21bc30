"""The state of the conversation with the editor: what is open, and what was found there.

Documents are checked in one thread, one round after another. A round covers all open ones, since each is seen in the
light of the others; what is typed meanwhile is left for the next round.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, TypeVar
from urllib.parse import unquote, urlsplit

from lsprotocol import types
from pygls import uris
from pygls.lsp.server import LanguageServer

from ... import __version__
from ..files.source import NOTEBOOK
from ..output.locations import uri
from ..output.text import escape
from .checker import Answer, Answers, Checker
from .diagnostics import diagnostics
from .documents import Document, OpenCell, Part, opened_notebook

MOST_REST: Final = 0.1
"""The seconds between two rounds at most; less where rounds are quick: so long as the last one took."""

JUPYTER: Final = "jupyter-notebook"
SYNC: Final = types.NotebookDocumentSyncOptions([types.NotebookDocumentFilterWithNotebook(JUPYTER)], save=True)
"""All cells of notebooks, prose as well, so that they are numbered as in the file."""

T = TypeVar("T")


class Server(LanguageServer):
    """The language server: `opened` has the file of each open document, and `answers` what was found there."""

    def __init__(self, cache: Path | None = None) -> None:
        super().__init__("synclint", __version__, notebook_document_sync=SYNC)
        self.checker = Checker(cache)
        self.opened: dict[str, str] = {}
        self.answers: dict[str, Answer] = {}
        self._thread = ThreadPoolExecutor(1, "check")
        self._asked = asyncio.Event()
        self._look_again = False
        self._rounds: asyncio.Task[None] | None = None
        self._complaints: set[str] = set()
        self._ended = self._took = 0.0
        self._published: dict[str, set[str]] = {}

    def ask(self, look_again: bool = False) -> None:
        """Request a check of the open documents; `look_again` says that more than their texts may have changed."""
        self._look_again |= look_again
        if self._rounds is None:
            self._rounds = asyncio.get_running_loop().create_task(self._work())
        self._asked.set()

    async def in_thread(self, call: Callable[[], T]) -> T:
        """Return the result of a call, made in the thread that checks the documents."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, call)

    def document(self, uri: str) -> Document | None:
        """Return the document as it is now, also for one of its cells; None if it is not open or not to be checked."""
        known = self.workspace.get_notebook_document
        found = known(notebook_uri=uri) or known(cell_uri=uri)
        if found is not None:
            name = self.opened.get(found.uri)
            return None if name is None else opened_notebook(found.uri, name, found.version, tuple(self._cells(found)))
        if uri not in self.opened:
            return None
        text = self.workspace.get_text_document(uri)
        return Document(uri, self.opened[uri], text.version, text.source)

    def answer(self, document: Document) -> Answer | None:
        """Return what was found in a document; None if that was another text than it has now."""
        found = self.answers.get(document.uri)
        return found if found and found.document.text == document.text else None

    def _cells(self, notebook: types.NotebookDocument) -> Iterator[OpenCell]:
        for each in notebook.cells:
            text = self.workspace.text_documents.get(unquote(each.document))
            if text is not None:
                language = (text.language_id or "python") if each.kind == types.NotebookCellKind.Code else ""
                yield OpenCell(each.document, text.version, language, text.source)

    def place(self, uri: str) -> tuple[Document, Part] | None:
        """Return the document in which the editor counts rows by themselves under a name, and where they begin."""
        document = self.document(uri)
        part = next((each for each in document.parts if each.uri == uri), None) if document else None
        return (document, part) if document and part else None

    def name_of(self, uri: str, is_notebook: bool, is_python: bool) -> str | None:
        """Return the file of a document, saved or not; None if it is not Python, or an older state of a file."""
        scheme = urlsplit(uri).scheme
        path = uris.to_fs_path(uri) if scheme == "file" else None
        if path is not None:
            return path if is_python or path.endswith(NOTEBOOK if is_notebook else (".py", ".pyi")) else None
        if scheme != "untitled" or not is_python:
            return None
        folder = next((uris.to_fs_path(each) for each in self.workspace.folders), None) or os.getcwd()
        name = os.path.join(folder, os.path.basename(urlsplit(uri).path) or "untitled")
        return name + NOTEBOOK if is_notebook and not name.endswith(NOTEBOOK) else name

    def uri_of(self, name: str) -> str:
        """Return the name of a file in the protocol: for an open document, the one the editor uses."""
        path, wanted = os.path.abspath(name), os.path.normcase(os.path.abspath(name))
        same = (each for each, opened in self.opened.items() if os.path.normcase(opened) == wanted)
        return next(same, None) or uri(path)

    @property
    def encoding(self) -> str:
        """The unit of columns, as agreed with the editor."""
        return types.PositionEncodingKind(self.server_capabilities.position_encoding or "utf-16").value

    def close(self, uri: str) -> None:
        """Forget a document that is no longer open."""
        if self.opened.pop(uri, None) is not None:
            self.answers.pop(uri, None)
            self._publish(uri, {})

    def _publish(self, uri: str, found: Mapping[Part, list[types.Diagnostic]]) -> None:
        """Show the diagnostics of each part of a document, and none in parts that it no longer has."""
        gone = self._published.pop(uri, set()) - {part.uri for part in found}
        for each in (*(Part(name, None, 1) for name in sorted(gone)), *found):
            params = types.PublishDiagnosticsParams(each.uri, found.get(each, []), each.version)
            self.text_document_publish_diagnostics(params)
        if found:
            self._published[uri] = {part.uri for part in found}

    async def _work(self) -> None:
        """Run round after round; an internal error ends a round, not the server."""
        while True:
            await self._asked.wait()
            while self._asked.is_set():
                self._asked.clear()
                await asyncio.sleep(self._rest())
            started = time.monotonic()
            try:
                await self._round()
            except Exception as error:
                self._look_again = True
                self._complain({f"internal error: {type(error).__name__}: {error}"})
            self._ended = time.monotonic()
            self._took = self._ended - started

    def _rest(self) -> float:
        """Return the seconds until the next round: none after a pause, so that one change is answered at once."""
        return max(0.0, self._ended + min(self._took, MOST_REST) - time.monotonic())

    async def _round(self) -> None:
        documents = [each for uri in self.opened if (each := self.document(uri)) is not None]
        look_again, self._look_again = self._look_again, False
        self._tell(await self.in_thread(lambda: self.checker.check(documents, look_again)))

    def _tell(self, answers: Answers) -> None:
        for each in answers.found:
            if each.document.uri in self.opened:
                self.answers[each.document.uri] = each
                found: dict[Part, list[types.Diagnostic]] = {part: [] for part in each.document.parts}
                for finding, diagnostic in zip(each.findings, self.shown(each)):
                    found[each.document.part(finding.span.row)].append(diagnostic)
                self._publish(each.document.uri, found)
        self._complain(set(answers.complaints))

    def _complain(self, complaints: set[str]) -> None:
        """Report what is wrong, once as long as it stays wrong."""
        for each in sorted(complaints - self._complaints):
            self.window_show_message(types.ShowMessageParams(types.MessageType.Error, f"synclint: {escape(each)}"))
        self._complaints = complaints

    def shown(self, answer: Answer) -> list[types.Diagnostic]:
        """Return the diagnostic of each finding in a document."""
        wants = self.client_capabilities.text_document and self.client_capabilities.text_document.publish_diagnostics
        return diagnostics(answer, self.encoding, self.uri_of, bool(wants and wants.related_information))
