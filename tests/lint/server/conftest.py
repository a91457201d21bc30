"""An editor that talks to the real server, in a process of its own."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient

SECONDS = 30


def _everything(encodings: list[types.PositionEncodingKind]) -> types.ClientCapabilities:
    return types.ClientCapabilities(
        general=types.GeneralClientCapabilities(position_encodings=encodings or None),
        workspace=types.WorkspaceClientCapabilities(
            did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True),
        ),
        text_document=types.TextDocumentClientCapabilities(
            publish_diagnostics=types.PublishDiagnosticsClientCapabilities(
                related_information=True, version_support=True, code_description_support=True
            ),
        ),
    )


class Client(LanguageClient):
    """Keeps what the server says of its own accord, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.found: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        self.said: asyncio.Queue[str] = asyncio.Queue()
        self.registered: list[types.Registration] = []


def new_client() -> Client:
    client = Client()

    @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def found(params: types.PublishDiagnosticsParams) -> None:
        client.found.put_nowait(params)

    @client.feature(types.WINDOW_SHOW_MESSAGE)
    def said(params: types.ShowMessageParams) -> None:
        client.said.put_nowait(params.message)

    @client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def registered(params: types.RegistrationParams) -> None:
        client.registered += params.registrations

    return client


@dataclass
class Editor:
    """An editor with a few documents; every request for diagnostics waits for those of the text it has just sent."""

    client: Client
    folder: Path
    versions: dict[str, int] = field(default_factory=dict)

    def uri(self, name: str) -> str:
        return name if ":" in name else (self.folder / name).as_uri()

    async def start(
        self,
        *encodings: types.PositionEncodingKind,
        folders: tuple[str, ...] = (".",),
        capabilities: types.ClientCapabilities | None = None,
    ) -> None:
        """Begin the conversation; without `capabilities`, as an editor that knows all that the server makes use of."""
        places = [types.WorkspaceFolder(self.uri(each), each) for each in folders]
        abilities = capabilities or _everything(list(encodings))
        await self.client.initialize_session(types.InitializeParams(abilities, workspace_folders=places))

    async def open(self, name: str, text: str | None = None, language: str = "python") -> list[types.Diagnostic]:
        self.send(name, text, language)
        return await self.next(name)

    def send(self, name: str, text: str | None = None, language: str = "python") -> None:
        """Open a document without waiting for an answer."""
        text = (self.folder / name).read_text(encoding="utf-8") if text is None else text
        self.versions[name] = 0
        item = types.TextDocumentItem(self.uri(name), language, 0, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def type(self, name: str, text: str) -> None:
        self.versions[name] += 1
        document = types.VersionedTextDocumentIdentifier(self.versions[name], self.uri(name))
        changes = [types.TextDocumentContentChangeWholeDocument(text)]
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, changes))

    def edit(self, name: str, *edits: tuple[types.Range, str]) -> None:
        """Send only what changes, each edit in the text after those before it."""
        self.versions[name] += 1
        document = types.VersionedTextDocumentIdentifier(self.versions[name], self.uri(name))
        changes = [types.TextDocumentContentChangePartial(place, text) for place, text in edits]
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, changes))

    async def change(self, name: str, text: str) -> list[types.Diagnostic]:
        self.type(name, text)
        return await self.next(name)

    async def save(self, name: str) -> list[types.Diagnostic]:
        self.send_save(name)
        return await self.next(name)

    def send_save(self, name: str) -> None:
        identifier = types.TextDocumentIdentifier(self.uri(name))
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(identifier))

    async def changed_on_disk(self, name: str, of: str) -> list[types.Diagnostic]:
        event = types.FileEvent(self.uri(name), types.FileChangeType.Changed)
        self.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
        return await self.next(of)

    async def next(self, name: str) -> list[types.Diagnostic]:
        """The next diagnostics of this document as it is now; others are passed over."""
        while True:
            found = await asyncio.wait_for(self.client.found.get(), SECONDS)
            if found.uri == self.uri(name) and found.version in (None, self.versions[name]):
                return list(found.diagnostics)

    async def message(self) -> str:
        return await asyncio.wait_for(self.client.said.get(), SECONDS)

    async def hover(self, name: str, line: int, character: int) -> str:
        place = types.Position(line, character)
        found = await self.client.text_document_hover_async(
            types.HoverParams(types.TextDocumentIdentifier(self.uri(name)), place)
        )
        assert found is None or isinstance(found.contents, types.MarkupContent)
        return found.contents.value if found else ""

    async def actions(self, name: str, place: types.Range, *kinds: str) -> list[types.CodeAction]:
        context = types.CodeActionContext([], only=list(kinds) or None)
        found = await self.client.text_document_code_action_async(
            types.CodeActionParams(types.TextDocumentIdentifier(self.uri(name)), place, context)
        )
        return [each for each in found or [] if isinstance(each, types.CodeAction)]


@pytest_lsp.fixture(
    config=ClientServerConfig(
        server_command=[sys.executable, "-m", "synclint", "server", "--stdio"],
        client_factory=new_client,
        server_env=dict(os.environ, PYTHONSAFEPATH="1"),
    )
)
async def client(lsp_client: Client) -> AsyncIterator[None]:
    yield
    await lsp_client.shutdown_session()


@pytest.fixture
def editor(client: Client, tmp_path: Path) -> Editor:
    """Not yet started, so that a test can choose what the editor is capable of."""
    return Editor(client, tmp_path)
