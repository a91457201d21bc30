"""What the server answers and hears: changes of documents, questions about a position, requests for actions."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from lsprotocol import types

from ..fix.lookup import Lookup
from .actions import actions, all_fixes, as_shown
from .checker import covers
from .hover import hover
from .positions import Positions
from .server import JUPYTER, Server
from .texts import keep

WATCHED: Final = (
    "**/*.{py,pyi,ipynb}",
    "**/{synclint,pyproject}.toml",
    "**/requirements*.txt",
    "**/.gitignore",
    "**/.synclint-baseline.json",
)
"""Files whose changes may affect what is found in others."""


def server(cache: Path | None = None) -> Server:
    """Return a server with all that it answers; `cache` is where analyses are kept instead of in the projects."""
    made = Server(cache)
    made.feature(types.INITIALIZED)(_initialized)
    made.feature(types.TEXT_DOCUMENT_DID_OPEN)(_opened)
    made.feature(types.TEXT_DOCUMENT_DID_CHANGE)(_changed)
    made.feature(types.TEXT_DOCUMENT_DID_SAVE)(_looked_again)
    made.feature(types.TEXT_DOCUMENT_DID_CLOSE)(_closed)
    made.feature(types.NOTEBOOK_DOCUMENT_DID_OPEN)(_notebook_opened)
    made.feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)(_notebook_changed)
    made.feature(types.NOTEBOOK_DOCUMENT_DID_SAVE)(_looked_again)
    made.feature(types.NOTEBOOK_DOCUMENT_DID_CLOSE)(_notebook_closed)
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
    document = params.text_document
    name = ls.name_of(document.uri, False, document.language_id == "python")
    if name is not None:
        keep(ls.workspace, document.uri)
        ls.opened[document.uri] = name
        ls.ask(look_again=True)


def _changed(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
    if params.text_document.uri in ls.opened:
        ls.ask()


def _notebook_opened(ls: Server, params: types.DidOpenNotebookDocumentParams) -> None:
    document = params.notebook_document
    name = ls.name_of(document.uri, True, document.notebook_type == JUPYTER)
    if name is not None:
        for each in params.cell_text_documents:
            keep(ls.workspace, each.uri)
        ls.opened[document.uri] = name
        ls.ask(look_again=True)


def _notebook_changed(ls: Server, params: types.DidChangeNotebookDocumentParams) -> None:
    structure = params.change.cells.structure if params.change.cells else None
    for each in (structure.did_open if structure else None) or ():
        keep(ls.workspace, each.uri)
    if params.notebook_document.uri in ls.opened:
        ls.ask()


def _looked_again(ls: Server, _: object) -> None:
    ls.ask(look_again=True)


def _closed(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
    ls.close(params.text_document.uri)
    ls.ask(look_again=True)


def _notebook_closed(ls: Server, params: types.DidCloseNotebookDocumentParams) -> None:
    ls.close(params.notebook_document.uri)
    ls.ask(look_again=True)


async def _hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
    place = ls.place(params.text_document.uri)
    if place is None:
        return None
    document, part = place
    positions = Positions(document.lines, ls.encoding, part.first)
    row, column = positions.row(params.position), positions.column(params.position)
    known = await ls.in_thread(lambda: ls.checker.known(document, row, column))
    answer = ls.answer(document)
    findings = answer.findings if answer else ()
    text = hover([each for each in findings if covers(each.span, row, column)], known, ls.uri_of)
    if not text:
        return None
    region = positions.range_of(known.span) if known else None
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), region)


def _actions(ls: Server, params: types.CodeActionParams) -> Sequence[types.CodeAction] | None:
    """Return the actions for the diagnostics in the range, as far as they are about the current text."""
    uri, only = params.text_document.uri, params.context.only
    document = ls.document(uri)
    answer = ls.answer(document) if document else None
    if document is None or answer is None:
        return None
    fixes = Lookup(answer.findings, lambda _: as_shown(document)).fix
    found: list[types.CodeAction] = []
    if _asks(only, types.CodeActionKind.QuickFix):
        both = [
            (finding, diagnostic)
            for finding, diagnostic in zip(answer.findings, ls.shown(answer))
            if document.part(finding.span.row).uri == uri and _meets(diagnostic.range, params.range)
        ]
        found += actions(document, [each for each, _ in both], [each for _, each in both], ls.encoding, fixes)
    if only and _asks(only, types.CodeActionKind.SourceFixAll):
        found += all_fixes(document, answer.findings, ls.encoding, fixes)
    return found


def _asks(only: Sequence[types.CodeActionKind | str] | None, kind: types.CodeActionKind) -> bool:
    """Whether the editor asks for actions of a kind: for all kinds, or for one that includes it."""
    return not only or any(f"{kind.value}.".startswith(f"{getattr(each, 'value', each)}.") for each in only)


def _meets(one: types.Range, other: types.Range) -> bool:
    """Whether two regions overlap; a cursor's may be the end of the other."""
    return _pair(one.start) <= _pair(other.end) and _pair(other.start) <= _pair(one.end)


def _pair(place: types.Position) -> tuple[int, int]:
    return place.line, place.character
