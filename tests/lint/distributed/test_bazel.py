"""The aspect and the rules for Bazel: in a sandbox they find, byte for byte, what the commands find elsewhere.

The file is parsed wherever a reader of Starlark is installed, and built with wherever Bazel is, of whatever version.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from .conftest import FILES

Synclint = Callable[..., str]
SOURCE = Path(__file__).resolve().parents[3] / "bazel"
BAZEL = shutil.which("bazel")

RULES = """\
def _py(ctx):
    return [DefaultInfo(files = depset(ctx.files.srcs))]

py = rule(implementation = _py, attrs = {"srcs": attr.label_list(allow_files = True), "deps": attr.label_list()})

def _tool(ctx):
    script = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.write(script, "#!/bin/sh\\nexec %r -m synclint \\"$@\\"\\n", is_executable = True)
    return [DefaultInfo(files = depset([script]), executable = script)]

tool = rule(implementation = _tool, executable = True)
"""
"""Rules as simple as can be, since those of Python come from elsewhere."""

WORKSPACE = {
    "WORKSPACE": 'local_repository(name = "synclint", path = "synclint_rules")\n'
    'local_repository(name = "remote_coverage_tools", path = "no_coverage")\n',
    "no_coverage/WORKSPACE": "",
    "no_coverage/BUILD": 'load("@//tools:py.bzl", "tool")\n'
    'tool(name = "coverage_report_generator", visibility = ["//visibility:public"])\n',
    "tools/py.bzl": RULES.replace("%r", sys.executable),
    "tools/BUILD": 'load(":py.bzl", "tool")\ntool(name = "synclint", visibility = ["//visibility:public"])\n',
    "pkg/BUILD": """\
load("//tools:py.bzl", "py")
genrule(
    name = "made",
    outs = ["made.py"],
    cmd = "printf 'import torch\\\\n\\\\n\\\\ndef once(x: torch.Tensor):\\\\n    return x.item()\\\\n' > $@",
)
py(name = "plain", srcs = ["plain.py", "deep.py"], visibility = ["//visibility:public"])
py(
    name = "pkg",
    srcs = ["__init__.py", "losses.py", "made.py"],
    deps = [":plain"],
    visibility = ["//visibility:public"],
)
""",
    "BUILD": """\
load("@synclint//:synclint.bzl", "synclint_findings", "synclint_test")
load("//tools:py.bzl", "py")
py(name = "train", srcs = ["train.py"], deps = ["//pkg"])
CONFIGURATIONS = ["synclint.toml"]
synclint_findings(name = "program", configurations = CONFIGURATIONS, roots = ["train.py"], deps = [":train"])
synclint_findings(name = "library", configurations = CONFIGURATIONS, deps = ["//pkg", ":train"])
synclint_test(
    name = "waits",
    configurations = CONFIGURATIONS,
    findings = [":library", ":program"],
    options = ["--show-notes"],
)
synclint_test(
    name = "no_waits",
    configurations = CONFIGURATIONS,
    findings = [":library", ":program"],
    options = ["--fail-on=never"],
)
""",
}
SOURCES = ("synclint.toml", "train.py", "pkg/__init__.py", "pkg/losses.py", "pkg/plain.py", "pkg/deep.py")


def test_the_file_is_starlark() -> None:
    starlark = pytest.importorskip("starlark")
    text = (SOURCE / "synclint.bzl").read_text()
    starlark.parse("synclint.bzl", text, dialect=starlark.Dialect.extended())


@pytest.fixture
def workspace(here: Path) -> Path:
    for name, text in (WORKSPACE | {name: FILES[name] for name in SOURCES}).items():
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).write_text(text)
    shutil.copytree(SOURCE, here / "synclint_rules")
    (here / "synclint_rules/WORKSPACE").write_text("")
    return here


@pytest.fixture
def bazel(workspace: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., str]]:
    root = f"--output_user_root={tmp_path_factory.mktemp('bazel')}"
    tool = "--@synclint//:synclint=//tools:synclint"

    def call(command: str, *arguments: str, code: int = 0) -> str:
        words = [str(BAZEL), root, command, *([tool] if command in ("build", "test") else []), *arguments]
        done = subprocess.run(words, check=False, capture_output=True, text=True, cwd=workspace)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr

    yield call
    call("shutdown")


@pytest.mark.skipif(BAZEL is None, reason="Bazel is not installed")
def test_bazel_finds_what_the_commands_find(workspace: Path, bazel: Callable[..., str], synclint: Synclint) -> None:
    bazel("build", "//:program", "//:library")
    shutil.copy(workspace / "bazel-bin/pkg/made.py", workspace / "pkg/made.py")
    files = [name for name in SOURCES if name.endswith(".py")]
    synclint("summarize", *files, "pkg/made.py", "-o", "all.summary")
    for name, options in (("program", ["--root", "train.py"]), ("library", ["--open-world"])):
        synclint("link", "all.summary", *options, "-o", name)
        assert (workspace / name).read_bytes() == (workspace / f"bazel-bin/{name}.findings").read_bytes()
    os.remove(workspace / "pkg/made.py")
    told = bazel("test", "//:waits", "--test_output=all", code=3)
    assert "pkg/losses.py:6:11: error" in told
    assert "pkg/made.py" in told
    bazel("test", "//:no_waits")
    again = bazel("build", "//:program", "--experimental_ui_debug_all_events", code=0)
    assert "Summarizing" not in again
