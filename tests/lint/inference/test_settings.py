"""What the settings change in inference: hot and cold functions, devices by name, contexts where waiting is meant."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from synclint.lint.rule import all_rules
from synclint.lint.run.engine import run
from synclint.lint.run.file import File
from synclint.lint.settings.config import Settings


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The checkout is a package itself, and would be part of the module's name."""
    monkeypatch.chdir(tmp_path)


def reported(code: str, **settings: Any) -> list[tuple[str, str, str]]:
    result = run(
        [File("m.py", True, dedent(code).encode())], Settings(root=Path().absolute(), **settings), all_rules(), jobs=1
    )
    assert not result.failures
    return [(each.code, each.severity.words, each.frequency.level.words) for each in result.findings]


HELPER = """
    import torch

    def read(x: torch.Tensor) -> float:
        return x.item()
    """


def test_a_helper_on_tensors_is_taken_to_run_every_step() -> None:
    assert reported(HELPER) == [("SYNC101", "warning", "every step")]


@pytest.mark.parametrize("name", ["read", "m.read", "re*"])
def test_a_cold_function_is_silent(name: str) -> None:
    assert reported(HELPER, cold_functions=(name,)) == []


def test_a_hot_function_runs_every_step() -> None:
    code = "import torch\ndef setup_all():\n    torch.ones(3, device='cuda').sum().item()\n"
    assert reported(code) == []
    assert reported(code, hot_functions=("setup_all",)) == [("SYNC101", "error", "every step")]


def test_a_device_by_name_is_on_the_gpu() -> None:
    code = """
        import torch

        for batch in loader:
            torch.zeros(3, device=self.dev).sum().item()
        """
    assert reported(code) == [("SYNC101", "warning", "every step")]
    assert reported(code, gpu_names=("self.dev",)) == [("SYNC101", "error", "every step")]


MADE = """
    import torch

    for batch in torch.utils.data.DataLoader([]):
        {line}
    """


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("torch.zeros(3).tolist()", ["SYNC102"]),
        ("torch.zeros(3, device='cpu').tolist()", []),
        ("torch.from_numpy(batch).tolist()", []),
        ("torch.tensor(3.0)", ["SYNC302"]),
        ("torch.as_tensor(torch.ones(3, device='cpu'))", ["SYNC302"]),
        ("torch.ones(3).to('cuda')", []),
        ("torch.ones(3).where(torch.ones(3) > 0, torch.tensor(0.0)).sum()", ["SYNC302"]),
    ],
)
def test_tensors_are_made_on_the_default_device(line: str, found: list[str]) -> None:
    code = MADE.format(line=line)
    for setting in ({}, {"default_device": "cpu"}):
        assert not [each for each in reported(code, **setting) if each[1] == "error" and "cuda" not in line]
    assert [each[0] for each in reported(code, default_device="cuda:0")] == found


@pytest.mark.parametrize(
    "line",
    [
        "torch.set_default_device('cpu'); torch.zeros(3).tolist()",
        "with torch.device('cpu'): torch.zeros(3).tolist()",
        "with torch.device('cuda'): pass\n        torch.zeros(3, device='cpu').tolist()",
    ],
)
def test_the_default_device_that_the_code_sets_applies_instead(line: str) -> None:
    assert reported(MADE.format(line=line), default_device="cuda") == []


