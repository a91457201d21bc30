"""What is generated is up to date, and what is written by hand can be followed: links, snippets, suppressions."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from generate import ADDRESS, PARTS, files
from pages import found_in, silenced
from synclint.lint.finding import Kind
from synclint.lint.home import HOME
from synclint.lint.rule import Rule, all_rules
from synclint.lint.settings.config import KEYS

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parent.parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
GUIDES = [file for file in DOCUMENTS if file.parent.name != "rules"]
RULES = [rule for rule in all_rules() if rule.kind is not Kind.META]
LINK = re.compile(r"\[[^\]`]*\]\(([^)]+)\)")


def test_nothing_is_out_of_date() -> None:
    stale = [file.name for file, text in files().items() if not file.exists() or file.read_text() != text]
    gone = {file.name for file in (ROOT / "docs" / "rules").glob("*.md")} - {f"{rule.name}.md" for rule in all_rules()}
    assert not stale, "run `python tests/docs/generate.py`"
    assert not gone, "run `python tests/docs/generate.py`"


def test_the_program_that_checks_from_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs/ci.md").read_text(encoding="utf-8"), re.S)
    (tmp_path / "src").mkdir()
    (tmp_path / "src/train.py").write_text(
        re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)[0]
    )
    monkeypatch.chdir(tmp_path)
    exec(program, {})
    assert [line.split()[1:4] for line in capsys.readouterr().out.splitlines()] == [
        ["11", "SYNC101", "error"],
        ["12", "SYNC104", "error"],
    ]


def test_nothing_else_spells_the_address() -> None:
    """What can import it does, and the generator writes the rest: a new owner is one line."""
    command = ["git", "ls-files", "-z", "--", ":!*/package-lock.json"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("no checkout: files of others may lie here, too")
    tracked = [ROOT / name for name in listed.stdout.split("\0") if name]
    texts = {file: file.read_bytes().decode("utf-8", "replace") for file in tracked if file.is_file()}
    spelled = {file for file, text in texts.items() if ADDRESS.search(text)}
    assert len(spelled) > 5
    assert spelled <= {*files()}


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.code)
def test_the_address_in_a_report_is_that_of_the_page(rule: Rule) -> None:
    found = found_in(ROOT / "examples" / rule.name / "hazard.py", rule) if rule in RULES else ()
    for finding in found:
        page = ROOT / finding.url.removeprefix(f"{HOME}/blob/main/")
        assert page.read_text().startswith(f"# {rule.code} {rule.name}\n")
    assert bool(found) is (rule in RULES)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_the_suppression_on_a_page_silences(rule: Rule) -> None:
    hazard = ROOT / "examples" / rule.name / "hazard.py"
    before = found_in(hazard, rule)
    statement, _, comment = silenced(rule).partition("  #")
    text = hazard.read_text()
    line = next(line for line in text.splitlines() if line.strip().startswith(statement) and rule.code in line)
    after = found_in(hazard, rule, text.replace(line, f"{line}  #{comment}", 1))
    assert len(after) < len(before)


def anchors(text: str) -> set[str]:
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in re.findall(r"(?m)^#+ (.+)$", text)}


@pytest.mark.parametrize("file", DOCUMENTS, ids=lambda file: file.name)
def test_links_lead_somewhere(file: Path) -> None:
    prose = re.sub(r"```.*?```", "", file.read_text(), flags=re.DOTALL)
    for link in LINK.findall(prose):
        if "://" in link:
            continue
        name, _, anchor = link.partition("#")
        target = (file.parent / name).resolve() if name else file
        assert target.exists(), link
        assert not anchor or anchor in anchors(target.read_text()), link


def test_every_guide_is_linked_from_the_first() -> None:
    linked = set(LINK.findall((ROOT / "docs" / "getting-started.md").read_text()))
    assert {file.name for file in (ROOT / "docs").glob("*.md")} - {"getting-started.md"} <= linked


def blocks(language: str) -> list[Any]:
    return list(_blocks(language))


def _blocks(language: str) -> Iterator[Any]:
    for file in GUIDES:
        for number, block in enumerate(re.findall(rf"(?m)^```{language}\n(.*?)^```", file.read_text(), re.DOTALL), 1):
            yield pytest.param(block, id=f"{file.name}-{number}")


@pytest.mark.parametrize("block", [each for each in blocks("toml") if "[project" not in each.values[0]])
def test_configurations_hold_no_wrong_key_or_value(block: str) -> None:
    keys = tomllib.loads(block)
    keys = keys.get("tool", {}).get("synclint", keys)
    assert keys
    for name, value in keys.items():
        KEYS[name].metadata["read"](value)


@pytest.mark.parametrize("block", blocks("python"))
def test_programs_are_python(block: str) -> None:
    is_row = block.startswith(" ")
    compile(f"(\n{block})" if is_row else block, "docs", "exec", dont_inherit=True)


@pytest.mark.parametrize("block", blocks("yaml"))
def test_files_of_services_are_yaml(block: str) -> None:
    yaml = pytest.importorskip("yaml", reason="PyYAML comes with pre-commit, in the extra `test`")
    assert yaml.safe_load(block)


def test_each_part_is_used() -> None:
    marks = {name for file in GUIDES for name in re.findall(r"<!-- ([a-z-]+) -->", file.read_text())}
    assert marks == set(PARTS)
