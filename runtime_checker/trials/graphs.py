"""Trials of PyTorch Geometric: functions and layers with and without the arguments that avoid the wait."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from typing import Final

from .programs import prepared
from .trial import Trial

SETUP: Final = "import torch_geometric.utils as U, torch_geometric.nn as N; g = torch.stack([i, i.flip(0)])"

FUNCTIONS: Final[dict[str, tuple[tuple[int, str], ...]]] = {
    "scatter": ((1, "U.scatter(u, i)"), (0, "U.scatter(u, i, dim_size=4)"), (0, "U.scatter(u, i, 0, 4, 'mean')")),
    "softmax": ((1, "U.softmax(v, i)"), (0, "U.softmax(v, i, num_nodes=4)")),
    "degree": ((1, "U.degree(i)"), (0, "U.degree(i, 4)")),
    "add_self_loops": ((1, "U.add_self_loops(g)"), (0, "U.add_self_loops(g, v, 1.0, 4)")),
    "maybe_num_nodes": ((1, "U.num_nodes.maybe_num_nodes(g)"), (0, "U.num_nodes.maybe_num_nodes(g, 4)")),
    "sort_edge_index": ((1, "U.sort_edge_index(g)"), (0, "U.sort_edge_index(g, num_nodes=4)")),
    "remove_self_loops": ((1, "U.remove_self_loops(g)"), (2, "U.remove_self_loops(g, v)")),
    "add_remaining_self_loops": ((1, "U.add_remaining_self_loops(g, num_nodes=4)"),),
    "segregate_self_loops": ((1, "U.segregate_self_loops(g)"),),
    "get_laplacian": ((1, "U.get_laplacian(g, num_nodes=4)"),),
    "contains_self_loops": ((1, "U.contains_self_loops(g)"),),
    "is_undirected": ((1, "U.is_undirected(g, num_nodes=4)"),),
    "coalesce": ((1, "U.coalesce(g, v, 4)"),),
    "to_undirected": ((1, "U.to_undirected(g, num_nodes=4)"),),
    "subgraph": ((1, "U.subgraph(m, g)"), (1, "U.subgraph(i[:2], g, num_nodes=4)")),
    "k_hop_subgraph": ((1, "U.k_hop_subgraph(1, 2, g, num_nodes=4)"),),
    "dropout_adj": ((1, "U.dropout_adj(g)"),),
    "dropout_edge": ((1, "U.dropout_edge(g)"),),
    "dropout_node": ((1, "U.dropout_node(g, num_nodes=4)"),),
    "negative_sampling": ((1, "U.negative_sampling(g, 4)"), (1, "U.negative_sampling(g, 4, 2, method='dense')")),
    "batched_negative_sampling": ((1, "U.batched_negative_sampling(g, i * 0)"),),
    "structured_negative_sampling": ((1, "U.structured_negative_sampling(g, 4)"),),
    "dense_to_sparse": ((1, "U.dense_to_sparse(u)"),),
    "index_to_mask": ((1, "U.index_to_mask(i)"),),
    "mask_to_index": ((1, "U.mask_to_index(m)"),),
    "to_dense_batch": (
        (2, "U.to_dense_batch(u, i)"), (0, "U.to_dense_batch(u)"), (1, "U.to_dense_batch(u, i, 0.0, 2, 4)"),
    ),
    "to_dense_adj": ((1, "U.to_dense_adj(g)"), (1, "U.to_dense_adj(g, i * 0, max_num_nodes=4, batch_size=1)")),
    "unbatch": ((1, "U.unbatch(u, i)"), (1, "U.unbatch(u, i, batch_size=4)")),
    "unbatch_edge_index": ((1, "U.unbatch_edge_index(g, i)"),),
    **{
        f"global_{name}_pool": ((1, f"N.global_{name}_pool(u, i)"), (0, f"N.global_{name}_pool(u, i, size=4)"))
        for name in ("add", "mean", "max")
    },
}  # fmt: skip
"""Last name of a function -> calls, each with the least number of waits."""

OF_EXTENSIONS: Final = frozenset(("radius", "knn", "radius_graph", "knn_graph", "nearest", "fps"))
"""Functions that PyTorch Geometric has only with an extension, in CUDA, whose source was read."""

GRAPH: Final = "it(u, g)"
LOOPS: Final = ("", "add_self_loops=False")
NORMALIZED: Final = (*LOOPS, "normalize=False", "cached=True")
LAYERS: Final[dict[str, tuple[str, tuple[str, ...], str]]] = {
    "GCNConv": ("4, 4", NORMALIZED, GRAPH),
    "GCN2Conv": ("4, 0.1", NORMALIZED, "it(u, u, g)"),
    "FAConv": ("4", LOOPS, "it(u, u, g)"),
    "APPNP": ("2, 0.1", NORMALIZED, GRAPH),
    "DNAConv": ("4", LOOPS, "it(u[:, None], g)"),
    "SGConv": ("4, 4", (*LOOPS, "cached=True"), GRAPH),
    "SSGConv": ("4, 4, 0.5", (*LOOPS, "cached=True"), GRAPH),
    "EGConv": ("4, 4, num_heads=2", (*LOOPS, "cached=True"), GRAPH),
    "MixHopConv": ("4, 4", LOOPS, GRAPH),
    "GATConv": ("4, 4", LOOPS, GRAPH),
    "GATv2Conv": ("4, 4", LOOPS, GRAPH),
    "SuperGATConv": ("4, 4", ("",), GRAPH),
    "AGNNConv": ("", LOOPS, GRAPH),
    "FeaStConv": ("4, 4", LOOPS, GRAPH),
    "PointNetConv": ("", LOOPS, "it(u, u, g)"),
    "PointTransformerConv": ("4, 4", LOOPS, "it(u, u[:, :3], g)"),
    "ClusterGCNConv": ("4, 4", ("",), GRAPH),
    "ChebConv": ("4, 4, 3", ("",), GRAPH),
    "GCN": ("4, 4, 2", NORMALIZED, GRAPH),
    "GAT": ("4, 4, 2", LOOPS, GRAPH),
    "MFConv": ("4, 4", ("",), GRAPH),
    "RGCNConv": ("4, 4, 2", ("",), "it(u, g, i % 2)"),
    "GPSConv": ("4, None, heads=2", ("",), GRAPH),
    "HypergraphConv": ("4, 4", ("",), GRAPH),
    "TopKPooling": ("4", ("",), GRAPH),
    "SAGPooling": ("4", ("",), GRAPH),
    "ASAPooling": ("4", ("",), GRAPH),
    "GraphUNet": ("4, 4, 4, 2", ("",), GRAPH),
    "EdgePooling": ("4", ("",), "it(u, g, i * 0)"),
    "AttentiveFP": ("4, 4, 4, 1, 1, 1", ("",), "it(u, g, v[:, None], i * 0)"),
    "Set2Set": ("4, 2", ("",), "it(u, i)"),
    "SortAggregation": ("2", ("",), "it(u, i)"),
    "GraphNorm": ("4", ("",), "it(u, i)"),
    "InstanceNorm": ("4", ("",), "it(u, i)"),
    "PairNorm": ("", ("",), "it(u, i)"),
    "GraphSizeNorm": ("", ("",), "it(u, i)"),
    "MeanSubtractionNorm": ("", ("",), "it(u, i)"),
    "AttentionalAggregation": ("nn.Linear(4, 1)", ("",), "it(u, i)"),
    "MultiAggregation": ("['mean', 'max']", ("",), "it(u, i)"),
    "DegreeScalerAggregation": ("'mean', 'identity', torch.tensor([0, 4])", ("",), "it(u, i)"),
    "EquilibriumAggregation": ("4, 4, [4], 1", ("",), "it(u, i)"),
    **{
        f"{name}Aggregation": ("", ("",), "it(u, i)")
        for name in ("Sum", "Mean", "Max", "Min", "Mul", "Var", "Std", "Softmax", "PowerMean")
    },
}  # fmt: skip
"""Last name of a layer -> its constructor's arguments, others that are tried with them, and a call."""

