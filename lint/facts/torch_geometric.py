"""Functions of PyTorch Geometric, torch_scatter and torch_cluster: what they return, and which of them wait.

Sources: PyTorch Geometric 2.8 `utils/`, `nn/pool/`; torch_scatter 2.1.2 `torch_scatter/scatter.py`, `composite/` and
`csrc/cuda/`; torch_cluster 1.6.3 `torch_cluster/` and `csrc/cuda/`. The functions of PyTorch Geometric were run, but
for those that need an extension: `radius`, `knn` and the like. A graph's functions have names that others have too,
so that all rows go by full names.
"""

from __future__ import annotations

from .torch_ops import Wait

UTILS = "torch_geometric.utils"
POOLING = ("torch_geometric.nn", "torch_geometric.nn.pool", "torch_geometric.nn.glob")
CLUSTERS = ("torch_cluster", *POOLING[:2])

_BY_LARGEST = "reads the largest index to size the result"
_BY_LARGEST_NODE = "reads the largest index to count the nodes"
_REDUCED = "tensor args like first | src:t index:t"
_REDUCING = tuple(f"scatter_{name}" for name in ("sum", "add", "mul", "mean"))
_CHOOSING = ("scatter_min", "scatter_max")
_SEGMENTS = ("segment_coo", *(f"segment_{name}_coo" for name in ("sum", "add", "mean")))
_SCATTER_MODULES = ("torch_scatter", "torch_scatter.scatter")
_COMPOSITE = ("torch_scatter", "torch_scatter.composite")


def _named(modules: tuple[str, ...], *names: str) -> tuple[str, ...]:
    return tuple(f"{module}.{name}" for module in modules for name in names)


_SCATTER: dict[str, str] = {
    f"{UTILS}.scatter": f"{_REDUCED} dim:i? dim_size:i? reduce:x?",
    **dict.fromkeys(_named(_SCATTER_MODULES, "scatter", *_REDUCING), f"{_REDUCED} dim:i? out:t? dim_size:i? reduce:x?"),
    **dict.fromkeys(
        _named(_SCATTER_MODULES, *_CHOOSING), "tuple:2 args like,int64 first | src:t index:t dim:i? out:t? dim_size:i?"
    ),
    **dict.fromkeys(_named(_COMPOSITE, "scatter_softmax"), f"{_REDUCED} dim:i? dim_size:i?"),
    **dict.fromkeys(_named(_COMPOSITE, "scatter_log_softmax"), f"{_REDUCED} dim:i? eps:f? dim_size:i?"),
    **dict.fromkeys(_named(_COMPOSITE, "scatter_std", "scatter_logsumexp"), f"{_REDUCED} dim:i? out:t? dim_size:i?"),
    **dict.fromkeys(_named(("torch_scatter",), *_SEGMENTS), f"{_REDUCED} out:t? dim_size:i? reduce:x?"),
    "torch_scatter.segment_csr": "tensor args like first | src:t indptr:t out:t? reduce:x?",
    "torch_scatter.gather_csr": "tensor args like first | src:t indptr:t out:t?",
    "torch_scatter.gather_coo": "tensor args like first | src:t index:t out:t?",
}

_POOLS = ("global_add_pool", "global_mean_pool", "global_max_pool")
_POINTS = "batch_x:t? batch_y:t?"
_WORK = "num_workers:i? batch_size:i?"

