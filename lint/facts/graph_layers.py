"""Layers of PyTorch Geometric whose calls wait: for which of their arguments, and how they are made not to.

Source: PyTorch Geometric 2.8 `nn/conv/`, `nn/norm/`, `nn/pool/`, `nn/aggr/`, `nn/models/`. Each row was run.
"""

from __future__ import annotations

from typing import NamedTuple

SELF_LOOPS = "looks for edges from a node to itself by a mask"
GRAPHS = "reads the largest number of a graph to size the result"


class Layer(NamedTuple):
    """One row: the parameters of `forward`, the last of which is waited for; those of the constructor, as far as known.

    `spared` are arguments of the constructor with which there is no wait, `given` those of the call.
    """

    because: str
    forward: tuple[str, ...]
    made: tuple[str, ...] = ()
    spared: tuple[tuple[str, bool], ...] = ()
    given: tuple[str, ...] = ()

    @property
    def reads(self) -> str:
        """The parameter of `forward` that is waited for."""
        return self.forward[-1]


_EDGES = ("x", "edge_index")
_OFF = ("add_self_loops", False)
_NORMALIZED = (("cached", True), _OFF, ("normalize", False))
_IN_OUT = ("in_channels", "out_channels")
_ATTENTION = (*_IN_OUT, "heads", "concat", "negative_slope", "dropout", "add_self_loops")
_AGGREGATIONS = (
    *("Sum", "Mean", "Max", "Min", "Mul", "Var", "Std", "Softmax", "PowerMean", "Multi"),
    *("Attentional", "DegreeScaler", "Equilibrium"),
)