def test_what_the_modules_of_a_package_make_is_made_before_the_default_is_set(tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").write_text("")
    code = """
        import torch

        TABLE = torch.ones(3)


        class Scaled(torch.nn.Module):
            scale = torch.tensor([2.0])

            def forward(self, x):
                legacy = torch.Tensor([3.0]).to("cuda")
                return torch.ones(3).to("cuda") * TABLE.to("cuda") + self.scale.to("cuda") * x + legacy
        """
    file = tmp_path / "package" / "module.py"
    file.write_text(dedent(code))
    settings = Settings(root=tmp_path, default_device="cuda")
    found = run([File(str(file))], settings, all_rules(), jobs=1).findings
    assert [each.message.partition("`")[2].partition("`")[0] for each in found] == [
        'torch.Tensor([3.0]).to("cuda")',
        'TABLE.to("cuda")',
        'self.scale.to("cuda")',
    ]


def test_the_configuration_is_given_as_the_reason() -> None:
    code = dedent(MADE.format(line="torch.zeros(3).tolist()")).encode()
    settings = Settings(root=Path().absolute(), default_device="cuda")
    (finding,) = run([File("m.py", True, code)], settings, all_rules(), jobs=1).findings
    assert "the configuration says that tensors are made on cuda" in [each.message for each in finding.reasons]


def test_waiting_is_meant_in_an_allowed_context() -> None:
    code = """
        import torch
        from tools import allow_sync

        for batch in loader:
            with allow_sync("logging"):
                torch.zeros(3, device="cuda").sum().item()
        """
    assert reported(code) == [("SYNC101", "error", "every step")]
    assert reported(code, allowed_contexts=("allow_sync",)) == []
    assert reported(code, allowed_contexts=("tools.allow_sync",)) == []


WRAPPED = """
    import torch
    import mylib
    from mylib import to_gpu

    class Engine:
        def barrier(self): ...
        def put(self, batch): ...

    def wait_here(): ...

    def train(engine: Engine, x):
        for batch in torch.utils.data.DataLoader([1]):
            {line}
    """


def of_line(line: str, **settings: Any) -> list[str]:
    return [f"{code} {severity}" for code, severity, _ in reported(WRAPPED.format(line=line), **settings)]


@pytest.mark.parametrize(
    "line",
    [
        "to_gpu(torch.ones(3)).sum().item()",
        "mylib.to_gpu(tensor=torch.ones(3)).sum().item()",
        "to_gpu([torch.ones(3)])[0].sum().item()",
        "to_gpu({'x': torch.ones(3)})['x'].sum().item()",
        "Engine().put(torch.ones(3)).sum().item()",
        "engine.put(torch.ones(3)).sum().item()",
        "to_gpu(mylib.unknown())[0].sum().item()",
        "to_gpu(x).sum().item()",
    ],
)
def test_what_a_declared_function_moved_is_on_the_gpu(line: str) -> None:
    assert of_line(line, moves_to_device=("mylib.to_gpu", "m.Engine.put")) == ["SYNC101 error"]


def test_without_the_declaration_it_is_only_assumed_to_be_there() -> None:
    assert of_line("to_gpu(torch.ones(3)).sum().item()") == ["SYNC101 warning"]


@pytest.mark.parametrize(
    "line", ["mylib.wait_all()", "wait_here()", "Engine().barrier()", "engine.barrier()", "(lambda f: f())(wait_here)"]
)
def test_a_call_of_a_function_that_is_declared_to_wait_is_reported(line: str) -> None:
    declared = ("mylib.wait_all", "m.wait_here", "m.Engine.barrier")
    assert of_line(line) == []
    assert of_line(line, waits=declared) == ["SYNC112 error"]
    assert of_line(line, waits=("other.wait_all",)) == []


def test_reading_arguments_matters_where_one_may_be_on_the_device() -> None:
    declared = {"reads_arguments": ("mylib.show",)}
    assert of_line("mylib.show(1, value=torch.ones(3).cuda())", **declared) == ["SYNC112 error", "SYNC302 error"]
    assert of_line("mylib.show(torch.ones(3), 1)", **declared) == []


def test_a_function_of_another_file_is_known_by_where_it_is_defined_and_where_it_is_offered() -> None:
    files = {
        "pack/__init__.py": "from .inner import drain, put\n",
        "pack/inner.py": "import torch\ndef drain(): ...\ndef put(x): ...\n",
        "use.py": "import torch\nfrom pack import drain, put\nfor x in torch.utils.data.DataLoader([1]):\n"
        "    drain()\n    put(torch.ones(3)).sum().item()\n",
    }
    Path("pack").mkdir()
    for name, text in files.items():
        Path(name).write_text(text)
    given = [File(name, True) for name in files]
    for prefix in ("pack", "pack.inner"):
        settings = Settings(root=Path().absolute(), waits=(f"{prefix}.drain",), moves_to_device=(f"{prefix}.put",))
        found = run(given, settings, all_rules(), jobs=1).findings
        assert [each.code for each in found] == ["SYNC112", "SYNC101"], prefix
