"""Which plugins are used, and which are refused, each with one line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from synclint.lint.plugins import known, trust
from synclint.lint.plugins.known import known_rules, load
from synclint.lint.run.engine import check_paths
from synclint.lint.settings.files import ConfigError, find_settings
from synclint.lint.settings.selection import chosen_rules

RULE = '''"""What happens.

What to write instead.
"""
from synclint.plugin import Call, Kind, Plugin, Report, rule

@rule("{code}", "{name}", calls=("mylib.slow",))
def check(op: Call) -> Report | None:
    {body}

plugin = Plugin(api={api}, prefix="{prefix}", url="{url}", rules=(check,))
'''
GOOD = {
    "code": "ACME001", "name": "acme-slow", "prefix": "ACME", "api": 1, "url": "https://acme.example/{code}",
    "body": "return op.finding('`slow` waits', confidence=__import__('synclint.plugin').plugin.Confidence.CERTAIN)",
}  # fmt: skip
PROGRAM = "import torch\nimport mylib\nfor batch in torch.utils.data.DataLoader([1]):\n    mylib.slow()\n"

Install = Callable[..., Path]


@pytest.fixture(autouse=True)
def _afresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    before = set(sys.modules)
    monkeypatch.setattr(known, "_LOADED", {})
    known.identity.cache_clear()
    yield
    for name in set(sys.modules) - before:
        if name.startswith(("acme", "other", "evil")):
            del sys.modules[name]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "project").mkdir()
    (tmp_path / "project/train.py").write_text(PROGRAM)
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path / "project"


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Install a distribution of one module, as pip would, in a folder of the module search path."""

    def put(brand: str = "acme", source: str | None = None, where: Path | None = None, **changes: object) -> Path:
        folder = where or tmp_path / "site"
        info = folder / f"{brand}_dist-1.2.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {brand}-dist\nVersion: 1.2\n")
        (info / "entry_points.txt").write_text(f"[synclint.plugins]\n{brand} = {brand}_rules:plugin\n")
        text = RULE
        for key, value in {**GOOD, **changes}.items():
            text = text.replace(f"{{{key}}}", str(value), 1)
        (folder / f"{brand}_rules.py").write_text(text if source is None else source)
        if str(folder) not in sys.path:
            monkeypatch.syspath_prepend(str(folder))
        return folder

    return put


def configure(project: Path, *plugins: str, more: str = "") -> None:
    (project / "synclint.toml").write_text(f"plugins = {list(plugins)}\n{more}")


def complaint(project: Path) -> str:
    with pytest.raises(ConfigError) as error:
        find_settings(project)
    text = str(error.value)
    assert "\n" not in text
    return text.partition("`plugins`: ")[2] or text


@pytest.mark.parametrize("name", ["acme", "acme_rules"])
def test_a_plugin_is_named_by_its_entry_point_or_its_module(project: Path, install: Install, name: str) -> None:
    install()
    configure(project, name)
    (found,) = check_paths([str(project)])
    assert (found.code, found.name, found.url) == ("ACME001", "acme-slow", "https://acme.example/ACME001")


def test_none_is_used_that_no_configuration_names(project: Path, install: Install) -> None:
    install(source="raise SystemExit('imported')")
    (project / "synclint.toml").write_text("")
    assert check_paths([str(project)]) == []
    assert "acme_rules" not in sys.modules


def test_its_rules_are_selected_like_any_others(project: Path, install: Install) -> None:
    install()
    configure(project, "acme", more='select = ["ACME", "SYNC101"]\nseverity = { acme-slow = "note" }\n')
    settings = find_settings(project)
    assert [rule.code for rule in chosen_rules([settings.layer], settings.plugins)] == ["ACME001", "SYNC101", "SYNC902"]
    assert [each.severity.words for each in check_paths([str(project)])] == ["note"]
    configure(project, "acme", more='ignore = ["ACME001"]\n')
    assert check_paths([str(project)]) == []


def test_a_rule_of_a_plugin_is_unknown_without_it(project: Path, install: Install) -> None:
    install()
    load(["acme"])
    (project / "synclint.toml").write_text('select = ["ACME001"]\n')
    assert "there is no rule `ACME001`" in complaint(project)


