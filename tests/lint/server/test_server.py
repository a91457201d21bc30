"""The server as editors meet it: the real process, spoken to in the protocol."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from lsprotocol import types
from synclint.lint.home import HOME

if TYPE_CHECKING:
    from .conftest import Editor

pytestmark = pytest.mark.asyncio

ERROR, WARNING = types.DiagnosticSeverity.Error, types.DiagnosticSeverity.Warning

TRAIN = """\
import torch
from helpers import measure

model = torch.nn.Linear(3, 3).cuda()
for batch in torch.utils.data.DataLoader(torch.randn(9, 3), num_workers=2, pin_memory=True):
    loss = model(batch.cuda(non_blocking=True)).sum()
    measure(loss)
    print("größe 𝔾", loss.item())
"""
HELPERS = """\
def measure(value):
    return value.tolist()
"""


@pytest.fixture(autouse=True)
def project(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text("[tool.synclint]\n")
    (tmp_path / "train.py").write_text(TRAIN, encoding="utf-8")
    (tmp_path / "helpers.py").write_text(HELPERS)
    return tmp_path


def applied(text: str, edits: list[Any]) -> str:
    """The text with edits whose columns are in UTF-16, as an editor would make it."""
    for edit in sorted(edits, key=lambda each: (each.range.start.line, each.range.start.character), reverse=True):
        lines = [each.encode("utf-16-le") for each in text.splitlines(keepends=True)]
        start, end = edit.range.start, edit.range.end
        head, tail = lines[start.line][: start.character * 2], lines[end.line][end.character * 2 :]
        lines[start.line : end.line + 1] = [head + edit.new_text.encode("utf-16-le") + tail]
        text = b"".join(lines).decode("utf-16-le")
    return text


def on_command_line(folder: Path, name: str) -> list[tuple[str, int, int, str]]:
    """Code, row, column and severity of what `check` says of one file, notes as well."""
    words = [sys.executable, "-m", "synclint", "check", name, "--output-format", "json", "--no-cache"]
    report = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    rows = json.loads(report.stdout)
    return [(row["code"], row["location"]["row"], row["location"]["column"], row["severity"]) for row in rows]


def in_editor(diagnostics: list[types.Diagnostic]) -> list[tuple[str, int, int, str]]:
    """The same of diagnostics whose columns are code points."""
    words = {1: "error", 2: "warning", 3: "note"}
    return [
        (str(each.code), each.range.start.line + 1, each.range.start.character + 1, words[int(each.severity or 0)])
        for each in diagnostics
    ]


def codes(diagnostics: list[types.Diagnostic]) -> list[tuple[str, int]]:
    return [(str(each.code), each.range.start.line) for each in diagnostics]


async def test_says_what_the_command_line_says(editor: Editor) -> None:
    await editor.start(types.PositionEncodingKind.Utf32)
    for name in ("train.py", "helpers.py"):
        found = in_editor(await editor.open(name))
        assert found
        assert found == on_command_line(editor.folder, name)


async def test_a_diagnostic_names_its_rule_and_its_reasons(editor: Editor) -> None:
    await editor.start()
    (item,) = [each for each in await editor.open("train.py") if each.range.start.line == 7]
    assert (item.source, item.severity) == ("synclint", types.DiagnosticSeverity.Error)
    assert item.code_description is not None
    assert item.code_description.href.startswith(HOME)
    related = item.related_information or []
    assert {each.location.uri for each in related} == {editor.uri("train.py")}
    assert {each.location.range.start.line for each in related} == {4, 5}


async def test_reasons_are_left_out_where_they_cannot_be_shown(editor: Editor) -> None:
    await editor.start(capabilities=types.ClientCapabilities())
    assert all(each.related_information is None for each in await editor.open("train.py"))
    assert editor.client.registered == []


@pytest.mark.parametrize(
    ("encoding", "column"),
    [(None, 22), (types.PositionEncodingKind.Utf32, 21), (types.PositionEncodingKind.Utf8, 26)],
)
async def test_columns_are_counted_as_agreed(
    editor: Editor, encoding: types.PositionEncodingKind | None, column: int
) -> None:
    """Before `loss.item()` stand an ö, an ß and a letter beyond the first plane."""
    await editor.start(*([encoding] if encoding else []))
    (item,) = [each for each in await editor.open("train.py") if each.range.start.line == 7]
    assert item.range.start.character == column
    assert "loss.item()" in await editor.hover("train.py", 7, column + 6)


async def test_unsaved_text_is_what_counts(editor: Editor) -> None:
    await editor.start()
    before = codes(await editor.open("train.py"))
    assert ("SYNC101", 7) in before
    assert ("SYNC101", 7) not in codes(await editor.change("train.py", TRAIN.replace("loss.item()", "1")))
    assert ("SYNC101", 8) in codes(await editor.change("train.py", "\n" + TRAIN))
    ignored = TRAIN.replace("loss.item())", "loss.item())  # synclint: ignore[SYNC101] shown to people")
    assert ("SYNC101", 7) not in codes(await editor.change("train.py", ignored))


async def test_only_the_last_of_many_changes_counts(editor: Editor) -> None:
    await editor.start()
    await editor.open("train.py")
    for end in range(len(TRAIN) - 30, len(TRAIN)):
        editor.type("train.py", TRAIN[:end])
    assert codes(await editor.change("train.py", TRAIN)) == [("SYNC101", 7)]


async def test_open_documents_are_seen_in_the_light_of_each_other(editor: Editor) -> None:
    await editor.start()
    editor.send("train.py")
    assert codes(await editor.open("helpers.py")) == [("SYNC102", 1)]
    editor.type("train.py", TRAIN.replace(".cuda()", ".cpu()").replace("batch.cuda(non_blocking=True)", "batch"))
    assert await editor.next("helpers.py") == []


async def test_a_file_that_changes_on_disk_changes_others(editor: Editor) -> None:
    await editor.start()
    assert [each.severity for each in await editor.open("helpers.py")] == [ERROR]
    (registration,) = editor.client.registered
    assert registration.method == types.WORKSPACE_DID_CHANGE_WATCHED_FILES
    (editor.folder / "train.py").unlink()
    assert [each.severity for each in await editor.changed_on_disk("train.py", "helpers.py")] == [WARNING]
    (editor.folder / "train.py").write_text(TRAIN, encoding="utf-8")
    assert [each.severity for each in await editor.save("helpers.py")] == [ERROR]


async def test_closing_takes_the_diagnostics_away(editor: Editor) -> None:
    await editor.start()
    assert await editor.open("train.py")
    document = types.TextDocumentIdentifier(editor.uri("train.py"))
    editor.client.text_document_did_close(types.DidCloseTextDocumentParams(document))
    assert await editor.next("train.py") == []
    assert await editor.hover("train.py", 7, 24) == ""
    assert codes(await editor.open("train.py")) == [("SYNC101", 7)]


async def test_the_configuration_is_read_when_it_changes(editor: Editor) -> None:
    await editor.start()
    assert codes(await editor.open("train.py")) == [("SYNC101", 7)]
    settings = editor.folder / "pyproject.toml"
    settings.write_text('[tool.synclint]\nignore = ["SYNC101"]\n')
    assert await editor.changed_on_disk("pyproject.toml", "train.py") == []
    settings.write_text('[tool.synclint]\nignore = ["SYNC999"]\n')
    editor.type("train.py", TRAIN)
    assert "there is no rule `SYNC999`" in await editor.message()
    settings.write_text("[tool.synclint]\nseverty = 1\n")
    editor.type("train.py", TRAIN)
    assert "unknown key `severty`" in await editor.message()
    settings.write_text('[tool.synclint.severity]\nSYNC101 = "note"\n')
    (item,) = await editor.change("train.py", TRAIN)
    assert item.severity is types.DiagnosticSeverity.Information


async def test_each_folder_has_its_own_settings(editor: Editor) -> None:
    for name, ignored in (("one", '"SYNC101"'), ("two", "")):
        (editor.folder / name).mkdir()
        (editor.folder / name / "synclint.toml").write_text(f"ignore = [{ignored}]\n")
        (editor.folder / name / "train.py").write_text(TRAIN, encoding="utf-8")
    await editor.start(folders=("one", "two"))
    assert await editor.open("one/train.py") == []
    assert codes(await editor.open("two/train.py")) == [("SYNC101", 7)]


async def test_nested_configurations_are_those_of_the_command_line(editor: Editor, project: Path) -> None:
    (project / ".git").mkdir()
    (project / "inner").mkdir()
    (project / "inner/synclint.toml").write_text('severity = { SYNC101 = "note" }\n')
    (project / "inner/train.py").write_text(TRAIN.replace("helpers", "measures"), encoding="utf-8")
    (project / "inner/measures.py").write_text(HELPERS)
    await editor.start(types.PositionEncodingKind.Utf32)
    for name in ("train.py", "inner/train.py"):
        found = in_editor(await editor.open(name))
        assert found == on_command_line(editor.folder, name)
    assert ("SYNC101", 8, 22, "note") in found


async def test_excluded_files_and_what_the_baseline_knows_are_left_alone(editor: Editor) -> None:
    await editor.start()
    assert await editor.open("train.py")
    words = [sys.executable, "-m", "synclint", "check", ".", "--write-baseline"]
    subprocess.run(words, cwd=editor.folder, check=False, capture_output=True)
    assert await editor.save("train.py") == []
    (editor.folder / ".synclint-baseline.json").write_text("{")
    editor.send_save("train.py")
    assert "is not JSON" in await editor.message()
    (editor.folder / ".synclint-baseline.json").unlink()
    assert await editor.save("train.py")
    (editor.folder / "pyproject.toml").write_text('[tool.synclint]\nexclude = ["train.py"]\n')
    assert await editor.save("train.py") == []


async def test_broken_code_keeps_what_was_found_where_it_moved(editor: Editor) -> None:
    await editor.start()
    await editor.open("train.py")
    broken = TRAIN.replace("import torch\n", "import torch\n\nx = (1,\n")
    assert sorted(codes(await editor.change("train.py", broken))) == [("SYNC101", 9), ("SYNC902", 2)]
    assert "loss.item()" in await editor.hover("train.py", 9, 28)
    assert sorted(codes(await editor.change("train.py", TRAIN + "def"))) == [("SYNC101", 7), ("SYNC902", 8)]
    assert codes(await editor.change("train.py", TRAIN.replace("loss.item()", "loss.it("))) == [("SYNC902", 7)]
    assert codes(await editor.change("train.py", TRAIN)) == [("SYNC101", 7)]


@pytest.mark.parametrize(
    "text",
    [
        "import torch\n\0",
        "import torch\n# \udc00\nx = torch.ones(3).cuda().item('\udc00')\n",
        "# -*- coding: klingon -*-\nimport torch\n",
        "import torch\nx = " + "(" * 5000 + ")" * 5000,
        "import torch\nx = " + "-" * 20_000 + "1\n",
        "import torch\n" + "".join(f"{' ' * n}if x:\n" for n in range(150)),
    ],
    ids=["null", "surrogate", "coding", "parentheses", "deep", "indented"],
)
async def test_strange_text_is_survived(editor: Editor, text: str) -> None:
    await editor.start()
    await editor.open("helpers.py", text)
    assert codes(await editor.change("helpers.py", "import torch\ntorch.ones(3).cuda().item(\n"))[-1:] == [
        ("SYNC902", 1)
    ]
    assert codes(await editor.change("helpers.py", HELPERS)) == [("SYNC102", 1)]


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are text")
async def test_names_and_texts_that_are_not_utf_8(editor: Editor) -> None:
    uri = f"{editor.folder.as_uri()}/caf%E9.py"
    text = TRAIN.replace("größe", r"\ud800")
    Path(os.fsdecode(os.fsencode(editor.folder) + b"/caf\xe9.py")).write_text(TRAIN, encoding="utf-8")
    await editor.start()
    found = await editor.open(uri, text)
    assert codes(found) == [("SYNC101", 7)]
    assert "loss.item()" in await editor.hover(uri, 7, 30)
    (action,) = await editor.actions(uri, found[0].range)
    assert action.edit is not None
    assert list(action.edit.changes or {}) == [uri]


async def test_a_big_file(editor: Editor) -> None:
    await editor.start()
    text = TRAIN + "".join(f"def f{n}(x):\n    return x.sum() * {n}\n\n" for n in range(8_000))
    assert codes(await editor.open("train.py", text)) == [("SYNC101", 7)]


async def test_form_feeds_are_no_line_ends(editor: Editor) -> None:
    await editor.start()
    await editor.open("train.py")
    text = TRAIN.replace("import torch\n", "import torch\n\x0c\nx = '\x1c\u2028'\r\n")
    assert codes(await editor.change("train.py", text)) == [("SYNC101", 9)]


@pytest.mark.parametrize("encoding", [None, types.PositionEncodingKind.Utf32, types.PositionEncodingKind.Utf8])
async def test_what_is_sent_in_pieces_is_what_was_typed(
    editor: Editor, encoding: types.PositionEncodingKind | None
) -> None:
    await editor.start(*([encoding] if encoding else []))
    (item,) = [each for each in await editor.open("train.py") if each.range.start.line == 7]
    place = types.Range(item.range.start, item.range.start)
    editor.edit("train.py", (place, "\x0c'𝔾'; "), (types.Range(types.Position(0, 0), types.Position(1, 0)), "\r\n"))
    changed = TRAIN.replace("loss.item()", "\x0c'𝔾'; loss.item()").replace("import torch\n", "\r\n")
    before = await editor.next("train.py")
    assert await editor.change("train.py", changed) == before


async def test_files_that_are_not_there(editor: Editor) -> None:
    await editor.start()
    assert codes(await editor.open("new.py", TRAIN)) == [("SYNC101", 7)]
    assert codes(await editor.open("away/new.py", TRAIN)) == [("SYNC101", 7)]
    assert codes(await editor.open("untitled:Untitled-1", TRAIN)) == [("SYNC101", 7)]
    (editor.folder / "helpers.py").unlink()
    assert codes(await editor.open("helpers.py", HELPERS)) == [("SYNC102", 1)]


async def test_what_is_no_python_gets_no_answer(editor: Editor) -> None:
    await editor.start()
    editor.send("pyproject.toml", language="toml")
    editor.send("git:/train.py?HEAD", TRAIN)
    editor.send("vscode-notebook-cell:/train.ipynb#1", TRAIN)
    assert await editor.open("train.py")
    assert editor.client.found.empty()
    assert await editor.hover("git:/train.py?HEAD", 7, 24) == ""
    assert await editor.actions("pyproject.toml", types.Range(types.Position(0, 0), types.Position(9, 0))) == []


async def test_hover_tells_what_is_known_and_why(editor: Editor) -> None:
    await editor.start()
    await editor.open("train.py")
    text = await editor.hover("train.py", 7, 24)
    assert "SYNC101" in text
    assert "every step" in text
    assert "gpu" in await editor.hover("train.py", 5, 5)
    assert await editor.hover("train.py", 2, 0) == ""
    await editor.open("helpers.py")
    parameter = await editor.hover("helpers.py", 1, 13)
    assert "gpu" in parameter
    assert "every step" in parameter


async def test_a_suppression_is_offered_and_lints_clean(editor: Editor) -> None:
    (editor.folder / "pyproject.toml").write_text("[tool.synclint]\nrequire-reason = true\n")
    await editor.start()
    (item,) = await editor.open("train.py")
    cursor = types.Range(item.range.start, item.range.start)
    assert await editor.actions("train.py", cursor, "refactor") == []
    (action,) = await editor.actions("train.py", cursor, "quickfix")
    assert list(action.diagnostics or ()) == [item]
    assert action.edit is not None
    assert action.edit.changes is not None
    text = applied(TRAIN, list(action.edit.changes[editor.uri("train.py")]))
    assert text.splitlines()[7].endswith("loss.item())  # synclint: ignore[SYNC101] TODO: say why")
    assert await editor.change("train.py", text) == []
    (editor.folder / "train.py").write_text(text, encoding="utf-8")
    assert on_command_line(editor.folder, "train.py") == []


async def test_a_header_gets_its_suppression_on_a_line_of_its_own(editor: Editor) -> None:
    await editor.start()
    text = TRAIN + "    if (loss > 3): print('𝔾', loss.item())\r\n"
    found = await editor.open("train.py", text)
    for item in [each for each in found if each.range.start.line == 8]:
        wanted = await editor.actions("train.py", item.range)
        action = next(each for each in wanted if item in (each.diagnostics or ()))
        assert action.edit is not None
        assert action.edit.changes is not None
        text_after = applied(text, list(action.edit.changes[editor.uri("train.py")]))
        assert (item.code, 8) not in codes(await editor.change("train.py", text_after))
        assert (item.code, 9) not in codes(await editor.change("train.py", text_after))
        await editor.change("train.py", text)


async def test_fixes_are_offered_and_do_what_the_command_line_does(editor: Editor) -> None:
    await editor.start()
    text = (
        TRAIN
        + "    a, ä = torch.tensor(1.0, device='cuda'), torch.zeros(3).cuda()\n    assert (loss > 0).all(), 'größe'\n"
    )
    found = {(each.code, each.range.start.character): each for each in await editor.open("train.py", text)}
    (editor.folder / "train.py").write_text(text, encoding="utf-8")
    offered = []
    for item in found.values():
        offered += [each for each in await editor.actions("train.py", item.range, "quickfix") if _fixes(each, item)]
    assert [(each.title.partition(" (")[0], each.is_preferred) for each in offered] == [
        ("Fill a tensor with the number", True),
        ("Pass `device=` to `zeros`", True),
        ("Assert on the device", None),
    ]
    assert "(unsafe: " in offered[-1].title
    (everything,) = await editor.actions("train.py", next(iter(found.values())).range, "source.fixAll")
    by_editor = applied(text, _edits_of(everything, editor))
    words = [sys.executable, "-m", "synclint", "check", "train.py", "--fix-only", "--no-cache"]
    subprocess.run(words, cwd=editor.folder, check=True)
    assert (editor.folder / "train.py").read_text(encoding="utf-8") == by_editor
    assert by_editor.splitlines()[8:] == [
        "    a, ä = torch.full((), 1.0, device='cuda'), torch.zeros(3, device=\"cuda\")",
        "    assert (loss > 0).all(), 'größe'",
    ]
    unsafe = applied(by_editor, _edits_of(offered[-1], editor))
    assert unsafe.splitlines()[-1] == "    torch._assert_async((loss > 0).all(), 'größe')"
    assert len(await editor.change("train.py", unsafe)) == len(found) - 3


def _fixes(action: types.CodeAction, item: types.Diagnostic) -> bool:
    return list(action.diagnostics or ()) == [item] and not action.title.startswith("Suppress")


def _edits_of(action: types.CodeAction, editor: Editor) -> list[Any]:
    assert action.edit is not None
    assert action.edit.changes is not None
    return list(action.edit.changes[editor.uri("train.py")])


async def test_fixes_of_a_text_in_pieces_are_made_where_it_is_now(editor: Editor) -> None:
    await editor.start()
    await editor.open("train.py")
    top = types.Position(0, 0)
    editor.edit("train.py", (types.Range(top, top), "# 𝔾\r\n"))
    (item,) = [each for each in await editor.next("train.py") if each.code == "SYNC101"]
    (suppress,) = [each for each in await editor.actions("train.py", item.range) if "SYNC101" in each.title]
    assert "SYNC101" not in dict(
        codes(await editor.change("train.py", applied("# 𝔾\r\n" + TRAIN, _edits_of(suppress, editor))))
    )


async def test_errors_of_our_own_end_nothing(editor: Editor) -> None:
    """A file that stands where the cache should be, and a folder where a file should be."""
    Path(os.environ["XDG_CACHE_HOME"], "synclint").write_text("")
    (editor.folder / "helpers.py").unlink()
    (editor.folder / "helpers.py").mkdir()
    await editor.start()
    assert codes(await editor.open("train.py")) == [("SYNC101", 7)]


@pytest.mark.parametrize("name", ["x" * 253 + ".py", "d" * 300 + "/e.py", "y/" * 3000 + "z.py", "nul%00l.py"])
async def test_a_name_that_no_file_can_have_ends_nothing(editor: Editor, name: str) -> None:
    """Neither as a document of the project nor as one of its own."""
    await editor.start()
    for place in (editor.folder.as_uri(), editor.folder.parent.as_uri()):
        editor.send(f"{place}/{name}", "import torch\n")
    assert codes(await editor.open("train.py")) == [("SYNC101", 7)]
    assert codes(await editor.change("train.py", TRAIN + "\n")) == [("SYNC101", 7)]


async def test_the_extra_is_named_where_it_is_missing(project: Path) -> None:
    (project / "pygls.py").write_text("raise ImportError")
    words = [sys.executable, "-c", "import sys; sys.path.insert(0, '.'); from synclint.lint.cli import main; main()"]
    ended = subprocess.run([*words, "server"], cwd=project, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (2, "")
    needed = "the language server needs pygls and lsprotocol: pip install 'pygls>=2,<3' lsprotocol"
    assert ended.stderr == f"synclint: {needed}\n"


async def test_the_guide_starts_what_is_tested_here() -> None:
    """What it tells VS Code and Neovim to start is a command of ours, with arguments it takes."""
    root = Path(__file__).parents[3]
    guide = (root / "docs" / "editors.md").read_text()
    extension = json.loads((root / "editors/vscode/package.json").read_text())["contributes"]["configuration"]
    assert "`synclint.command`" in guide
    command = [*extension["properties"]["synclint.command"]["default"], "server"]
    assert command == ["synclint", "server"]
    assert "cmd = { " + ", ".join(map(json.dumps, command)) + " }" in guide
