"""The results of functions of `torch.nn.utils.rnn`: packed sequences, whose sizes are on the host."""

from __future__ import annotations

from dataclasses import replace

from ...facts.signatures import lookup
from ..values.arguments import Arguments
from ..values.lattice import CPU, Device, rank_flags
from ..values.union import UNKNOWN, Sequence, Tensor, Value
from .signatures import of_signature


def padded(arguments: Arguments) -> Value:
    """Return the padded sequences, and their lengths on the host.

    Source: torch 2.13 `torch/nn/utils/rnn.py`, `pad_packed_sequence`: computed from `PackedSequence.batch_sizes`.
    """
    signature = lookup("torch.nn.utils.rnn.pad_packed_sequence")
    match of_signature(signature, arguments) if signature else None:
        case Sequence("tuple", (Tensor() as sequences, Tensor() as lengths)):
            where = Device(CPU, None, arguments.reason("the lengths of packed sequences are on the host"))
            return Sequence("tuple", (sequences, replace(lengths, device=where, rank=rank_flags(1))))
    return UNKNOWN