SPARED: Final = (
    ("HypergraphConv", "4, 4", "it(u, g, num_edges=4)"),
    ("GraphNorm", "4", "it(u, i, 4)"),
    ("GraphNorm", "4", "it(u)"),
    ("InstanceNorm", "4", "it(u, i, batch_size=4)"),
    ("PairNorm", "", "it(u, i, 4)"),
    ("GraphSizeNorm", "", "it(u, i, 4)"),
    ("MeanSubtractionNorm", "", "it(u, i, dim_size=4)"),
    ("Set2Set", "4, 2", "it(u, i, dim_size=4)"),
    ("SumAggregation", "", "it(u, i, dim_size=4)"),
    ("SumAggregation", "", "it(u, ptr=n.long().cumsum(0))"),
    ("SAGEConv", "4, 4", GRAPH),
    ("GINConv", "linear()", GRAPH),
    ("GraphConv", "4, 4", GRAPH),
    ("TransformerConv", "4, 4", GRAPH),
    ("EdgeConv", "nn.Linear(8, 4)", GRAPH),
    ("TAGConv", "4, 4", GRAPH),
)
"""Layers that do not wait, by their call or at all."""


def graph_trials() -> Iterator[Trial]:
    """Yield the trials of functions and layers; none without PyTorch Geometric."""
    if find_spec("torch_geometric") is None:
        return
    for name, calls in FUNCTIONS.items():
        for waits, call in calls:
            yield _trial(name, "", call, waits)
    for name, (given, variants, call) in LAYERS.items():
        for variant in variants:
            made = _made(name, ", ".join(filter(None, (given, variant))))
            before = f"; {call}" if variant == "cached=True" else ""
            yield _trial(name, made + before, call, int(not variant))
    for name, given, call in SPARED:
        yield _trial(name, _made(name, given), call, 0)


def _made(name: str, given: str) -> str:
    return f"it = N.{name}({given}).to(D)"


def _trial(name: str, made: str, call: str, waits: int) -> Trial:
    program = "; ".join(filter(None, (SETUP, made, call)))
    return Trial(f"graphs {name}", program, waits, partial(prepared, program))
