"""The GitHub Action: its scripts, run as a runner would, with a stand-in for pip and inputs that are hostile."""

from __future__ import annotations

import json
import os
import re
import shlex
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
    """Run one step with its inputs, in a workspace of its own; a stand-in for Python writes down what it is given."""
    work, temp, action = (tmp_path / name for name in ("work", "temp", "action checkout"))
    for folder in (work, temp, action, tmp_path / "bin"):
        folder.mkdir()
    shutil.copy(ROOT / "action-requirements.txt", action)
    made = temp / "synclint" / "bin" / "python"
    stub = (
        f"#!{sys.executable}\nimport json, os, sys\nfrom pathlib import Path\n"
        f"if '-c' in sys.argv:\n    os.execv({sys.executable!r}, [{sys.executable!r}, *sys.argv[1:]])\n"
        f"with open({str(tmp_path / 'said')!r}, 'a') as said:\n    said.write(json.dumps(sys.argv[1:]) + '\\n')\n"
        f"made = Path({str(made)!r})\n"
        "if 'venv' in sys.argv:\n    made.parent.mkdir(parents=True)\n    made.symlink_to(sys.argv[0])\n"
        "sys.exit('synclint' in sys.argv)\n"
    )
    _program(tmp_path / "bin" / "python", stub)

    def run(name: str, **inputs: str) -> subprocess.CompletedProcess[str]:
        if name != "Find Python":
            made.parent.mkdir(parents=True)
            made.symlink_to(tmp_path / "bin" / "python")
            (temp / "synclint" / "python").write_text(f"{made}\n")
        env = {key: _given(value, inputs) for key, value in SCRIPTS[name].get("env", {}).items()}
        env |= {
            "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "RUNNER_TEMP": str(temp),
            "GITHUB_ACTION_PATH": str(action),
            "GITHUB_OUTPUT": str(tmp_path / "output"),
        }
        command = [str(BASH), "--noprofile", "--norc", "-eo", "pipefail", "-c", SCRIPTS[name]["run"]]
        place = work / _given(SCRIPTS[name].get("working-directory", "."), inputs)
        return subprocess.run(command, cwd=place, env=env, text=True, capture_output=True)

    return run


def _program(file: Path, text: str) -> None:
    file.write_text(text)
    file.chmod(0o755)


def _given(value: str, inputs: dict[str, str]) -> str:
    """The value of an environment variable, which is a constant or one input."""
    match = re.fullmatch(r"\$\{\{ inputs\.([a-z-]+) \}\}", value)
    return value if match is None else inputs.get(match[1].replace("-", "_"), ACTION["inputs"][match[1]]["default"])


def _said(tmp_path: Path) -> list[list[str]]:
    return [json.loads(line) for line in (tmp_path / "said").read_text().splitlines()]


def _words(tmp_path: Path) -> list[str]:
    """What the command `check` is given."""
    (words,) = _said(tmp_path)
    assert words[:5] == ["-I", "-m", "synclint", "check", "--no-cache"]
    return words[5:]


def test_its_own_checkout_is_installed_and_what_it_needs_is_pinned(step: Step, tmp_path: Path) -> None:
    done = step("Install synclint")
    assert done.returncode == 0, done.stderr
    pinned, own = _said(tmp_path)
    assert pinned[:3] == own[:3] == ["-I", "-m", "pip"]
    checkout = str(tmp_path / "action checkout")
    assert pinned[-5:] == [
        "--require-hashes",
        "--only-binary",
        ":all:",
        "--requirement",
        f"{checkout}/action-requirements.txt",
    ]
    assert own[-5:] == ["--no-index", "--no-deps", "--no-build-isolation", "--", checkout]


YAML = ("pyyaml", "pyyaml-ft")
"""What LibCST needs."""


