"""What a CUDA graph captures, through calls, and what is reported of it there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from synclint.lint.finding import Finding, Kind, Severity
from synclint.lint.rule import all_rules
from synclint.lint.run.engine import run
from synclint.lint.run.file import File
from synclint.lint.settings.config import Settings

Linted = Callable[..., list[Finding]]
START = """
import torch

x = torch.randn(8, 4, device="cuda")
g = torch.cuda.CUDAGraph()
"""
CAPTURE = START + "with torch.cuda.graph(g):\n    "


def said(found: list[Finding]) -> list[tuple[str, int, str]]:
    """The findings about captures, with their rows and severities."""
    return [(each.code, each.span.row, each.severity.words) for each in found if each.code.startswith("SYNC7")]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("n = x.sum().item()", "SYNC701"),
        ("y = x[x > 0]", "SYNC701"),
        ("y = x.cpu()", "SYNC701"),
        ("print(x)", "SYNC701"),
        ("y = x[[0, 2]]", "SYNC702"),
        ("y = torch.tensor([1.0], device='cuda')", "SYNC702"),
        ("y = torch.ones(4).cuda()", "SYNC702"),
        ("y = torch.ones(4).to('cuda', non_blocking=True)", "SYNC702"),
        ("torch.cuda.synchronize()", "SYNC703"),
        ("torch.cuda.current_stream().synchronize()", "SYNC703"),
        ("torch.cuda.Event().query()", "SYNC703"),
        ("torch.cuda.manual_seed(1)", "SYNC704"),
        ("torch.optim.Adam([x]).step()", "SYNC705"),
    ],
)
def test_what_fails_in_a_capture(linted: Linted, line: str, code: str) -> None:
    found = linted(program=CAPTURE + line + "\n")
    assert [each.code for each in found] == [code]
    assert found[0].kind is Kind.BUG
    assert found[0].severity >= Severity.WARNING
    assert "a CUDA graph is captured here" in {each.message for each in found[0].reasons}


@pytest.mark.parametrize(
    "line",
    [
        "y = torch.where(x > 0, x, 0).sum()",
        "y = torch.ones(4).pin_memory().to('cuda', non_blocking=True)",
        "y = torch.ones(4, device='cuda')",
        "y = torch.rand(4, device='cuda')",
        "torch.optim.SGD([x], 0.1).step()",
        "torch.optim.Adam([x], capturable=True).step()",
        "torch.cuda.current_stream().wait_stream(torch.cuda.Stream())",
    ],
)
def test_what_can_be_captured(linted: Linted, line: str) -> None:
    assert said(linted(program=CAPTURE + line + "\n")) == []


def test_the_same_outside_of_a_capture_is_no_failure(linted: Linted) -> None:
    source = CAPTURE + "y = x * 2\nn = y.sum().item()\n"
    assert said(linted(program=source)) == []


MODEL = """
import torch

class Head(torch.nn.Module):
    def forward(self, x):
        return x[x > 0].mean()

class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.head = torch.nn.Linear(4, 4), Head()

    def forward(self, x):
        return self.head(self.layer(x))
"""


@pytest.mark.parametrize(
    "captures",
    [
        "with torch.cuda.graph(g):\n    y = model(x)\n",
        "g.capture_begin()\ny = model(x)\ng.capture_end()\n",
        "torch.cuda.make_graphed_callables(model, (x,))\n",
        "torch.cuda.make_graphed_callables((model,), ((x,),))\n",
    ],
)
def test_a_capture_reaches_the_modules_of_other_files(linted: Linted, captures: str) -> None:
    start = START.replace("import torch\n", "import torch\nfrom models import Model\n")
    found = linted(models=MODEL, program=f"{start}model = Model().cuda()\n{captures}")
    assert said(found) == [("SYNC701", 6, said(found)[0][2])]
    assert any("capture" in each.message for each in found[0].reasons)


def test_what_stands_behind_the_end_of_a_capture_is_not_captured(linted: Linted) -> None:
    source = START + "g.capture_begin()\ny = x * 2\nz = y.cpu()\ng.capture_end()\nw = y.cpu()\n"
    assert [row for _, row, _ in said(linted(program=source))] == [8]


@pytest.mark.parametrize(
    "test",
    [
        "not torch.cuda.is_current_stream_capturing()",
        "check and not torch.cuda.is_current_stream_capturing()",
        "not is_graph_capturing()",
        "not (torch.cuda.is_current_stream_capturing() or x is None)",
    ],
)
def test_what_runs_only_while_nothing_is_captured_is_left_alone(linted: Linted, test: str) -> None:
    function = f"\ndef f(x, check):\n    if {test}:\n        print(x.sum().item())\n    return x * 2\n"
    source = START.replace("\nx =", f"{function}\nx =") + "with torch.cuda.graph(g):\n    y = f(x, True)\n"
    assert said(linted(program=source)) == []


def test_a_function_that_leaves_while_it_is_captured(linted: Linted) -> None:
    function = "\ndef f(x):\n    if torch.cuda.is_current_stream_capturing():\n        return x\n    return x[x > 0]\n"
    source = START.replace("\nx =", f"{function}\nx =") + "with torch.cuda.graph(g):\n    y = f(x)\n"
    assert said(linted(program=source)) == []


def test_what_runs_only_while_something_is_captured_needs_no_caller(linted: Linted) -> None:
    source = """
import torch

