"""A policy and a prior whose parameters and values are validated on the host."""

import argparse
from dataclasses import dataclass

import torch
from torch.distributions import Categorical, Independent, MultivariateNormal, Normal, OneHotCategorical


@dataclass
class State:
    mean: torch.Tensor
    std: torch.Tensor
    scores: torch.Tensor
    covariance: torch.Tensor
    taken: torch.Tensor


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    mean, std = torch.randn(8, device=device), torch.rand(8, device=device) + 0.5
    taken = torch.nn.functional.one_hot(torch.arange(4, device=device), num_classes=5)
    return State(mean, std, torch.randn(4, 5, device=device), torch.diag(std), taken)


def log_prior(mean: torch.Tensor, std: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    prior = Independent(Normal(mean, std), 1)  # expect: SYNC501
    return prior.log_prob(values)  # expect: SYNC501


def step(state: State) -> torch.Tensor:
    policy = Categorical(logits=state.scores)  # expect: SYNC501
    chosen = policy.log_prob(state.taken.argmax(dim=1)).sum()  # expect: SYNC501
    # The distribution inside is made with the default, so `validate_args=False` does not reach it.
    encoded = OneHotCategorical(logits=state.scores, validate_args=False)  # expect: SYNC501
    joint = MultivariateNormal(state.mean, state.covariance, validate_args=False)  # expect: SYNC501
    prior = log_prior(state.mean, state.std, state.mean + state.std)
    return chosen + encoded.entropy().sum() + joint.entropy() + policy.entropy().sum() + prior


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