def test_all_that_is_installed_is_pinned() -> None:
    text = (ROOT / "action-requirements.txt").read_text().replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line[0] != "#"]
    assert all(
        re.fullmatch(r"[a-z-]+==[0-9.]+(; [a-z_]+ (==|!=|<) \"[a-z0-9.]+\")?( +--hash=sha256:[0-9a-f]{64})+", line)
        for line in lines
    )
    project = (ROOT / "pyproject.toml").read_text().split("dependencies = [")[1].split("]")[0]
    needed = set(re.findall(r'"([a-z]+)>=', project))
    assert {line.split("==")[0] for line in lines} == needed | {"setuptools", "colorama", *YAML}


def test_actions_are_pinned_to_commits() -> None:
    assert all(re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", step["uses"]) for step in STEPS.values() if "uses" in step)


@pytest.mark.parametrize("name", SCRIPTS)
def test_files_of_the_repository_are_no_modules(step: Step, tmp_path: Path, name: str) -> None:
    """`python -m venv` and `python -m pip` would import the `venv.py` and `pip.py` of the directory they run in."""
    for module in ("venv", "pip", "hashlib", "shlex", "os", "synclint"):
        (tmp_path / "work" / f"{module}.py").write_text(f"open({str(tmp_path / 'owned')!r}, 'w')\n")
    step(name, args="'a b'")
    assert not (tmp_path / "owned").exists()
    assert all(words[0] == "-I" for words in _said(tmp_path))
    calls = re.findall(r'"\$python" (-.)', SCRIPTS[name]["run"])
    assert set(calls) == {"-I"}


def test_a_check_without_inputs(step: Step, tmp_path: Path) -> None:
    assert step("Check").returncode == 1, "the exit code of synclint is that of the step"
    assert _words(tmp_path) == ["--", "."]
    assert not (tmp_path / "output").exists()


def test_all_inputs_of_a_check(step: Step, tmp_path: Path) -> None:
    (tmp_path / "work/some where").mkdir()
    step(
        "Check",
        src="a b\nc\n",
        args="--fail-on error\n--exclude 'a b/*' ",
        new_from="origin/main",
        sarif_file="a b.sarif",
        working_directory="some where",
    )
    options = ["--fail-on", "error", "--exclude", "a b/*", "--new-from=origin/main", "--output=sarif=a b.sarif"]
    assert _words(tmp_path) == [*options, "--", "a b", "c"]
    assert (tmp_path / "output").read_text() == "sarif-file=some where/a b.sarif\n"
    arguments = cli.get_command(None, "check").make_context("check", _words(tmp_path)).params  # type: ignore
    assert (arguments["paths"], arguments["new_from"]) == (("a b", "c"), "origin/main")


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("name", ["src", "args", "new_from", "sarif_file"])
def test_no_input_becomes_a_command(step: Step, tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / "work" / "a file").touch()
    step("Check", **{name: shlex.quote(text) if name == "args" else text})
    words = _words(tmp_path)
    assert not list(tmp_path.rglob("owned"))
    assert text in " ".join(words)
    assert "a file" not in words
    if name != "args":
        assert not [word for word in words[: words.index("--")] if word in HOSTILE]


@pytest.mark.parametrize("text", HOSTILE)
def test_words_of_args_are_not_expanded(step: Step, tmp_path: Path, text: str) -> None:
    step("Check", args=text)
    assert _words(tmp_path) == [*shlex.split(text), "--", "."]
    assert not list(tmp_path.rglob("owned"))


def test_a_quote_that_is_not_closed(step: Step, tmp_path: Path) -> None:
    done = step("Check", args="--exclude 'a")
    assert (done.returncode, done.stdout) == (2, "::error::synclint: a quote in the input `args` is not closed\n")
    assert not (tmp_path / "said").exists()


def test_on_a_push_there_is_no_base(step: Step, tmp_path: Path) -> None:
    """`origin/${{ github.base_ref }}` is `origin/` there."""
    done = step("Check", new_from="origin/")
    assert _words(tmp_path) == ["--", "."]
    assert done.stdout == "::notice::synclint: the input `new-from` names no branch here, so everything is reported\n"


def test_an_output_cannot_bring_another_with_it(step: Step, tmp_path: Path) -> None:
    step("Check", sarif_file="x\nevil=1")
    assert (tmp_path / "output").read_text() == "sarif-file=xevil=1\n"