LAYERS: dict[str, Layer] = {
    "GCNConv": Layer(SELF_LOOPS, _EDGES, (*_IN_OUT, "improved", "cached", "add_self_loops", "normalize"), _NORMALIZED),
    "GCN2Conv": Layer(
        SELF_LOOPS,
        ("x", "x_0", "edge_index"),
        ("channels", "alpha", "theta", "layer", "shared_weights", "cached", "add_self_loops", "normalize"),
        _NORMALIZED,
    ),
    "FAConv": Layer(
        SELF_LOOPS,
        ("x", "x_0", "edge_index"),
        ("channels", "eps", "dropout", "cached", "add_self_loops", "normalize"),
        _NORMALIZED,
    ),
    "APPNP": Layer(SELF_LOOPS, _EDGES, ("K", "alpha", "dropout", "cached", "add_self_loops", "normalize"), _NORMALIZED),
    "DNAConv": Layer(
        SELF_LOOPS,
        _EDGES,
        ("channels", "heads", "groups", "dropout", "cached", "normalize", "add_self_loops"),
        _NORMALIZED,
    ),
    "SGConv": Layer(SELF_LOOPS, _EDGES, (*_IN_OUT, "K", "cached", "add_self_loops"), _NORMALIZED[:2]),
    "SSGConv": Layer(SELF_LOOPS, _EDGES, (*_IN_OUT, "alpha", "K", "cached", "add_self_loops"), _NORMALIZED[:2]),
    "EGConv": Layer(
        SELF_LOOPS,
        _EDGES,
        (*_IN_OUT, "aggregators", "num_heads", "num_bases", "cached", "add_self_loops"),
        _NORMALIZED[:2],
    ),
    "MixHopConv": Layer(SELF_LOOPS, _EDGES, (*_IN_OUT, "powers", "add_self_loops"), (_OFF,)),
    "GATConv": Layer(SELF_LOOPS, _EDGES, _ATTENTION, (_OFF,)),
    "GATv2Conv": Layer(SELF_LOOPS, _EDGES, _ATTENTION, (_OFF,)),
    "SuperGATConv": Layer(SELF_LOOPS, _EDGES, _ATTENTION, (_OFF,)),
    "AGNNConv": Layer(SELF_LOOPS, _EDGES, ("requires_grad", "add_self_loops"), (_OFF,)),
    "FeaStConv": Layer(SELF_LOOPS, _EDGES, (*_IN_OUT, "heads", "add_self_loops"), (_OFF,)),
    "PointNetConv": Layer(SELF_LOOPS, ("x", "pos", "edge_index"), ("local_nn", "global_nn", "add_self_loops"), (_OFF,)),
    "PointTransformerConv": Layer(
        SELF_LOOPS, ("x", "pos", "edge_index"), (*_IN_OUT, "pos_nn", "attn_nn", "add_self_loops"), (_OFF,)
    ),
    "ClusterGCNConv": Layer(SELF_LOOPS, _EDGES, (*_IN_OUT, "diag_lambda", "add_self_loops"), (_OFF,)),
    "ChebConv": Layer(SELF_LOOPS, _EDGES),
    "GCN": Layer(SELF_LOOPS, _EDGES, (), _NORMALIZED),
    "GAT": Layer(SELF_LOOPS, _EDGES, (), (_OFF,)),
    "MFConv": Layer("selects the nodes of each degree with `nonzero`", _EDGES),
    "RGCNConv": Layer("looks for the edges of each relation, or counts them", ("x", "edge_index", "edge_type")),
    "GPSConv": Layer("pads the graphs to the largest, and takes the padding out by a mask", ("x",)),
    "HypergraphConv": Layer("reads how many hyperedges there are", ("x", "hyperedge_index"), given=("num_edges",)),
    "TopKPooling": Layer("selects nodes and edges by masks", _EDGES),
    "SAGPooling": Layer("selects nodes and edges by masks", _EDGES),
    "ASAPooling": Layer("selects nodes and edges by masks", _EDGES),
    "GraphUNet": Layer("selects nodes and edges by masks", _EDGES),
    "EdgePooling": Layer("merges edges on the host", _EDGES),
    "AttentiveFP": Layer(GRAPHS, ("x", "edge_index", "edge_attr", "batch")),
    "Set2Set": Layer(GRAPHS, ("x", "index"), given=("ptr", "dim_size")),
    "SortAggregation": Layer("pads the graphs to the largest", ("x", "index")),
    "GraphNorm": Layer(GRAPHS, ("x", "batch"), given=("batch_size",)),
    "InstanceNorm": Layer(GRAPHS, ("x", "batch"), given=("batch_size",)),
    "PairNorm": Layer(GRAPHS, ("x", "batch"), given=("batch_size",)),
    "GraphSizeNorm": Layer(GRAPHS, ("x", "batch"), given=("batch_size",)),
    "MeanSubtractionNorm": Layer(GRAPHS, ("x", "batch"), given=("dim_size",)),
    **{f"{name}Aggregation": Layer(GRAPHS, ("x", "index"), given=("ptr", "dim_size")) for name in _AGGREGATIONS},
}
"""Last name of a class in `torch_geometric.nn` -> its row."""

WITH_LOADER = frozenset(("Node2Vec", "MetaPath2Vec"))
"""Last names of models there whose `loader(**options)` makes a DataLoader with these options, which yields walks.

Source: PyTorch Geometric 2.8 `nn/models/node2vec.py`, `metapath2vec.py`.
"""


def layer_of(cls: str) -> Layer | None:
    """Return the row of a class, given by its full name."""
    return LAYERS.get(cls.rpartition(".")[2]) if cls.startswith("torch_geometric.nn.") else None


def calls_layer(function: str) -> bool:
    """Whether a function, given by its full name, is the call of such a layer."""
    cls, _, method = function.rpartition(".")
    return method == "__call__" and layer_of(cls) is not None


def makes_loader(cls: str, method: str) -> bool:
    """Whether a method of a class, given by its full name, makes a DataLoader."""
    return method == "loader" and cls.startswith("torch_geometric.nn.") and cls.rpartition(".")[2] in WITH_LOADER
