"""The layers, models, poolings, losses and utilities of PyTorch Geometric on one small graph."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import torch
import torch_geometric.nn
import torch_geometric.nn.functional
import torch_geometric.nn.pool
import torch_geometric.utils
from torch_geometric.data import Batch, Data

from .arguments import Maker, Pool
from .program import Program, Step, functions_of, modules_of

NODES: Final = 12
EDGES: Final = 30
WIDTH: Final = 8


def _random(*shape: int) -> Maker:
    return lambda: torch.rand(shape, device="cuda")


def _whole(high: int, *shape: int) -> Maker:
    return lambda: torch.randint(high, shape, device="cuda")


def _edges() -> torch.Tensor:
    return torch.randint(NODES, (2, EDGES), device="cuda")


def _sorted(high: int, count: int) -> Maker:
    return lambda: (torch.arange(count, device="cuda") * high) // count


def _mask() -> torch.Tensor:
    return torch.arange(NODES, device="cuda") % 2 == 0


def _mlp(width: int = WIDTH) -> torch.nn.Module:
    return torch.nn.Sequential(torch.nn.Linear(width, WIDTH), torch.nn.ReLU(), torch.nn.Linear(WIDTH, WIDTH))


def _edge_network() -> torch.nn.Module:
    return torch.nn.Linear(WIDTH, WIDTH * WIDTH)


FEATURES: Final = _random(NODES, WIDTH)
INPUTS: Final = Pool(
    {
        r"edge_index\w*|\w*_edge_index|hyperedge_index": [_edges],
        r"x|src|h|inputs?|y_soft|z": [FEATURES, _random(2, NODES, WIDTH)],
        r"x_0|xs": [FEATURES, lambda: [FEATURES(), FEATURES()]],
        r"y|labels?|type_vec|node_type|rel_type": [_whole(3, NODES), _whole(3, EDGES)],
        r"head_index|tail_index|n_id|subset|node_idx|perm": [_whole(NODES, NODES), _mask],
        r"edge_attr|edge_feature": [_random(EDGES, WIDTH), _random(EDGES, 1), _random(EDGES)],
        r"edge_weight|value": [_random(EDGES)],
        r"edge_type": [_whole(3, EDGES)],
        r"batch\w*|index": [_sorted(3, NODES), _sorted(NODES, EDGES)],
        r"ptr": [lambda: torch.tensor([0, 4, 8, 12]).cuda()],
        r"pos\w*|normal": [_random(NODES, 3)],
        r"mask|index_or_mask|node_mask": [_mask],
        r"face": [_whole(NODES, 3, 10)],
        r"adj|A|G": [_random(NODES, NODES), _random(2, NODES, NODES)],
        r"data": [lambda: _data()],
        r"data_list": [lambda: [_data(), _data()]],
        r"num_nodes|dim_size|size|max_num_nodes": [lambda: NODES],
        r"dim": [lambda: 0],
        r"k|num_hops|max_hops": [lambda: 2],
        r"tensors": [lambda: [FEATURES(), FEATURES()]],
        r"ratio|p": [lambda: 0.5],
    },
    [FEATURES, _edges, _sorted(3, NODES), _random(NODES), _random(EDGES), _mask, _random(2, NODES, WIDTH)],
)
OPTIONS: Final = Pool(
    {
        r"\w*channels|embedding_dim|dim|input_dim|hidden_dim|output_dim|edge_dim|memory_dim|time_dim|raw_msg_dim": [
            lambda: WIDTH
        ],
        r"num_layers|num_relations|num_types|num_rels|num_blocks|processing_steps|seq_len": [lambda: 3, lambda: 2],
        r"heads|num_heads|K|k|kernel_size|groups|num_bases": [lambda: 2],
        r"num_nodes|max_num_elements|num_timesteps": [lambda: NODES],
        r"nn|gate_nn|mlp_\w|encoder|local_nn|discriminator": [_mlp, lambda: _mlp(2 * WIDTH), _edge_network],
        r"conv": [lambda: torch_geometric.nn.GCNConv(WIDTH, WIDTH)],
        r"aggrs?|first_aggr": [lambda: "mean", lambda: ["mean", "max"]],
        r"aggregators": [lambda: ["mean", "max"]],
        r"scalers?": [lambda: ["identity"], lambda: "identity"],
        r"deg": [lambda: torch.tensor([0, 4, 4, 4])],
        r"act|mode": [lambda: "relu", lambda: "cat"],
        r"alpha|\w+_alpha": [lambda: 0.1],
        r"edge_index": [_edges],
    },
    [],
)


def _data(**more: Any) -> Data:
    """A graph with everything that layers and transforms ask for."""
    edges = _edges()
    return Data(
        x=torch.rand(NODES, WIDTH, device="cuda"),
        edge_index=edges,
        edge_attr=torch.rand(EDGES, WIDTH, device="cuda"),
        pos=torch.rand(NODES, 3, device="cuda"),
        y=torch.randint(3, (NODES,), device="cuda"),
        **more,
    )


def programs() -> Iterator[Program]:
    """All of them, and what batching does. Transforms are left out: data sets apply them on the host."""
    for module in (torch_geometric.utils, torch_geometric.nn, torch_geometric.nn.functional, torch_geometric.nn.pool):
        yield from functions_of(module, INPUTS)
        yield from modules_of(module, OPTIONS, INPUTS)
    yield Program("data.Batch", _batch)


def _batch() -> Step:
    graphs = [_data() for _ in range(3)]
    return lambda: [each.num_nodes for each in Batch.from_data_list(graphs).to_data_list()]
