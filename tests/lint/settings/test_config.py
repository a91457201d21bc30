"""Settings: where they come from, what they may say, and how mistakes are told."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from synclint.lint.finding import Confidence, Severity
from synclint.lint.settings.config import KEYS, Settings
from synclint.lint.settings.files import ConfigError, find_settings, overridden, read_settings

pytestmark = pytest.mark.usefixtures("inference")


def settings_of(here: Path, text: str, name: str = "synclint.toml") -> Settings:
    (here / name).write_text(text)
    return find_settings(here)


def test_without_configuration(here: Path) -> None:
    settings = find_settings(here)
    assert settings.fail_on is Severity.ERROR
    assert settings.min_confidence is Confidence.LIKELY
    assert settings.select == ()


def test_every_key_has_an_explanation_and_an_example() -> None:
    assert all(item.metadata["help"].endswith(".") for item in KEYS.values())
    assert all(item.metadata["example"] for item in KEYS.values())


def test_all_keys(here: Path) -> None:
    settings = settings_of(
        here,
        """
        select = ["SYNC1", "cpu-metric-under-ddp"]
        extend-select = ["SYNC111"]
        ignore = ["tensor-tolist"]
        exclude = ["vendored/"]
        fail-on = "error"
        min-confidence = "certain"
        hot-functions = ["decode"]
        cold-functions = ["export"]
        gpu-names = ["dev"]
        default-device = "cuda:0"
        allowed-contexts = ["allow_sync"]
        torch = "2.6"
        torchmetrics = ">=1.6,<1.7"
        lightning = "2"
        transformers = "4.50"
        torchvision = "0.20"
        require-reason = true
        [max-findings]
        "src/**" = 12
        [per-file-ignores]
        "tests/**" = ["SYNC1"]
        [severity]
        SYNC1 = "note"
        item-call = "error"
        """,
    )
    assert settings.layer.extend == ("SYNC111", "SYNC903")
    assert settings.max_findings == {"src/**": 12}
    assert settings.default_device == "cuda:0"
    assert settings.layer.select == ("SYNC1", "cpu-metric-under-ddp")
    assert settings.fail_on is Severity.ERROR
    assert settings.min_confidence is Confidence.CERTAIN
    assert settings.per_file_ignores == {"tests/**": ("SYNC1",)}
    assert not settings.versions.may_be("torchmetrics", since="1.7")
    assert settings.versions.may_be("torch", since="2.6", until="2.7")
    assert settings.root == here


def test_fail_on_never(here: Path) -> None:
    assert settings_of(here, 'fail-on = "never"').fail_on is None


def test_the_nearest_file_with_our_table_counts(here: Path) -> None:
    inner = here / "src/pkg"
    inner.mkdir(parents=True)
    (inner / "pyproject.toml").write_text("[tool.other]\nx = 1\n")
    (here / "pyproject.toml").write_text('[tool.synclint]\nignore = ["SYNC101"]\n')
    settings = find_settings(inner)
    assert settings.ignore == ("SYNC101",)
    assert settings.root == here


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('ingore = ["SYNC101"]', "unknown key `ingore`; did you mean `ignore`?"),
        ("qwertz = 1", "unknown key `qwertz`; remove it"),
        ('select = "SYNC101"', '`select`: must be a list of strings, such as ["one", "two"]'),
        ('select = ["SYNC999"]', "`select`: there is no rule `SYNC999` ("),
        ('select = ["item-cal"]', "`select`: there is no rule `item-cal`; did you mean `item-call`?"),
        ('fail-on = "none"', "must be note, warning, error or never, not `none`; did you mean `never`?"),
        ('fail-on = "errors"', "`fail-on`: must be note, warning, error or never, not `errors`; did you mean `error`?"),
        ("torch = 2.6", '`torch`: must be a string, such as "2.6"'),
        ('torch = "latest"', '`torch`: `latest` is not a version; write "2.6" or ">=2.4,<2.9"'),
        ('waits = ["sync_all"]', "`waits`: `sync_all` must be the full name of a function, such as mylib.sync_all"),
        ('default-device = "gpu"', "`default-device`: `gpu` must be the name of a device, such as cuda or cuda:0"),
        ('default-device = "cuda:x"', "`default-device`: `cuda:x` must be"),
        ('moves-to-device = ["my lib.put"]', "`moves-to-device`: `my lib.put` must be the full name of a function"),
        ('require-reason = "yes"', "`require-reason`: must be true or false"),
        ('severity = "error"', "`severity`: must be a table"),
        ('[severity]\nSYNC101 = "loud"', "`severity`: must be off, note, warning or error, not `loud`"),
        ('[per-file-ignores]\n"x.py" = ["NOPE"]', "`per-file-ignores`: there is no rule `NOPE`"),
        ("select = [", "not valid TOML"),
        ("select = " + "[" * 10_000, "is nested too deeply to be read"),
        ('extend = "\\u0000"', "`extend`: no file can have this name"),
        ('extend = "gone.toml"', "`extend`: gone.toml is not a synclint configuration; correct the path"),
        ('extend = "synclint.toml"', "`extend`: synclint.toml extends this file in turn; remove one of the two"),
    ],
)
def test_mistakes(here: Path, text: str, expected: str) -> None:
    with pytest.raises(ConfigError) as error:
        settings_of(here, text)
    message = str(error.value)
    assert expected in message
    assert str(here / "synclint.toml") in message
    assert "\n" not in message


def test_a_broken_project_file_matters_only_if_it_names_us(here: Path) -> None:
    assert settings_of(here, "[project\n", "pyproject.toml") == Settings(root=here, project=here)
    with pytest.raises(ConfigError, match="not valid TOML"):
        settings_of(here, "[tool.synclint\n", "pyproject.toml")


def test_tool_synclint_must_be_a_table(here: Path) -> None:
    with pytest.raises(ConfigError, match="must be a table"):
        settings_of(here, "tool.synclint = 1\n", "pyproject.toml")


def test_extend(here: Path) -> None:
    (here / "base.toml").write_text('ignore = ["SYNC101"]\nfail-on = "error"\n')
    settings = settings_of(here, 'extend = "base.toml"\nignore = ["SYNC102"]\n')
    assert settings.ignore == ("SYNC102",)
    assert settings.fail_on is Severity.ERROR


def test_a_configuration_given_by_name(here: Path) -> None:
    (here / "other.toml").write_text('[tool.synclint]\nignore = ["SYNC101"]\n')
    assert read_settings(here / "other.toml").ignore == ("SYNC101",)
    with pytest.raises(ConfigError, match="does not exist"):
        read_settings(here / "gone.toml")
    (here / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    with pytest.raises(ConfigError, match=r"has no \[tool.synclint\] table"):
        read_settings(here / "pyproject.toml")


def test_the_projects_own_requirements_decide(here: Path) -> None:
    (here / "requirements-dev.txt").write_text("torchmetrics==1.6.1\ntorch==2.3.0\n")
    settings = settings_of(here, '[project]\ndependencies = ["torch>=2.4,<2.9"]\n', "pyproject.toml")
    assert not settings.versions.may_be("torch", since="2.9")
    assert not settings.versions.may_be("torch", until="2.4")
    assert not settings.versions.may_be("torchmetrics", since="1.6.2")
    assert settings.versions.may_be("transformers", since="5")


def test_a_setting_beats_the_requirements(here: Path) -> None:
    (here / "requirements.txt").write_text("torch==2.3.0\n")
    assert settings_of(here, 'torch = "2.6"').versions.may_be("torch", since="2.6")
    assert not settings_of(here, 'torch = "2.6"').versions.may_be("torch", until="2.6")


def test_requirements_that_are_nonsense_are_not_our_business(here: Path) -> None:
    (here / "requirements.txt").write_bytes(b"torch===???\n\xff\xfe\n")
    assert settings_of(here, "[project]\ndependencies = 3\n", "pyproject.toml").versions.may_be("torch", since="9")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("uv.lock", '[[package]]\nname = "numpy"\n[[package]]\nname = "torch"\nversion = "2.6.0+cu124"\n'),
        ("poetry.lock", '[[package]]\nname = "torch"\nversion = "2.6.0"\n[package.dependencies]\nsympy = "1"\n'),
        ("pylock.toml", 'lock-version = "1.0"\n[[packages]]\nname = "torch"\nversion = "2.6.0"\n'),
    ],
)
def test_a_lock_file_decides(here: Path, name: str, text: str) -> None:
    (here / name).write_text(text)
    versions = settings_of(here, '[project]\ndependencies = ["torch>=2"]\n', "pyproject.toml").versions
    assert versions.may_be("torch", since="2.6", until="2.6.1")
    assert not versions.may_be("torch", since="2.6.1")
    assert not versions.may_be("torch", until="2.6")


def test_requirements_with_hashes_and_longer_lines(here: Path) -> None:
    text = "torch==2.6.0+cu124 \\\r\n    --hash=sha256:01 \\\r\n    --hash=sha256:02\r\n"
    (here / "requirements.txt").write_bytes(text.encode("utf-16"))  # as PowerShell writes it
    assert not find_settings(here).versions.may_be("torch", since="2.6.1")


def test_versions_that_an_environment_has(here: Path) -> None:
    (here / ".venv/lib/python3.11/site-packages/torch-2.5.1+cu121.dist-info").mkdir(parents=True)
    settings = settings_of(here, 'torch = "installed"')
    assert settings.torch == "==2.5.1+cu121"
    assert not settings.versions.may_be("torch", since="2.6")
    with pytest.raises(ConfigError, match="`transformers`: it is not installed"):
        settings_of(here, 'transformers = "installed"')


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="no devices here")
@pytest.mark.parametrize("name", ["pyproject.toml", "synclint.toml", "requirements.txt", "uv.lock"])
@pytest.mark.parametrize("target", ["/dev/zero", "pipe"])
def test_what_is_no_file_is_one_line(here: Path, name: str, target: str) -> None:
    os.mkfifo(here / "pipe")
    (here / name).symlink_to(target)
    with pytest.raises(ConfigError, match=rf"{name}: could not be read: it is a (device|named pipe), not a file"):
        find_settings(here)


def test_the_project_is_that_of_the_outermost_configuration_in_the_repository(here: Path) -> None:
    for name in ("synclint.toml", "repo/synclint.toml", "repo/a/b/synclint.toml"):
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).touch()
    (here / "repo/.git").mkdir()
    inner = find_settings(here / "repo/a/b/c")
    assert (inner.root, inner.project) == (here / "repo/a/b", here / "repo")
    (here / "other/.git").mkdir(parents=True)
    outer = find_settings(here / "other")
    assert (outer.root, outer.project) == (here, here / "other")


VALUES = (
    *('""', '"x"', '"a.b"', '"\\u0000"', '"../x"', '"["', '">=1,<"', "0", "-1", "1" + "0" * 40, "1.5", "nan", "-inf"),
    *("true", "1979-05-27", "07:32:00", "[]", "[1]", '["x"]', '[""]', '["**[", "\\u0000"]', "[[]]", "[{}]", "{}"),
    *("{x = 1}", '{x = "x"}', '{"" = [""]}', '{SYNC1 = "off"}', "{x = [1]}", '{x = {y = ["z"]}}', "[" * 90 + "]" * 90),
)
"""Values of every type of TOML, among them some that a key may have."""


@pytest.mark.parametrize("key", [each.replace("_", "-") for each in KEYS])
def test_any_value_of_a_key_is_taken_or_told_to_be_wrong_in_one_line(
    here: Path, synclint_command: Callable[..., Any], key: str
) -> None:
    (here / "a.py").write_text("import torch\nwait_101()\n")
    for value in VALUES:
        (here / "synclint.toml").write_text(f"{key} = {value}\n")
        done = synclint_command("check", ".", "--no-cache")
        told = done.err.replace("\n", "", 1) if done.code == 2 else ""
        assert done.code in (0, 1, 2), (value, done)
        assert "\n" not in told, (value, done)
        assert "internal error" not in done.err, (value, done)
        assert (key in told and "synclint.toml" in told) == (done.code == 2), (value, done)


def test_the_command_line_sets_keys(here: Path) -> None:
    settings = Settings(root=here, ignore=("SYNC101",), per_file_ignores={"a.py": ("SYNC1",)})
    lines = ['ignore = ["SYNC102"]', 'per-file-ignores."tests/**" = ["ALL"]', 'fail-on = "never"']
    found = overridden(settings, lines, ["c:d.py:SYNC101, SYNC10", "c:d.py:item-call"])
    assert (found.ignore, found.fail_on) == (("SYNC102",), None)
    assert found.per_file_ignores == {"tests/**": ("ALL",), "c:d.py": ("SYNC101", "SYNC10", "item-call")}
    assert overridden(settings, [], ["a.py:SYNC10"]).per_file_ignores == {"a.py": ("SYNC1", "SYNC10")}


@pytest.mark.parametrize(
    ("lines", "ignores", "message"),
    [
        (["ignor = []"], [], "--config: unknown key `ignor`; did you mean `ignore`?"),
        (["ignore = [SYNC101]"], [], "--config: not valid TOML: "),
        (["ignore = []", "ignore = []"], [], "--config: not valid TOML: "),
        (['ignore = ["SYNC1x1"]'], [], "--config: `ignore`: there is no rule `SYNC1x1`"),
        (['fail-on = "none"'], [], "--config: `fail-on`: must be note, warning, error or never"),
        (['extend = "other.toml"'], [], "--config: `extend` can only be set in a configuration file"),
        (['plugins = ["acme"]'], [], "--config: `plugins` can only be set in a configuration file"),
        ([], ["SYNC101"], "--per-file-ignores: `SYNC101` must be a pattern and rules, such as tests/**:SYNC1"),
        ([], ["a.py:, "], "--per-file-ignores: `a.py:, ` must be a pattern and rules"),
        ([], ["a.py:SYNC1x1"], "command line: `per-file-ignores`: there is no rule `SYNC1x1`"),
    ],
)
def test_what_the_command_line_cannot_set(here: Path, lines: list[str], ignores: list[str], message: str) -> None:
    with pytest.raises(ConfigError, match=f"^{re.escape(message)}"):
        overridden(Settings(root=here), lines, ignores)