_POOLED: dict[str, str] = {
    **dict.fromkeys(_named(POOLING, *_POOLS), "tensor args like first | x:t batch:t? size:i?"),
    **dict.fromkeys(
        _named(CLUSTERS, "radius"), f"tensor args int64 2 | x:t y:t r:x {_POINTS} max_num_neighbors:i? {_WORK}"
    ),
    **dict.fromkeys(
        _named(CLUSTERS, "radius_graph"),
        f"tensor args int64 2 | x:t r:x batch:t? loop:b? max_num_neighbors:i? flow:x? {_WORK}",
    ),
    **dict.fromkeys(_named(CLUSTERS, "knn"), f"tensor args int64 2 | x:t y:t k:i {_POINTS} cosine:b? {_WORK}"),
    **dict.fromkeys(
        _named(CLUSTERS, "knn_graph"), f"tensor args int64 2 | x:t k:i batch:t? loop:b? flow:x? cosine:b? {_WORK}"
    ),
    **dict.fromkeys(_named(CLUSTERS, "nearest"), f"tensor args int64 1 | x:t y:t {_POINTS}"),
    **dict.fromkeys(
        _named(CLUSTERS, "fps"), "tensor args int64 1 | src:t batch:t? ratio:x? random_start:b? batch_size:i? ptr:x?"
    ),
    "torch_cluster.graclus_cluster": "tensor args int64 1 | row:t col:t weight:t? num_nodes:i?",
    "torch_cluster.random_walk": (
        "tensor/tuple:2@return_edge_indices args int64 any | row:t col:t start:t walk_length:i p:f? q:f? coalesced:b? "
        "num_nodes:i? return_edge_indices:b?"
    ),
}

_EDGES = "edge_index:t"
_LOOPS = f"tuple:2 args like,any first,any | {_EDGES} edge_attr:t?"
_UTILS: dict[str, str] = {
    "add_remaining_self_loops": f"{_LOOPS} fill_value:x? num_nodes:i?",
    "add_self_loops": f"{_LOOPS} fill_value:x? num_nodes:x?",
    "batched_negative_sampling": f"tensor args int64 2 | {_EDGES} batch:tT num_neg_samples:x? method:x?",
    "coalesce": f"tensor/tuple:2@edge_attr args like,any first,any | {_EDGES} edge_attr:x? num_nodes:i? reduce:x?",
    "contains_self_loops": f"bool - - - | {_EDGES}",
    "degree": "tensor args factory 1 | index:t num_nodes:i? dtype:d?",
    "dense_to_sparse": "tuple:2 args int64,like 2,1 | adj:t mask:t?",
    "dropout_adj": f"{_LOOPS} p:f? force_undirected:b? num_nodes:i? training:b?",
    "dropout_edge": f"tuple:2 args like,any first,1 | {_EDGES} p:f? force_undirected:b? training:b?",
    "dropout_node": f"tuple:3 args like,bool,bool first,1,1 | {_EDGES} p:f? num_nodes:i? training:b?",
    "get_laplacian": f"tuple:2 args like,float 2,1 | {_EDGES} edge_weight:t? normalization:x? dtype:d? num_nodes:i?",
    "index_to_mask": "tensor args bool 1 | index:t size:i?",
    "is_undirected": f"bool - - - | {_EDGES} edge_attr:tT? num_nodes:i?",
    "k_hop_subgraph": (
        f"tuple:4 args int64,int64,int64,bool 1,2,1,1 | node_idx:x num_hops:i {_EDGES} relabel_nodes:b? num_nodes:i?"
    ),
    "mask_to_index": "tensor args int64 1 | mask:t",
    "negative_sampling": f"tensor args int64 2 | {_EDGES} num_nodes:x? num_neg_samples:x? method:x?",
    "remove_self_loops": _LOOPS,
    "segregate_self_loops": f"tuple:4 args like,any,like,any first,any,first,any | {_EDGES} edge_attr:t?",
    "softmax": "tensor args like first | src:t index:t? ptr:t? num_nodes:i? dim:i?",
    "sort_edge_index": f"tensor/tuple:2@edge_attr args like,any first,any | {_EDGES} edge_attr:x? num_nodes:i?",
    "structured_negative_sampling": f"tuple:3 args int64 1 | {_EDGES} num_nodes:i?",
    "subgraph": (
        f"tuple:2/tuple:3@return_edge_mask args like,any,bool 2,any,1 | subset:x {_EDGES} edge_attr:t? "
        "relabel_nodes:b? num_nodes:i? * return_edge_mask:b?"
    ),
    "to_dense_adj": f"tensor args any 1+ | {_EDGES} batch:t? edge_attr:t? max_num_nodes:i? batch_size:i?",
    "to_dense_batch": "tuple:2 args like,bool any,2 | x:t batch:t? fill_value:x? max_num_nodes:i? batch_size:i?",
    "to_undirected": f"tensor/tuple:2@edge_attr args like,any first,any | {_EDGES} edge_attr:x? num_nodes:i?",
    "unbatch": "tensors args like first | src:t batch:t dim:i? batch_size:i?",
    "unbatch_edge_index": f"tensors args like 2 | {_EDGES} batch:t batch_size:i?",
}

