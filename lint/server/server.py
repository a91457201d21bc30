"""The conversation with the editor: what is open, what was found there, and what is known about a position.

Documents are checked in one thread, one round after another. A round covers all open ones, since each is seen in the
light of the others; what is typed meanwhile is left for the next round.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, TypeVar
from urllib.parse import urlsplit

from lsprotocol import types
from pygls import uris
from pygls.lsp.server import LanguageServer

from ... import __version__
from ..files.source import Source, parse
from ..fix.lookup import Lookup
from ..output.locations import uri
from ..output.text import escape
from .actions import actions, all_fixes
from .checker import Answer, Answers, Checker, covers
from .diagnostics import diagnostics
from .documents import Document
from .hover import hover
from .positions import Positions

DELAY: Final = 0.1
"""The seconds without a change before a round begins, so that a word is not checked letter by letter."""

WATCHED: Final = (
    "**/*.{py,pyi,ipynb}",
    "**/{synclint,pyproject}.toml",
    "**/requirements*.txt",
    "**/.gitignore",
    "**/.synclint-baseline.json",
)
"""Files whose changes may affect what is found in others."""

T = TypeVar("T")


class Server(LanguageServer):
    """The language server.

    Every change carries the whole text: pygls splits lines where the protocol does not, at a form feed for instance,
    and would apply partial changes to the wrong line.
    """

    def __init__(self, cache: Path | None = None) -> None:
        super().__init__("synclint", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Full)
        self.checker = Checker(cache)
        self.opened: dict[str, str] = {}
        self.answers: dict[str, Answer] = {}
        self._thread = ThreadPoolExecutor(1, "check")
        self._asked = asyncio.Event()
        self._look_again = False
        self._rounds: asyncio.Task[None] | None = None
        self._complaints: set[str] = set()

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
        """Return the document as it is now; None if it is not open, or there is nothing to check."""
        if uri not in self.opened:
            return None
        found = self.workspace.get_text_document(uri)
        return Document(uri, self.opened[uri], found.version, found.source)

    def name_of(self, document: types.TextDocumentItem) -> str | None:
        """Return the file of a document, saved or not; None if it is not Python, or an older state of a file."""
        scheme = urlsplit(document.uri).scheme
        path = uris.to_fs_path(document.uri) if scheme == "file" else None
        if path is not None:
            return path if document.language_id == "python" or path.endswith((".py", ".pyi")) else None
        if scheme != "untitled" or document.language_id != "python":
            return None
        folder = next((uris.to_fs_path(each) for each in self.workspace.folders), None) or os.getcwd()
        return os.path.join(folder, os.path.basename(urlsplit(document.uri).path) or "untitled")

    def uri_of(self, name: str) -> str:
        """Return the name of a file in the protocol: for an open document, the one the editor uses."""
        path = os.path.abspath(name)
        return next((uri for uri, opened in self.opened.items() if opened == path), None) or uri(path)

    @property
    def encoding(self) -> str:
        """The unit of columns, as agreed with the editor."""
        return types.PositionEncodingKind(self.server_capabilities.position_encoding or "utf-16").value

    def close(self, uri: str) -> None:
        """Forget a document that is no longer open."""
        if self.opened.pop(uri, None) is not None:
            self.answers.pop(uri, None)
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    async def _work(self) -> None:
        """Run round after round; an internal error ends a round, not the server."""
        while True:
            await self._asked.wait()
            while self._asked.is_set():
                self._asked.clear()
                await asyncio.sleep(DELAY)
            try:
                await self._round()
            except Exception as error:
                self._look_again = True
                self._complain({f"internal error: {type(error).__name__}: {error}"})

    async def _round(self) -> None:
        documents = [each for uri in self.opened if (each := self.document(uri)) is not None]
        look_again, self._look_again = self._look_again, False
        self._tell(await self.in_thread(lambda: self.checker.check(documents, look_again)))

    def _tell(self, answers: Answers) -> None:
        for each in answers.found:
            if each.document.uri in self.opened:
                self.answers[each.document.uri] = each
                found = types.PublishDiagnosticsParams(each.document.uri, self.shown(each), each.document.version)
                self.text_document_publish_diagnostics(found)
        self._complain(set(answers.complaints))

    def _complain(self, complaints: set[str]) -> None:
        """Report what is wrong, once as long as it stays wrong."""
        for each in sorted(complaints - self._complaints):
            self.window_show_message(types.ShowMessageParams(types.MessageType.Error, f"synclint: {escape(each)}"))
        self._complaints = complaints

    def shown(self, answer: Answer) -> list[types.Diagnostic]:
        """Return the diagnostics of a document."""
        wants = self.client_capabilities.text_document and self.client_capabilities.text_document.publish_diagnostics
        return diagnostics(answer, self.encoding, self.uri_of, bool(wants and wants.related_information))


def server(cache: Path | None = None) -> Server:
    """Return a server with all that it answers; `cache` is where analyses are kept instead of in the projects."""
    made = Server(cache)
    made.feature(types.INITIALIZED)(_initialized)
    made.feature(types.TEXT_DOCUMENT_DID_OPEN)(_opened)
    made.feature(types.TEXT_DOCUMENT_DID_CHANGE)(_changed)
    made.feature(types.TEXT_DOCUMENT_DID_SAVE)(_looked_again)
    made.feature(types.TEXT_DOCUMENT_DID_CLOSE)(_closed)
    made.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(_looked_again)
    made.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)(_looked_again)
    made.feature(types.TEXT_DOCUMENT_HOVER)(_hover)
    kinds = types.CodeActionOptions([types.CodeActionKind.QuickFix, types.CodeActionKind.SourceFixAll])
    made.feature(types.TEXT_DOCUMENT_CODE_ACTION, kinds)(_actions)
    return made


async def _initialized(ls: Server, _: types.InitializedParams) -> None:
    """Ask to be told when files change; editors that cannot do that only report what they open and save."""
    workspace = ls.client_capabilities.workspace
    watching = workspace.did_change_watched_files if workspace else None
    if watching is None or not watching.dynamic_registration:
        return
    watchers = [types.FileSystemWatcher(each) for each in WATCHED]
    options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
    wanted = types.Registration("watched", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
    with contextlib.suppress(Exception):
        await ls.client_register_capability_async(types.RegistrationParams([wanted]))


def _opened(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
    name = ls.name_of(params.text_document)
    if name is not None:
        ls.opened[params.text_document.uri] = name
        ls.ask(look_again=True)


def _changed(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
    if params.text_document.uri in ls.opened:
        ls.ask()


def _looked_again(ls: Server, _: object) -> None:
    ls.ask(look_again=True)


def _closed(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
    ls.close(params.text_document.uri)
    ls.ask(look_again=True)


async def _hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
    document = ls.document(params.text_document.uri)
    if document is None:
        return None
    row, column = params.position.line + 1, Positions(document.lines, ls.encoding).column(params.position)
    known = await ls.in_thread(lambda: ls.checker.known(document, row, column))
    answer = ls.answers.get(document.uri)
    findings = answer.findings if answer and answer.document.text == document.text else ()
    text = hover([each for each in findings if covers(each.span, row, column)], known, ls.uri_of)
    if not text:
        return None
    place = Positions(document.lines, ls.encoding).range_of(known.span) if known else None
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), place)


def _actions(ls: Server, params: types.CodeActionParams) -> Sequence[types.CodeAction] | None:
    """Return the actions for the diagnostics in the range, as far as they are about the current text."""
    document, answer = ls.document(params.text_document.uri), ls.answers.get(params.text_document.uri)
    only = params.context.only
    if document is None or answer is None or answer.document.text != document.text:
        return None
    fixes = Lookup(answer.findings, lambda _: _source(document)).fix
    found: list[types.CodeAction] = []
    if _asks(only, types.CodeActionKind.QuickFix):
        both = [each for each in zip(answer.findings, ls.shown(answer)) if _meets(each[1].range, params.range)]
        found += actions(document, [each for each, _ in both], [each for _, each in both], ls.encoding, fixes)
    if only and _asks(only, types.CodeActionKind.SourceFixAll):
        found += all_fixes(document, answer.findings, ls.encoding, fixes)
    return found


def _asks(only: Sequence[types.CodeActionKind | str] | None, kind: types.CodeActionKind) -> bool:
    """Whether the editor asks for actions of a kind: for all kinds, or for one that includes it."""
    return not only or any(f"{kind.value}.".startswith(f"{getattr(each, 'value', each)}.") for each in only)


def _source(document: Document) -> Source | None:
    """Return the document as it is now, if it is Python whose lines are those that the editor counts."""
    source = parse(document.data, document.name, named=True)
    return source if isinstance(source, Source) and source.lines == document.lines else None


def _meets(one: types.Range, other: types.Range) -> bool:
    """Whether two regions overlap; a cursor's may be the end of the other."""
    return _pair(one.start) <= _pair(other.end) and _pair(other.start) <= _pair(one.end)


def _pair(place: types.Position) -> tuple[int, int]:
    return place.line, place.character
