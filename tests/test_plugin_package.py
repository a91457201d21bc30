"""A plugin, installed with pip: its rule and facts in the command line, the hook, the editor, the runtime checker."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROGRAM = """import torch
from acme_gpu import drain, peek, to_gpu

model = torch.nn.Linear(3, 1).to("cuda")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for batch in torch.utils.data.DataLoader(torch.ones(12, 3), pin_memory=True):
    loss = model(to_gpu(batch)).sum()
    loss.backward()
    optimizer.step()
    peek(loss)
    drain()
    to_gpu(batch).sum().item()
"""
FOUND = [(10, "ACME001"), (11, "SYNC112"), (12, "SYNC101")]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pip has installed the plugin, and synclint is not."""
    folder = tmp_path_factory.mktemp("plugin")
    shutil.copytree(ROOT / "tests/plugin_package", folder / "source", ignore=shutil.ignore_patterns("__pycache__"))
    words = ["install", "--no-deps", "--no-build-isolation", "--no-index", "--quiet", "--target"]
    target = folder / "lib" / "site-packages"
    done = subprocess.run(
        [sys.executable, "-m", "pip", *words, str(target), str(folder / "source")], capture_output=True, text=True
    )
    if "No module named pip" in done.stderr:
        pytest.skip("this Python has no pip")
    assert done.returncode == 0, done.stderr
    return target


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "synclint.toml").write_text('plugins = ["acme"]\n')
    (tmp_path / "train.py").write_text(PROGRAM)
    return tmp_path