SIGNATURES: dict[str, str] = {
    **_SCATTER,
    **_POOLED,
    **{f"{UTILS}.{name}": row for name, row in _UTILS.items()},
    f"{UTILS}.num_nodes.maybe_num_nodes": f"int - - - | {_EDGES} num_nodes:i?",
    **{f"{UTILS}.loop.{name}": row for name, row in _UTILS.items() if "self_loops" in name},
}
"""Full name -> how it is called and what it returns, as in `torch_signatures`."""


def _utils(*names: str) -> tuple[str, ...]:
    return tuple(name for name in SIGNATURES if name.startswith(UTILS) and name.rpartition(".")[2] in names)


WAITS = (
    Wait(
        (
            f"{UTILS}.scatter",
            *_named(_SCATTER_MODULES, "scatter", *_REDUCING, *_CHOOSING),
            *_named(_COMPOSITE, "scatter_std", "scatter_logsumexp"),
            *_named(("torch_scatter",), *_SEGMENTS),
        ),
        _BY_LARGEST,
        "PyTorch Geometric 2.8 `utils/_scatter.py`; torch_scatter 2.1.2 `scatter.py`, `csrc/cuda/scatter_cuda.cu`",
        unless=("dim_size", "out"),
        reads=("index",),
    ),
    Wait(
        _named(_COMPOSITE, "scatter_softmax", "scatter_log_softmax"),
        "reads the largest index twice, to size what it computes",
        "torch_scatter 2.1.2 `composite/softmax.py`",
        unless=("dim_size",),
        reads=("index",),
    ),
    Wait(
        ("torch_scatter.gather_csr",),
        "reads the last position to size the result",
        "torch_scatter 2.1.2 `csrc/cuda/segment_csr_cuda.cu`",
        unless=("out",),
        reads=("indptr",),
    ),
    Wait(
        _named(POOLING, *_POOLS),
        "reads the largest number of a graph to size the result",
        "PyTorch Geometric 2.8 `nn/pool/glob.py`",
        unless=("size",),
        reads=("batch",),
    ),
    Wait(
        _named(CLUSTERS, "radius", "knn"),
        "finds a number of neighbors that depends on the data",
        "torch_cluster 1.6.3 `csrc/cuda/radius_cuda.cu`, `knn_cuda.cu`: `masked_select`",
        reads=("x", "y"),
    ),
    Wait(
        _named(CLUSTERS, "radius_graph", "knn_graph"),
        "finds a number of neighbors that depends on the data",
        "as `radius` and `knn`, which they call",
        reads=("x",),
    ),
    Wait(
        _named(CLUSTERS, "nearest"),
        "compares the numbers of graphs",
        "torch_cluster 1.6.3 `nearest.py`: `torch.equal`",
        reads=("x", "y"),
    ),
    Wait(
        _named(CLUSTERS, "fps"),
        "copies the ratio to the device, and counts the points",
        "torch_cluster 1.6.3 `fps.py`, `csrc/cuda/fps_cuda.cu`",
        reads=("src",),
    ),
    Wait(
        ("torch_cluster.graclus_cluster",),
        "selects the edges between different nodes by a mask",
        "torch_cluster 1.6.3 `graclus.py`",
        reads=("row",),
    ),
    Wait(
        ("torch_cluster.random_walk",),
        _BY_LARGEST_NODE,
        "torch_cluster 1.6.3 `rw.py`",
        unless=("num_nodes",),
        reads=("row",),
    ),
    Wait(
        _utils("add_self_loops", "maybe_num_nodes", "sort_edge_index"),
        _BY_LARGEST_NODE,
        "PyTorch Geometric 2.8 `utils/num_nodes.py`",
        unless=("num_nodes",),
        reads=("edge_index",),
    ),
    Wait(
        _utils("degree"),
        _BY_LARGEST_NODE,
        "PyTorch Geometric 2.8 `utils/_degree.py`",
        unless=("num_nodes",),
        reads=("index",),
    ),
    Wait(
        _utils("softmax"),
        _BY_LARGEST_NODE,
        "PyTorch Geometric 2.8 `utils/_softmax.py`",
        unless=("num_nodes", "ptr"),
        reads=("index",),
    ),
    Wait(
        _utils("index_to_mask"),
        _BY_LARGEST,
        "PyTorch Geometric 2.8 `utils/mask.py`",
        unless=("size",),
        reads=("index",),
    ),
    Wait(
        _utils("remove_self_loops", "add_remaining_self_loops", "segregate_self_loops", "get_laplacian"),
        "selects the edges between different nodes by a mask",
        "PyTorch Geometric 2.8 `utils/loop.py`, `utils/laplacian.py`",
        reads=("edge_index",),
    ),
    Wait(
        _utils("contains_self_loops", "is_undirected"),
        "compares on the device and reads the result",
        "PyTorch Geometric 2.8 `utils/loop.py`, `utils/undirected.py`",
        reads=("edge_index",),
    ),
    Wait(
        _utils("coalesce", "to_undirected"),
        "looks for edges that are there twice",
        "PyTorch Geometric 2.8 `utils/_coalesce.py`: `if mask.all()`",
        reads=("edge_index",),
    ),
    Wait(
        _utils("subgraph", "k_hop_subgraph"),
        "selects edges by a mask",
        "PyTorch Geometric 2.8 `utils/_subgraph.py`",
        reads=("edge_index",),
    ),
    Wait(
        _utils("dropout_adj", "dropout_edge", "dropout_node"),
        "selects edges by a mask, in training",
        "PyTorch Geometric 2.8 `utils/dropout.py`",
        reads=("edge_index",),
    ),
    Wait(
        _utils("negative_sampling", "batched_negative_sampling", "structured_negative_sampling"),
        "draws edges on the host, copies them and selects by masks",
        "PyTorch Geometric 2.8 `utils/_negative_sampling.py`",
        reads=("edge_index",),
    ),
    Wait(
        _utils("dense_to_sparse"),
        "counts the entries that are not zero",
        "PyTorch Geometric 2.8 `utils/sparse.py`",
        reads=("adj",),
    ),
    Wait(
        _utils("mask_to_index"),
        "counts the entries of the mask",
        "PyTorch Geometric 2.8 `utils/mask.py`",
        reads=("mask",),
    ),
    Wait(
        _utils("to_dense_batch"),
        "reads how many graphs there are, and how large the largest is; it copies its fill value even if it is told",
        "PyTorch Geometric 2.8 `utils/_to_dense_batch.py`",
        reads=("batch",),
    ),
    Wait(
        _utils("to_dense_adj"),
        "reads how large the largest graph is, or whether all fit",
        "PyTorch Geometric 2.8 `utils/_to_dense_adj.py`",
        reads=("edge_index",),
    ),
    Wait(
        _utils("unbatch", "unbatch_edge_index"),
        "reads the sizes of the graphs",
        "PyTorch Geometric 2.8 `utils/_unbatch.py`",
        reads=("batch",),
    ),
)

ROWS: dict[str, Wait] = {name: row for row in WAITS for name in row.names}
"""Full name of a function -> its row."""
