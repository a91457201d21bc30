"""Questions that lead to each other are answered the same whichever is asked first, and by whatever file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from pathlib import Path

import pytest
from synclint.lint.files.modules import Modules
from synclint.lint.files.source import Source, parse
from synclint.lint.inference.linking.index.reads import Unnoted
from synclint.lint.inference.linking.link import link
from synclint.lint.inference.linking.resolving.questions import Questions
from synclint.lint.inference.notes.operations import Operation
from synclint.lint.inference.notes.summary import FileSummary
from synclint.lint.inference.reading.interpreter import analyse
from synclint.lint.rule import all_rules
from synclint.lint.run.engine import run
from synclint.lint.run.file import File
from synclint.lint.settings.config import Settings

ATTRIBUTES = {
    "a.py": """
import torch
from b import B

class A:
    def __init__(self):
        self.x = B().y
        self.x = torch.ones(3, device="cuda")

a = A().x.item()
""",
    "b.py": """
import torch
from c import C

class B:
    def __init__(self):
        self.y = C().z

b = B().y.item()
""",
    "c.py": """
import torch
from a import A

class C:
    def __init__(self):
        self.z = A().x
        self.z = torch.ones(3).pin_memory()

c = C().z.item()
""",
}
RESULTS = {
    "a.py": """
import torch
from b import g

def f(n, x):
    if n:
        return g(n, x) + 1
    return torch.ones(3, device="cuda")

f(2, torch.ones(1)).item()
""",
    "b.py": """
import torch
from c import h

def g(n, x):
    if n > 1:
        return x
    return h(n, x).sum()

g(3, torch.ones(1, device="cuda")).item()
""",
    "c.py": """
import torch
from a import f

def h(n, y):
    y = f(n - 1, y)
    return y.max() if n else y > 0

h(3, torch.ones(2)).item()
""",
}
PARAMETERS = {
    "a.py": """
import torch
from b import g

def f(x, y):
    x.item()
    g(y, x)
""",
    "b.py": """
import torch
from c import h

def g(x, y):
    x.item()
    h(x, y + 1)
    h(torch.ones(2, device="cuda"), y)
""",
    "c.py": """
import torch
from a import f

def h(x, y):
    y.item()
    f(y, x > 0)

h(3, torch.ones(2))
""",
}
CALLERS = {
    "a.py": """
from b import g

def f(x: "torch.Tensor", y):
    x.item()
    g(x)
""",
    "b.py": """
import torch
from c import h

def g(x: torch.Tensor):
    x.item()
    for _ in range(3):
        h(x)
""",
    "c.py": """
import torch
from a import f
from b import g

def h(x: torch.Tensor):
    x.item()
    f(x, 1)

def train(loader, model, optimizer):
    for x in loader:
        h(x.cuda())
        optimizer.step()
""",
}
PROJECTS = {"attributes": ATTRIBUTES, "results": RESULTS, "parameters": PARAMETERS, "callers": CALLERS}


def summaries(files: Mapping[str, str]) -> list[FileSummary]:
    modules = Modules(".", list(files))
    found = []
    for name, text in files.items():
        source = parse(text.encode(), name)
        assert isinstance(source, Source)
        found.append(analyse(source, modules))
    return found


def by_file(operations: Sequence[Operation]) -> dict[str, list[Operation]]:
    found: dict[str, list[Operation]] = {}
    for each in operations:
        found.setdefault(each.span.filename, []).append(each)
    return found


@pytest.mark.parametrize("name", PROJECTS)
def test_each_file_alone_and_all_in_any_order(name: str) -> None:
    every = summaries(PROJECTS[name])
    orders = [by_file([*link(order, Settings())]) for order in permutations(every)]
    alone = {each.filename: [*link(every, Settings(), [each.filename])] for each in every}
    assert alone
    for order in orders:
        assert order == alone


ENDLESS = """
import torch

class Info:
    def __init__(self, info):
        self.info = info

    def __getitem__(self, item):
        return self.info[item]

def choose(net):
    info = net.info
    return info if isinstance(info, Info) else Info(net.info)

class Net(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.info = choose(model)
        for each in self.info:
            self.width = Info(each)
        self.model = Net(Net(model))

    def forward(self, x):
        return x[: self.info[0]["n"]].sum().item()
"""


def test_a_circle_that_leads_to_other_questions_each_time_ends(here: Path) -> None:
    (here / "model.py").write_text(ENDLESS)
    result = run([File("model.py")], Settings(root=here), all_rules(), jobs=1)
    assert not result.failures
    assert [each.code for each in result.findings] == ["SYNC101"]


def test_answers_are_let_go_when_all_questions_have_been_asked() -> None:
    questions = Questions(Unnoted())
    answers = questions.kept(lambda key: None)
    assert questions.remembered("key", lambda about: about + 1, 1, answers, 0) == 2
    assert "key" in answers
    questions.let_go()
    assert not answers
