"""The workflows of the repository: what they use is pinned, and they may do no more than they need."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

yaml = pytest.importorskip("yaml", reason="PyYAML comes with pre-commit, in the extra `test`")

GITHUB = Path(__file__).parent.parent / ".github"
WORKFLOWS = sorted(GITHUB.glob("workflows/*.yml"))
FORMS = sorted(set(GITHUB.glob("ISSUE_TEMPLATE/*.yml")) - {GITHUB / "ISSUE_TEMPLATE/config.yml"})


def read(file: Path) -> Any:
    return yaml.safe_load(file.read_text(encoding="utf-8"))


def steps(file: Path) -> list[dict[str, Any]]:
    return [step for job in read(file)["jobs"].values() for step in job["steps"]]


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.stem)
def test_actions_are_pinned_to_commits(file: Path) -> None:
    used = [step["uses"] for step in steps(file) if "uses" in step]
    assert used
    assert [each for each in used if not re.fullmatch(r"(actions|pypa)/[a-z-]+@[0-9a-f]{40}", each)] == []


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.stem)
def test_tokens_may_only_read_where_nothing_is_published(file: Path) -> None:
    workflow = read(file)
    assert workflow["permissions"] == {"contents": "read"}
    writing = {name for name, job in workflow["jobs"].items() if "write" in job.get("permissions", {}).values()}
    assert writing <= {"publish"}


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.stem)
def test_no_script_is_made_of_what_others_write(file: Path) -> None:
    scripts = [step["run"] for step in steps(file) if "run" in step]
    assert not any(re.search(r"\$\{\{ *(github|inputs)\.", script) for script in scripts)


@pytest.mark.parametrize(
    ("tag", "heading", "code"),
    [
        ("v1.2.3", "## 1.2.3 (2030-01-31)", 0),
        ("v1.2.3", "## 1.2.3 (unreleased)", 1),
        ("v1.2.4", "## 1.2.3 (2030-01-31)", 1),
    ],
)
def test_a_release_is_of_its_tag_and_has_a_date(tmp_path: Path, tag: str, heading: str, code: int) -> None:
    script = next(step["run"] for step in steps(GITHUB / "workflows/release.yml") if "env" in step)
    (tmp_path / "__init__.py").write_text('__version__ = "1.2.3"\n')
    (tmp_path / "CHANGELOG.md").write_text(f"{heading}\n")
    done = subprocess.run(["bash", "-e", "-c", script], cwd=tmp_path, env={"TAG": tag, "PATH": "/usr/bin:/bin"})
    assert bool(done.returncode) is bool(code)


@pytest.mark.parametrize("file", FORMS, ids=lambda file: file.stem)
def test_issue_forms_are_what_github_takes(file: Path) -> None:
    form = read(file)
    assert {"name", "description", "body"} <= set(form)
    assert all(field["type"] in ("dropdown", "input", "markdown", "textarea") for field in form["body"])
    names = [field["id"] for field in form["body"]]
    assert len(set(names)) == len(names)
    assert all(field["attributes"]["label"] for field in form["body"])


MANIFESTS = {"github-actions": ".github/workflows", "npm": "package-lock.json", "docker": "Dockerfile"}


def test_what_dependabot_is_told_to_look_at_is_there() -> None:
    settings = read(GITHUB / "dependabot.yml")
    assert {each["package-ecosystem"] for each in settings["updates"]} == set(MANIFESTS)
    for each in settings["updates"]:
        assert (GITHUB.parent / each["directory"].strip("/") / MANIFESTS[each["package-ecosystem"]]).exists()


def test_the_image_is_made_of_pinned_packages_and_imports_nothing_of_what_it_checks() -> None:
    text = (GITHUB.parent / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", "")
    installs = re.findall(r"(?m)^RUN .*pip install(.*)$", text)
    assert len(installs) == 2
    assert all("--require-hashes" in each or "--no-index" in each for each in installs)
    (requirements,) = re.findall(r"--requirement /synclint/(\S+)", text)
    assert (GITHUB.parent / requirements).exists()
    assert re.search(r'(?m)^ENTRYPOINT \["python", "-P", "-m", "synclint"\]$', text)


PARTS = """
good() { sleep 0.1; echo "all is well"; }
bad() { echo "something is wrong"; false; echo "it goes on"; }
part good & part bad &
wait
"""


@pytest.mark.skipif(shutil.which("flock") is None, reason="CI has `flock`, of util-linux")
def test_a_part_of_ci_that_fails_ends_there_and_is_told(tmp_path: Path) -> None:
    script = (GITHUB.parent / ".ci" / "run").read_text(encoding="utf-8")
    (function,) = re.findall(r"(?ms)^part\(\) \{.*?^\}\n", script)
    command = ["bash", "-euo", "pipefail", "-c", f"work={tmp_path}\n{function}{PARTS}"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert re.search(r"something is wrong\n\n-- bad: exit code 1 ", said)
    assert re.search(r"all is well\n\n-- good: exit code 0 ", said)
    assert "it goes on" not in said
    assert (tmp_path / "failed").read_text() == "bad\n"


def test_ci_runs_the_tests_as_the_readme_says() -> None:
    script = (GITHUB.parent / ".ci" / "run").read_text(encoding="utf-8")
    readme = (GITHUB.parent / "README.md").read_text(encoding="utf-8")
    installed, tested = re.findall(r"(?m)^\$ pip install (-e .*) && (pytest.*)$", readme)[0]
    assert f'/pip" install --quiet {installed} ' in script
    assert f':$PATH" {tested} <' in script
