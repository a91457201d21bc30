"""The same with what the modules ask for said beforehand, and the loss written out."""

import argparse
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence


@dataclass
class State:
    inputs: torch.Tensor
    labels: torch.Tensor
    mask: torch.Tensor
    order: torch.Tensor
    lengths: torch.Tensor
    norm: nn.Module
    encoder: nn.TransformerEncoder
    loss: nn.CrossEntropyLoss
    weight: torch.Tensor


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    inputs, labels = torch.randn(5, 3, 8, device=device), torch.randint(8, (15,), device=device)
    mask = nn.Transformer.generate_square_subsequent_mask(5, device=device)
    layer = nn.TransformerEncoderLayer(8, 2, dim_feedforward=16, dropout=0.0)
    encoder = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False).to(device)
    norm = nn.BatchNorm1d(8, momentum=0.1).to(device)
    weight = torch.ones(8, device=device)
    loss = nn.CrossEntropyLoss(weight=weight, label_smoothing=0.1, reduction="sum")
    order = torch.tensor([1, 2, 0], device=device)  # the longest first, as the loader could have sorted them
    return State(inputs, labels, mask, order, torch.tensor([5, 4, 3]), norm, encoder, loss, weight)


def gaussian_nll(mean: torch.Tensor, target: torch.Tensor, variance: torch.Tensor) -> torch.Tensor:
    variance = variance.clamp(min=1e-6)
    return 0.5 * (variance.log() + (mean - target).square() / variance).mean()


def step(state: State) -> torch.Tensor:
    encoded = state.encoder(state.inputs, mask=state.mask, is_causal=True)
    flat = state.norm(encoded.flatten(0, 1))
    smoothed = state.loss(flat, state.labels) / state.weight.index_select(0, state.labels).sum()
    plain = F.cross_entropy(flat, state.labels, weight=state.weight)
    likely = gaussian_nll(flat, flat + 1, flat.square() + 1)
    packed = pack_padded_sequence(encoded.index_select(1, state.order), state.lengths)
    return smoothed + likely + packed.data.mean() + 0 * plain


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