def test_a_rule_that_fails_costs_its_rule_on_one_file(project: Path, install: Install) -> None:
    from synclint.lint.run.engine import run
    from synclint.lint.run.file import File

    install(body="raise SystemExit('no')")
    configure(project, "acme")
    settings = find_settings(project)
    (project / "train.py").write_text(f"{PROGRAM}    mylib.slow()\n    batch.cuda().sum().item()\n")
    result = run([File("train.py")], settings, known_rules(["acme"]), jobs=1)
    assert {each.code for each in result.findings} == {"SYNC101", "SYNC301", "SYNC601", "SYNC602"}
    (failure,) = result.failures
    assert (failure.part, failure.error, failure.plugin) == ("rule ACME001", "SystemExit: no", "acme")


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"api": 2}, "is written for version 2 of synclint's API, and this synclint has version 1"),
        ({"prefix": "SYNCX", "code": "SYNCX001"}, "`SYNCX` is no prefix for codes"),
        ({"code": "SYNC101"}, "the code `SYNC101` is not ACME and three digits"),
        ({"name": "item-call"}, "the name `item-call` of ACME001 is taken"),
        ({"url": "javascript:alert(1)"}, "is not the address of its rules' pages"),
        ({"source": "plugin = 1"}, "is no synclint.plugin.Plugin"),
        ({"source": "import nothing_like_this"}, "could not be imported: ModuleNotFoundError"),
        ({"source": "raise SystemExit(3)"}, "could not be imported: SystemExit: 3"),
    ],
)
def test_what_does_not_fit_is_refused(project: Path, install: Install, changes: dict[str, object], text: str) -> None:
    install(**changes)
    configure(project, "acme")
    assert text in complaint(project)


def test_a_name_that_nothing_installed_has(project: Path, install: Install) -> None:
    install()
    configure(project, "acne")
    assert complaint(project).startswith("no plugin `acne` is installed (acme would be); install the distribution")


def test_two_plugins_with_one_code(project: Path, install: Install) -> None:
    install()
    install("other")
    configure(project, "acme", "other")
    assert "the plugins `acme` and `other` both have a rule `ACME001`" in complaint(project)


def test_a_nested_configuration_has_its_own_plugins(project: Path, install: Install) -> None:
    install()
    configure(project)
    (project / "part").mkdir()
    (project / "part/train.py").write_text(PROGRAM)
    (project / "part/synclint.toml").write_text('plugins = ["acme"]\n')
    found = [(Path(each.span.filename).parent.name, each.code) for each in check_paths([str(project)])]
    assert found == [("part", "ACME001")]


# -- never of what is checked ------------------------------------------------------------------------------------------

TRAP = "open('sprung', 'w')\n"


@pytest.mark.parametrize("place", [".", "vendored/site"])
def test_what_the_checked_repository_brings_is_no_plugin(project: Path, install: Install, place: str) -> None:
    """Not even on the module search path, where `PYTHONPATH=.` puts it."""
    (project / ".git").mkdir()
    (project / "src").mkdir()
    install("evil", TRAP, project / place)
    configure(project, "evil")
    for start in (project, project / "src"):
        with pytest.raises(ConfigError, match="no plugin `evil` is installed"):
            find_settings(start)
    assert not (project / "sprung").exists()


def test_nor_from_another_directory(
    project: Path, install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install("evil", TRAP, project)
    configure(project, "evil")
    monkeypatch.chdir(tmp_path)
    assert complaint(project).startswith("no plugin `evil` is installed")


def test_an_installed_name_that_leads_into_the_repository(project: Path, install: Install) -> None:
    """As after `pip install -e .`: the module is found through the search path of what is installed."""
    site = install("evil", TRAP)
    (site / "evil_rules.py").rename(project / "evil_rules.py")
    (site / "evil_rules.py").symlink_to(project / "evil_rules.py")
    configure(project, "evil")
    assert "is part of what is checked and is never imported" in complaint(project)
    assert not (project / "sprung").exists()


def test_what_a_plugin_imports_is_not_found_in_the_current_directory(
    project: Path, install: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "evil_helper.py").write_text(TRAP)
    monkeypatch.syspath_prepend("")
    monkeypatch.syspath_prepend(str(project))
    install(source="import evil_helper")
    configure(project, "acme")
    assert "No module named 'evil_helper'" in complaint(project)


def test_a_plugin_of_the_own_environment_may_be_inside_of_the_repository(
    project: Path, install: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = project / ".venv/lib/site-packages"
    monkeypatch.setattr(trust, "installed_in", lambda: frozenset([str(site)]))
    install(where=site)
    configure(project, "acme")
    assert [each.code for each in check_paths([str(project)])] == ["ACME001"]
