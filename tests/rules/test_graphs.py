"""What is reported of functions and layers of PyTorch Geometric, torch_scatter and torch_cluster."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from synclint import check_paths
from synclint.lint.finding import Finding

HEAD = """
import torch_cluster, torch_scatter
import torch_geometric.nn as gnn
import torch_geometric.utils as graphs
from torch import nn
edges = torch.stack([ids, ids])
"""

WAITING = (
    "torch_scatter.scatter(x, ids, dim=0)",
    "torch_scatter.scatter_max(x, ids, 0, None, None)",
    "torch_scatter.composite.scatter_softmax(x, ids, 0)",
    "graphs.scatter(x, ids)",
    "graphs.softmax(x, ids)",
    "graphs.degree(ids, dtype=torch.float)",
    "graphs.add_self_loops(edges)",
    "graphs.remove_self_loops(edges)[0]",
    "graphs.subgraph(mask[0], edges, num_nodes=8)",
    "graphs.coalesce(edges)",
    "graphs.to_dense_batch(x, ids, batch_size=2)",
    "torch_cluster.radius_graph(x, 1.0, batch=ids, batch_size=2)",
    "torch_cluster.knn(x=x, y=x, k=3)",
    "gnn.fps(x, ids)",
    "gnn.global_mean_pool(x, ids)",
    "gnn.pool.global_mean_pool(x, ids, None)",
)
SILENT = (
    "torch_scatter.scatter(x, ids, dim=0, dim_size=8)",
    "torch_scatter.scatter_mean(x, ids, 0, x)",
    "torch_scatter.segment_csr(x, ids)",
    "graphs.scatter(x, ids, 0, count)",
    "graphs.softmax(x, ids, None, count)",
    "graphs.softmax(x, ptr=ids)",
    "graphs.softmax(x, ids, None, 8 if count else None)",
    "graphs.degree(ids, x.size(0))",
    "graphs.add_self_loops(edges, num_nodes=8)",
    "graphs.to_dense_batch(x)",
    "graphs.to_dense_batch(host, host_ids)",
    "graphs.mask_feature(x)",
    "gnn.global_mean_pool(x, ids, size=2)",
    "gnn.global_mean_pool(x, None)",
)


@pytest.mark.parametrize("call", WAITING)
def test_functions_that_wait(waits: Callable[..., list[Finding]], call: str) -> None:
    assert [(each.code, each.severity.words) for each in waits(HEAD + call)] == [("SYNC208", "error")]


@pytest.mark.parametrize("call", SILENT)
def test_functions_that_do_not(waits: Callable[..., list[Finding]], call: str) -> None:
    assert waits(HEAD + call) == []


def test_what_to_pass_instead(waits: Callable[..., list[Finding]]) -> None:
    (finding,) = waits(f"{HEAD}gnn.global_add_pool(x, ids)")
    assert finding.instead.startswith("Pass `size=`")


@pytest.mark.parametrize(
    ("made", "call"),
    [
        ("gnn.GCNConv(4, 4)", "layer(x, edges)"),
        ("gnn.GCNConv(4, 4, cached=False, add_self_loops=None)", "layer(x, edge_index=edges)"),
        ("gnn.conv.GATConv(4, 4, heads=2)", "layer(x, edges)"),
        ("gnn.GCN2Conv(4, 0.1)", "layer(x, x, edges)"),
        ("gnn.TopKPooling(4)", "layer(x, edges, batch=ids)"),
        ("gnn.GraphNorm(4)", "layer(x, ids)"),
        ("gnn.SumAggregation()", "layer(x, ids)"),
        ("gnn.MeanAggregation()", "layer(x, index=ids)"),
        ("nn.ModuleList([gnn.GATv2Conv(4, 4)])", "for each in layer:\n    x = each(x, edges)"),
    ],
)
def test_layers_that_wait(waits: Callable[..., list[Finding]], made: str, call: str) -> None:
    assert [each.code for each in waits(f"{HEAD}layer = {made}.cuda()\n{call}")] == ["SYNC505"]


@pytest.mark.parametrize(
    ("made", "call"),
    [
        ("gnn.GCNConv(4, 4, cached=True)", "layer(x, edges)"),
        ("gnn.GCNConv(4, 4, False, True)", "layer(x, edges)"),
        ("gnn.GCNConv(4, 4, normalize=False)", "layer(x, edges)"),
        ("gnn.GCNConv(4, 4, cached=dataset.is_one)", "layer(x, edges)"),
        ("gnn.GCNConv(4, 4, **dataset.options)", "layer(x, edges)"),
        ("gnn.GATConv(4, 4, add_self_loops=False)", "layer(x, edges)"),
        ("gnn.SAGEConv(4, 4)", "layer(x, edges)"),
        ("(gnn.SAGEConv if count else gnn.GCNConv)(4, 4)", "layer(x, edges)"),
        ("gnn.GraphNorm(4)", "layer(x)"),
        ("gnn.GraphNorm(4)", "layer(x, ids, 2)"),
        ("gnn.SumAggregation()", "layer(x, ids, dim_size=4)"),
        ("gnn.GCNConv(4, 4)", "layer(host, torch.stack([host_ids, host_ids]))"),
    ],
)
def test_layers_that_do_not(waits: Callable[..., list[Finding]], made: str, call: str) -> None:
    assert [each.code for each in waits(f"{HEAD}layer = {made}.cuda()\n{call}")] == []


def test_edges_are_tensors(lint_file: Callable[[str], list[Finding]]) -> None:
    found = lint_file("""
