"""Batches of graphs, and other objects that hold tensors and move together."""

import dgl
import torch
from detectron2.structures import ImageList
from torch_geometric.data import Batch, Data
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GCN, Node2Vec
from transformers import BatchEncoding

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def train(dataset, x: torch.Tensor) -> None:
    for batch in DataLoader(dataset, batch_size=4):
        batch.x  # reveal: Batch[cpu, pageable]
        batch.num_graphs  # reveal: int
        batch.edge_index.T  # reveal: Batch[cpu, pageable]
        batch = batch.to(device)
        batch.edge_index  # reveal: Batch[gpu]
        batch.edge_index.T  # reveal: Tensor[gpu]
        batch.num_nodes  # reveal: int
        torch.zeros(batch.num_nodes, 2)  # reveal: Tensor[cpu, float, rank 2]
    host = Data(x=torch.ones(3, 2), edge_index=torch.ones(2, 4))
    host.x  # reveal: Batch[cpu]
    there = host.to(device)
    there.x  # reveal: Batch[gpu]
    host.x  # reveal: Batch[cpu]
    both = Batch.from_data_list([there, there])
    both.batch  # reveal: Batch[gpu]
    graphs = dgl.batch([there, there])
    graphs.ndata["h"]  # reveal: Batch[gpu]
    graphs.num_nodes()  # reveal: object
    texts = BatchEncoding({"input_ids": torch.ones(3)})
    texts["input_ids"]  # reveal: Batch[cpu]
    texts.to("cuda").input_ids  # reveal: Batch[gpu]
    images = ImageList.from_tensors([x.cuda()])
    images.tensor  # reveal: Batch[gpu]


def walk(graph) -> None:
    model = Node2Vec(graph.edge_index, 8).to(device)
    for near, far in model.loader(batch_size=4):
        near  # reveal: Batch[cpu, pageable]
        far.to(device)  # reveal: Batch[gpu]
    for near in model.loader(batch_size=4, pin_memory=True):
        near  # reveal: Batch[cpu, pinned]
    for near in GCN(8, 8, 2).loader(batch_size=4):
        near  # reveal: Unknown
