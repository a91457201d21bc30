"""A loss, a norm, a transformer and packed sequences that wait in their midst."""

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
    lengths: torch.Tensor
    norm: nn.Module
    encoder: nn.TransformerEncoder
    loss: nn.CrossEntropyLoss


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    inputs, labels = torch.randn(5, 3, 8, device=device), torch.randint(8, (15,), device=device)
    mask = nn.Transformer.generate_square_subsequent_mask(5, device=device)
    layer = nn.TransformerEncoderLayer(8, 2, dim_feedforward=16, dropout=0.0)
    encoder = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False).to(device)
    norm = nn.BatchNorm1d(8, momentum=None).to(device)  # expect: SYNC505
    loss = nn.CrossEntropyLoss(weight=torch.ones(8, device=device), label_smoothing=0.1)
    return State(inputs, labels, mask, torch.tensor([3, 5, 4]), norm, encoder, loss)


def step(state: State) -> torch.Tensor:
    encoded = state.encoder(state.inputs, mask=state.mask)  # expect: SYNC505
    flat = state.norm(encoded.flatten(0, 1))  # waits: SYNC505
    smoothed = state.loss(flat, state.labels)  # expect: SYNC505
    likely = F.gaussian_nll_loss(flat, flat + 1, flat.square() + 1)  # expect: SYNC505
    packed = pack_padded_sequence(encoded, state.lengths, enforce_sorted=False)  # expect: SYNC505
    return smoothed + likely + packed.data.mean()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