def run(project: Path, site: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = dict(os.environ, PYTHONPATH=str(site), PYTHONSAFEPATH="1", NO_COLOR="1")
    command = [sys.executable, "-P"] if sys.version_info >= (3, 11) else [sys.executable]
    done = subprocess.run(
        [*command, "-m", "synclint", *words], cwd=project, env=environment, capture_output=True, text=True
    )
    assert done.returncode in (0, 1), done.stderr
    return done


def found(output: str) -> list[tuple[int, str]]:
    return [(each["location"]["row"], each["code"]) for each in json.loads(output)]


@pytest.mark.parametrize("more", [(), ("--jobs", "2"), ("--no-cache",)])
def test_on_the_command_line(project: Path, site: Path, more: tuple[str, ...]) -> None:
    """In worker processes, too."""
    for number in range(3 if more[:1] == ("--jobs",) else 0):
        (project / f"other_{number}.py").write_text("import torch\n")
    done = run(project, site, "check", ".", "--output-format", "json", *more)
    assert found(done.stdout) == FOUND
    assert "declared by the plugin `acme` as moves-to-device" in done.stdout


def test_its_rule_is_a_rule_like_any_other(project: Path, site: Path) -> None:
    assert run(project, site, "rule", "acme-peek").stdout.startswith("ACME001 acme-peek (stall)")
    assert "ACME001" in run(project, site, "rule", "--all").stdout
    log = json.loads(run(project, site, "check", ".", "--select", "ACME", "--output-format", "sarif").stdout)
    (rule,) = log["runs"][0]["tool"]["driver"]["rules"]
    assert (rule["id"], rule["helpUri"]) == ("ACME001", "https://acme.example/lint/acme-peek")
    (project / "train.py").write_text(
        PROGRAM.replace("peek(loss)\n", "peek(loss)  # synclint: ignore[ACME001] shown\n")
    )
    assert found(run(project, site, "check", ".", "--output-format", "json").stdout) == FOUND[1:]
    assert "declared by the plugin `acme`" in run(project, site, "explain", "train.py:12").stdout


def test_the_shell_completes_its_name(project: Path, site: Path) -> None:
    from click.shell_completion import ShellComplete  # noqa: F401 - what the variable below asks for

    environment = dict(
        os.environ,
        PYTHONPATH=str(site),
        _SYNCLINT_COMPLETE="bash_complete",
        COMP_WORDS="synclint rule AC",
        COMP_CWORD="2",
    )
    code = "from synclint.lint.cli import cli; cli(prog_name='synclint')"
    done = subprocess.run([sys.executable, "-c", code], cwd=project, env=environment, capture_output=True, text=True)
    assert "ACME001" in done.stdout, done.stderr


def test_another_version_of_it_is_not_answered_from_the_cache(project: Path, site: Path, tmp_path: Path) -> None:
    changed = tmp_path / "elsewhere"
    shutil.copytree(site, changed)
    assert found(run(project, site, "check", "train.py", "--output-format", "json").stdout) == FOUND
    rule = changed / "acme_synclint/peek.py"
    rule.write_text(rule.read_text().replace('!= "peek"', '== "peek"'))
    outside = tmp_path.parent / f"{tmp_path.name}_site"
    changed.rename(outside)
    assert found(run(project, outside, "check", "train.py", "--output-format", "json").stdout) == FOUND[1:]


def test_in_the_hook_that_pre_commit_runs(project: Path, site: Path) -> None:
    yaml = pytest.importorskip("yaml")
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    name, *words = shlex.split(hook["entry"])
    assert name == "synclint"
    done = run(project, site, *words, "train.py")
    assert (done.returncode, done.stdout.count("ACME001")) == (1, 1)


def test_in_the_runtime_checker(project: Path, site: Path) -> None:
    pytest.importorskip("torch")
    shown = run(project, site, "verify", "ACME001", "--device", "simulated").stdout
    assert shown.splitlines()[1].split() == ["ACME001", "acme-peek", "14", "14", "1", "-", "modelled"]
    rows = [line.split() for line in run(project, site, "run", "--device", "simulated", "train.py").stderr.splitlines()]
    assert [("confirmed", f"train.py:{row}", code) for row, code in FOUND] == sorted(
        (row[0], row[4], row[5]) for row in rows if row[:1] == ["confirmed"]
    )


def test_in_an_editor(project: Path, site: Path) -> None:
    """The server is spoken to in its own protocol, one message each way."""
    pytest.importorskip("pygls")
    uri = (project / "train.py").as_uri()
    messages = [
        {
            "id": 1,
            "method": "initialize",
            "params": {"processId": None, "rootUri": project.as_uri(), "capabilities": {}},
        },
        {"method": "initialized", "params": {}},
        {
            "method": "textDocument/didOpen",
            "params": {"textDocument": {"uri": uri, "languageId": "python", "version": 0, "text": PROGRAM}},
        },
    ]
    environment = dict(os.environ, PYTHONPATH=str(site), PYTHONSAFEPATH="1")
    command = [sys.executable, "-m", "synclint", "server", "--stdio"]
    with subprocess.Popen(command, cwd=project, env=environment, stdin=-1, stdout=-1) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        for message in messages:
            text = json.dumps({"jsonrpc": "2.0", **message}).encode()
            server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
        server.stdin.flush()
        while True:
            length = 0
            while line := server.stdout.readline().strip():
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            answer = json.loads(server.stdout.read(length))
            if answer.get("method") == "textDocument/publishDiagnostics":
                break
        server.kill()
    diagnostics = answer["params"]["diagnostics"]
    assert [(each["range"]["start"]["line"] + 1, each["code"]) for each in diagnostics] == FOUND
    assert diagnostics[0]["codeDescription"]["href"] == "https://acme.example/lint/acme-peek"


def test_the_runtime_checker_follows_calls_into_the_project_itself(project: Path, site: Path) -> None:
    pytest.importorskip("torch")
    shutil.copy(site / "acme_gpu.py", project)
    rows = [line.split() for line in run(project, site, "run", "--device", "simulated", "train.py").stderr.splitlines()]
    confirmed = {(row[4], row[5]) for row in rows if row[:1] == ["confirmed"]}
    assert {("train.py:10", "ACME001"), ("train.py:11", "SYNC112")} <= confirmed
