"""Packed sequences and nested tensors, whose sizes are on the host wherever their data are."""

import torch
from torch import nn
from torch.nn.utils import rnn
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence

lstm = nn.LSTM(3, 4)


def step(x: torch.Tensor, lengths) -> None:
    packed = pack_padded_sequence(x.cuda(), lengths, enforce_sorted=False)
    packed.data  # reveal: Tensor[gpu, rank≥1]
    packed.batch_sizes  # reveal: Tensor[cpu, int, rank 1]
    packed.sorted_indices  # reveal: Tensor[gpu, int, rank 1]
    data, sizes, order, _ = packed
    sizes  # reveal: Tensor[cpu, int, rank 1]
    order  # reveal: Tensor[gpu, int, rank 1]
    out, (h, c) = lstm(packed)
    out.sorted_indices  # reveal: Tensor[gpu, int, rank 1]
    h  # reveal: Tensor[gpu, int|float|complex, rank≥1]
    one = rnn.pack_sequence([x, x]).to("cuda")
    one.data  # reveal: Tensor[gpu, rank≥1]
    one[1]  # reveal: Tensor[cpu, int, rank 1]
    one.sorted_indices  # reveal: None
    made = PackedSequence(x.cuda(), sizes)
    made.data  # reveal: Tensor[gpu, rank≥1]


def either(x):
    if isinstance(x, PackedSequence):
        data, sizes, order, _ = x
        sizes  # reveal: Tensor[cpu, int, rank 1]
        return data.sum()


def declared(x: PackedSequence):
    x.batch_sizes  # reveal: Tensor[cpu, int, rank 1]
    return x.data.sum()


def run(x: torch.Tensor) -> None:
    declared(pack_padded_sequence(x.cuda(), [1, 2]))


def nested(x: torch.Tensor):
    sizes = x.cuda()._nested_tensor_size()
    sizes  # reveal: Tensor[cpu, int, rank 2]
    return sizes[0].tolist()