import torch
from torch_geometric.nn import GCNConv, global_mean_pool


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = GCNConv(4, 4)

    def forward(self, data):
        x = self.layer(data.x, data.edge_index)
        return global_mean_pool(x, data.batch)
""")
    assert [(each.code, each.severity.words) for each in found] == [("SYNC505", "warning"), ("SYNC208", "warning")]


def test_what_a_kept_function_is_given_is_a_tensor(lint_file: Callable[[str], list[Finding]]) -> None:
    found = lint_file("""
import torch
from torch_geometric.nn import Set2Set, global_add_pool, global_mean_pool


class Net(torch.nn.Module):
    def __init__(self, pool):
        super().__init__()
        if pool == "sum":
            self.pool = global_add_pool
        elif pool == "mean":
            self.pool = global_mean_pool
        else:
            self.pool = Set2Set(4, processing_steps=2)

    def forward(self, data):
        return self.pool(data.x, data.batch)


class Chosen(torch.nn.Module):
    def __init__(self, normal):
        super().__init__()
        self.aggregate = Set2Set(4, 2) if normal else Set2Set(8, 2)
        self.layer = torch.nn.Linear(4, 4) if normal else global_add_pool

    def forward(self, data):
        return self.aggregate(data.x, index=data.batch), self.layer(data.x, batch=data.batch)
""")
    assert [(each.span.row, each.code, each.severity.words) for each in found] == [
        (17, "SYNC208", "warning"),
        (27, "SYNC505", "warning"),
        (27, "SYNC208", "warning"),
    ]


def test_in_the_library_itself_what_waits_is_told_where_it_does(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    package = tmp_path / "torch_geometric" / "utils"
    package.mkdir(parents=True)
    (package.parent / "__init__.py").touch()
    (package / "__init__.py").write_text("from .softmax import softmax\n")
    (package / "softmax.py").write_text("def softmax(src, index):\n    return src[int(index.max())]\n")
    text = (
        "import torch_geometric.utils as graphs\n\ndef layer(edges, x):\n    return graphs.softmax(x.cuda(), edges)\n"
    )
    (tmp_path / "example.py").write_text(text)
    assert {each.code for each in check_paths([tmp_path])} == {"SYNC105"}
    (package / "softmax.py").write_text("")
    assert {each.code for each in check_paths([tmp_path])} == {"SYNC208"}


LAYER = """
from torch import nn

class GCNConv(nn.Module):
    def forward(self, x, edge_index):
        return x[int(edge_index.max())]
"""
LAYERS = """
from torch import nn
from torch_geometric.nn import GCNConv

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([GCNConv(), GCNConv()])

    def forward(self, x, edge_index):
        for layer in self.layers:
            x = layer(x.cuda(), edge_index.cuda())
        return x
"""


def test_layers_in_a_list_are_those_of_the_library_itself(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    package = tmp_path / "torch_geometric" / "nn"
    package.mkdir(parents=True)
    (package.parent / "__init__.py").touch()
    (package / "__init__.py").write_text("from .gcn_conv import GCNConv\n")
    (package / "gcn_conv.py").write_text(LAYER)
    (tmp_path / "net.py").write_text(LAYERS)
    assert "SYNC505" not in {each.code for each in check_paths([tmp_path])}
    (package / "gcn_conv.py").write_text("")
    assert "SYNC505" in {each.code for each in check_paths([tmp_path])}
