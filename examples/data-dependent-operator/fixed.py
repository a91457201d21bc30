"""The same computations from operators that need not look: plain formulas, precomputed positions, fixed sizes."""

import argparse
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch.distributions import Normal


@dataclass
class State:
    features: torch.Tensor
    knots: torch.Tensor
    order: torch.Tensor
    pairs: torch.Tensor
    edges: torch.Tensor
    weights: torch.Tensor
    window: torch.Tensor
    spectrum: torch.Tensor
    noise: torch.Tensor | None = None


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    features, knots = torch.randn(16, 4, device=device), torch.rand(8, device=device)
    window = torch.hann_window(16, device=device)
    edges, weights = torch.randint(5, (2, 12), device=device), torch.rand(12, device=device)
    spectrum = torch.stft(torch.randn(64, device=device), 16, hop_length=4, window=window, return_complex=True)
    pairs = torch.triu_indices(8, 8, offset=1, device=device).T
    return State(features, knots, knots.argsort(), pairs, edges, weights, window, spectrum)


def graph_degree(edges: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    return torch.zeros(25, device=weights.device).index_add(0, edges[0] * 5 + edges[1], weights).max()


def explore(mean: torch.Tensor, std: torch.Tensor) -> torch.Tensor:
    policy = Normal(mean, std, validate_args=False)
    return policy.rsample().detach() + mean + std * torch.randn_like(std)  # as random as before, but other numbers


def inverse_stft(spectrum: torch.Tensor, window: torch.Tensor) -> torch.Tensor:
    frames = torch.fft.irfft(spectrum, n=16, dim=0) * window[:, None]
    weights = window.square()[:, None].expand_as(frames)
    length = 16 + 4 * (spectrum.shape[1] - 1)
    signal = F.fold(frames[None], (1, length), (1, 16), stride=(1, 4)).flatten()
    return (signal / F.fold(weights[None], (1, length), (1, 16), stride=(1, 4)).flatten())[8:-8]


def step(state: State) -> torch.Tensor:
    centred = state.features - state.features.mean(dim=0)
    covariance = centred.T @ centred / (len(centred) - 1)
    deviation = covariance.diagonal().sqrt()
    correlation = covariance / (deviation[:, None] * deviation)
    bins = torch.searchsorted(state.knots[state.order], state.weights)
    pairs = state.knots[state.pairs]
    state.noise = explore(state.features.mean(dim=0), state.features.std(dim=0))
    audio = inverse_stft(state.spectrum, state.window)
    degree = graph_degree(state.edges, state.weights)
    small = torch.isin(state.edges, 0).sum()  # a number of the host to look for
    total = covariance.sum() + correlation.sum() + bins.sum() + pairs.prod(dim=1).sum()
    return total + audio.square().sum() + degree + 0 * small


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
