"""The GitHub Action: its scripts, run as a runner would, with a stand-in for pip and inputs that are hostile."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from synclint.lint.cli import cli

yaml = pytest.importorskip("yaml", reason="PyYAML comes with pre-commit, in the extra `test`")
BASH = shutil.which("bash")
pytestmark = pytest.mark.skipif(BASH is None or sys.platform == "win32", reason="the action's scripts want bash")

ROOT = Path(__file__).parent.parent
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}
SCRIPTS = {name: step for name, step in STEPS.items() if "run" in step}
HOSTILE = ["$(touch owned)", "`touch owned`", '"; touch owned; "', "'; touch owned; '", "a && touch owned", "*", "-h"]

Step = Callable[..., subprocess.CompletedProcess[str]]


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_are_bash_and_inputs_come_by_environment(name: str) -> None:
    script = SCRIPTS[name]["run"]
    assert "${{" not in script
    done = subprocess.run([str(BASH), "-n"], input=script, text=True, capture_output=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_every_input_is_used_and_explained() -> None:
    text = json.dumps(ACTION["runs"])
    for name, each in ACTION["inputs"].items():
        assert f"inputs.{name} " in text
        assert each["description"].endswith(".")
    assert set(re.findall(r"inputs\.([a-z-]+)", text)) == set(ACTION["inputs"])


@pytest.fixture
def step(tmp_path: Path) -> Step:
    """Run one step with its inputs, in a workspace of its own; `synclint` and `pip` write down what they are given."""
    work, temp, action = (tmp_path / name for name in ("work", "temp", "action checkout"))
    for folder in (work, temp, action, tmp_path / "bin"):
        folder.mkdir()
    stub = f"#!{sys.executable}\nimport json, sys\nfrom pathlib import Path\n"
    said = f"Path({str(tmp_path / 'said')!r}).write_text(json.dumps(sys.argv[1:]))\n"
    scripts = temp / "synclint" / "bin"
    venv = (
        f"if sys.argv[2] == 'venv':\n    Path({str(scripts)!r}).mkdir(parents=True)\n"
        f"    Path({str(scripts / 'python')!r}).symlink_to(sys.argv[0])\nelse:\n    "
    )
    _program(tmp_path / "bin" / "python", stub + venv + said)

    def run(name: str, **inputs: str) -> subprocess.CompletedProcess[str]:
        if name == "Check":
            scripts.mkdir(parents=True)
            (temp / "synclint" / "scripts").write_text(f"{scripts}\n")
            _program(scripts / "synclint", stub + said + "sys.exit(1)\n")
        env = {key: _given(value, inputs) for key, value in SCRIPTS[name]["env"].items()}
        env |= {
            "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "RUNNER_TEMP": str(temp),
            "GITHUB_ACTION_PATH": str(action),
            "GITHUB_OUTPUT": str(tmp_path / "output"),
        }
        command = [str(BASH), "--noprofile", "--norc", "-eo", "pipefail", "-c", SCRIPTS[name]["run"]]
        return subprocess.run(command, cwd=work, env=env, text=True, capture_output=True)

    return run


def _program(file: Path, text: str) -> None:
    file.write_text(text)
    file.chmod(0o755)


def _given(value: str, inputs: dict[str, str]) -> str:
    """The value of an environment variable, which is a constant or one input."""
    match = re.fullmatch(r"\$\{\{ inputs\.([a-z-]+) \}\}", value)
    return value if match is None else inputs.get(match[1].replace("-", "_"), ACTION["inputs"][match[1]]["default"])


def _said(tmp_path: Path) -> list[str]:
    words: list[str] = json.loads((tmp_path / "said").read_text())
    return words


def test_its_own_checkout_is_installed(step: Step, tmp_path: Path) -> None:
    done = step("Install synclint")
    assert done.returncode == 0, done.stderr
    assert _said(tmp_path) == ["-m", "pip", "install", "--quiet", "--", str(tmp_path / "action checkout")]
    assert (tmp_path / "temp/synclint/scripts").read_text().strip() == str(tmp_path / "temp/synclint/bin")


def test_a_version_is_installed_from_the_index(step: Step, tmp_path: Path) -> None:
    assert step("Install synclint", version="0.1.0rc1").returncode == 0
    assert _said(tmp_path)[-1] == "synclint==0.1.0rc1"


@pytest.mark.parametrize("version", [*HOSTILE[:-1], "1 @ file:///x", "1\n--index-url=x"])
def test_what_is_no_version_is_refused(step: Step, tmp_path: Path, version: str) -> None:
    done = step("Install synclint", version=version)
    assert done.returncode == 2
    assert done.stdout == "::error::synclint: the input `version` is not a version\n"
    assert not (tmp_path / "said").exists()


def test_a_check_without_inputs(step: Step, tmp_path: Path) -> None:
    assert step("Check").returncode == 1, "the exit code of synclint is that of the step"
    assert _said(tmp_path) == ["check", "--", "."]
    assert not (tmp_path / "output").exists()


def test_all_inputs_of_a_check(step: Step, tmp_path: Path) -> None:
    step("Check", src="a b\nc\n", args="--fail-on error\n--show-notes ", new_from="origin/main", sarif_file="a b.sarif")
    options = ["--fail-on", "error", "--show-notes", "--new-from=origin/main", "--output=sarif=a b.sarif"]
    assert _said(tmp_path) == ["check", *options, "--", "a b", "c"]
    assert (tmp_path / "output").read_text() == "sarif-file=a b.sarif\n"
    arguments = cli.get_command(None, "check").make_context("check", _said(tmp_path)[1:]).params  # type: ignore
    assert (arguments["paths"], arguments["new_from"]) == (("a b", "c"), "origin/main")


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("name", ["src", "args", "new_from", "sarif_file"])
def test_no_input_becomes_a_command(step: Step, tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / "work" / "a file").touch()
    step("Check", **{name: text})
    words = _said(tmp_path)
    assert not list(tmp_path.rglob("owned"))
    assert text in " ".join(words)
    assert "a file" not in words
    if name != "args":
        assert not [word for word in words[1 : words.index("--")] if word in HOSTILE]


def test_an_output_cannot_bring_another_with_it(step: Step, tmp_path: Path) -> None:
    step("Check", sarif_file="x\nevil=1")
    assert (tmp_path / "output").read_text() == "sarif-file=xevil=1\n"