def f(x: torch.Tensor):
    if torch.cuda.is_current_stream_capturing():
        torch.cuda.synchronize()
    return x
"""
    assert said(linted(program=source)) == [("SYNC703", 6, "error")]


def test_a_condition_makes_it_weaker_and_is_told(linted: Linted) -> None:
    function = "\ndef f(x, debug):\n    if debug:\n        print(x.sum().item())\n    return x * 2\n"
    source = START.replace("\nx =", f"{function}\nx =") + "with torch.cuda.graph(g):\n    y = f(x, flag)\n"
    (found,) = [each for each in linted(program=source) if each.code == "SYNC701"]
    assert found.severity is Severity.WARNING
    assert found.message.endswith("that is an error, only if `debug` is true")


def test_an_option_that_nobody_sets_makes_it_weaker(linted: Linted) -> None:
    function = "\ndef f(x, whole):\n    if whole:\n        return x[x > 0]\n    return x * 2\n"
    source = START.replace("\nx =", f"{function}\nx =") + "with torch.cuda.graph(g):\n    y = f(x, flag)\n"
    (found,) = [each for each in linted(program=source) if each.code == "SYNC701"]
    assert found.severity is Severity.WARNING
    assert found.message.endswith("that is an error, where `whole`")


def test_what_runs_once_has_been_done_by_warm_up(linted: Linted) -> None:
    source = """
import torch

class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.mask = None

    def forward(self, x):
        if self.mask is None:
            self.mask = torch.tensor([1.0, 0.0], device="cuda")
        return x * self.mask

model = Model()
g = torch.cuda.CUDAGraph()
with torch.cuda.graph(g):
    y = model(torch.ones(2, device="cuda"))
"""
    assert said(linted(program=source)) == []


def test_functions_that_an_engine_captures_are_configured(tmp_path: Path) -> None:
    source = b"import torch\n\ndef decode(x: torch.Tensor):\n    return x.cuda().sum().item()\n"
    rules = [rule for rule in all_rules() if rule.kind is not Kind.META]
    file = File("engine.py", named=True, data=source)
    settings = Settings(captured_functions=("engine.decode",))
    found = run([file], settings, rules, jobs=1).findings
    assert [each.code for each in found] == ["SYNC701"]
    assert "`decode`: the configuration lists it as captured" in {each.message for each in found[0].reasons}


def test_a_wait_is_reported_once(linted: Linted) -> None:
    """What fails is no wait: nobody is told how long it would take."""
    source = CAPTURE + "for _ in range(3):\n        n = x.sum().item()\n"
    assert [each.code for each in linted(program=source)] == ["SYNC701"]


# -- what is bound anew before a replay --------------------------------------------------------------------------------

REPLAYS = (
    START
    + """w = torch.ones(4, 4, device="cuda")
scale = 1.0
with torch.cuda.graph(g):
    y = x @ w * scale
"""
)


@pytest.mark.parametrize(
    ("later", "code"),
    [
        ("scale = 2.0\ng.replay()\n", "SYNC706"),
        ("scale += 1\ng.replay()\n", "SYNC706"),
        ("for i in range(3):\n    scale = 0.5**i\n    g.replay()\n", "SYNC706"),
        ("for i in range(3):\n    g.replay()\n    scale = 0.5**i\n", "SYNC706"),
        ("x = torch.ones(8, 4, device='cuda')\ng.replay()\n", "SYNC707"),
        ("for b in torch.randn(3, 8, 4):\n    x = b.cuda()\n    g.replay()\n", "SYNC707"),
    ],
)
def test_what_a_replay_never_sees(linted: Linted, later: str, code: str) -> None:
    assert [each for each, _, _ in said(linted(program=REPLAYS + later))] == [code]


@pytest.mark.parametrize(
    "later",
    [
        "g.replay()\nscale = 2.0\n",
        "scale = 1.0\ng.replay()\n",
        "x.copy_(torch.ones(8, 4))\ng.replay()\n",
        "x = x.copy_(torch.ones(8, 4))\ng.replay()\n",
        "x += 1\ng.replay()\n",
        "y = torch.ones(8, 4, device='cuda')\ng.replay()\n",
        "x = torch.ones(8, 4, device='cuda')\ng = torch.cuda.CUDAGraph()\ng.replay()\n",
        "if flag:\n    x = torch.ones(8, 4, device='cuda')\ng.replay()\n",
        "def f():\n    x = torch.ones(8, 4, device='cuda')\n    g.replay()\n",
    ],
)
def test_what_a_replay_sees_or_may_see(linted: Linted, later: str) -> None:
    assert said(linted(program=REPLAYS + later)) == []


def test_an_attribute_that_another_method_binds_before_it_replays(linted: Linted) -> None:
    source = """
import torch

class Runner:
    def __init__(self, model):
        self.model = model
        self.graph = torch.cuda.CUDAGraph()
        self.inputs = torch.zeros(8, 4, device="cuda")

    def capture(self):
        with torch.cuda.graph(self.graph):
            self.outputs = self.model(self.inputs)

    def __call__(self, batch):
        self.inputs = batch.cuda()
        self.graph.replay()
        return self.outputs
"""
    assert [(code, row) for code, row, _ in said(linted(program=source))] == [("SYNC707", 15)]
    copies = source.replace("self.inputs = batch.cuda()", "self.inputs.copy_(batch)")
    assert said(linted(program=copies)) == []
