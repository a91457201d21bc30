"""Statistics, a policy, a graph and a vocoder, each with an operator that reads its own data on the host."""

import argparse
from dataclasses import dataclass

import torch
from torch.distributions import Normal


@dataclass
class State:
    features: torch.Tensor
    knots: torch.Tensor
    order: torch.Tensor
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
    return State(features, knots, knots.argsort(), edges, weights, window, spectrum)


def graph_degree(edges: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    graph = torch.sparse_coo_tensor(edges, weights)  # expect: SYNC208
    return graph.coalesce().values().max()  # expect: SYNC208


def explore(mean: torch.Tensor, std: torch.Tensor) -> torch.Tensor:
    policy = Normal(mean, std, validate_args=False)
    action = policy.sample()  # expect: SYNC208[torch<2.14]
    return action + torch.normal(mean, std)  # expect: SYNC208[torch<2.14]


def step(state: State) -> torch.Tensor:
    covariance = torch.cov(state.features.T)  # expect: SYNC208
    correlation = torch.corrcoef(state.features.T)  # expect: SYNC208
    bins = torch.searchsorted(state.knots, state.weights, sorter=state.order)  # expect: SYNC208
    pairs = torch.combinations(state.knots)  # expect: SYNC208[torch<2.14]
    state.noise = explore(state.features.mean(dim=0), state.features.std(dim=0))
    audio = torch.istft(state.spectrum, 16, hop_length=4, window=state.window)  # expect: SYNC208
    degree = graph_degree(state.edges, state.weights)
    return covariance.sum() + correlation.sum() + bins.sum() + pairs.prod(dim=1).sum() + audio.square().sum() + degree


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
