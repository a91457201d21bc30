"""A name that stands for types is followed to where another file defines it."""

from __future__ import annotations

from pathlib import Path

import pytest
from synclint.lint.rule import all_rules
from synclint.lint.run.engine import run
from synclint.lint.run.file import File
from synclint.lint.settings.config import Settings

KINDS = """
from typing import Dict, Optional, TypeAlias, Union
from torch import Tensor

class Sparse:
    def max(self): return 3

OptTensor = Optional[Tensor]
Adj = Union[Tensor, Sparse]
Edges = Adj
Named = Dict[str, Tensor]
Limit = Union[int, str]
Triples = Tensor
Rows: TypeAlias = Triples
Other = Sparse
"""

HEAD = """
import torch
import kinds
from handed_on import Adj, Edges, Limit, Named, OptTensor, Sparse

"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kinds.py").write_text(KINDS)
    (tmp_path / "handed_on.py").write_text(
        "from kinds import *\nfrom kinds import Adj, OptTensor, Sparse, Named, Limit, Edges"
    )
    return tmp_path


def reported(here: Path, function: str) -> list[tuple[str, str]]:
    (here / "model.py").write_text(HEAD + function)
    files = [File("kinds.py"), File("handed_on.py"), File("model.py")]
    result = run(files, Settings(root=here), all_rules(), jobs=1)
    assert not result.failures
    return [(each.code, each.severity.words) for each in result.findings]


@pytest.mark.parametrize(
    ("function", "code"),
    [
        ("def forward(batch: OptTensor = None):\n    return int(batch.max())", "SYNC105"),
        ("def forward(batch: kinds.OptTensor):\n    return int(batch.max())", "SYNC105"),
        ("def forward(rows: kinds.Triples):\n    return int(rows.max())", "SYNC105"),
        ("def forward(rows: kinds.Rows):\n    return int(rows.max())", "SYNC105"),
        ("def forward(edges: Adj):\n    return edges[:, edges[0] != edges[1]]", "SYNC203"),
        ("def forward(edges: Edges):\n    return edges[:, edges[0] != edges[1]]", "SYNC203"),
        ("def forward(edges: Adj | None = None):\n    row, col = edges\n    if row.sum() > col.sum(): pass", "SYNC104"),
        ("def forward(named: Named):\n    return named['loss'].tolist()", "SYNC102"),
        ("def forward(x: 'OptTensor'):\n    return torch.ones(3).to(x.device)", "SYNC302"),
    ],
)
def test_a_tensor_by_another_name(here: Path, function: str, code: str) -> None:
    findings = reported(
        here, "class Net(torch.nn.Module):\n    " + function.replace("(", "(self, ", 1).replace("\n", "\n    ")
    )
    assert findings == [(code, "warning")]


@pytest.mark.parametrize(
    "function",
    [
        "def forward(edges: Sparse):\n    return int(edges.max())",
        "def forward(edges: kinds.Other):\n    return int(edges.max())",
        "def forward(limit: Limit, x: torch.Tensor):\n    return x[:int(limit)]",
        "def forward(x: OptTensor, limit: Limit):\n    if limit > 3: return x",
        "def forward(x: OptTensor):\n    if x is None: return 3",
    ],
)
def test_no_tensor_by_another_name(here: Path, function: str) -> None:
    method = function.replace("(", "(self, ", 1).replace("\n", "\n    ")
    assert reported(here, "class Net(torch.nn.Module):\n    " + method) == []


def test_calls_of_methods_by_another_file_s_class_are_followed(here: Path) -> None:
    (here / "kinds.py").write_text("import torch\n\nclass Store:\n    def total(self, x): return x.sum().item()\n")
    (here / "handed_on.py").write_text("from kinds import Store")
    model = "import torch\nfrom handed_on import Store\n\nclass Net(torch.nn.Module):\n"
    (here / "model.py").write_text(
        model + "    def forward(self, x, store: Store):\n        return store.total(x.cuda())\n"
    )
    files = [File("kinds.py"), File("handed_on.py"), File("model.py")]
    findings = run(files, Settings(root=here), all_rules(), jobs=1).findings
    assert [(each.code, each.severity.words) for each in findings] == [("SYNC101", "error")]
