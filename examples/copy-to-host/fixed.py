"""The same step with the results kept on the device; `collect` moves them once, after the loop."""

import argparse
from dataclasses import dataclass, field
from pathlib import Path

import torch
from torch import nn


@dataclass
class State:
    model: nn.Linear
    inputs: torch.Tensor
    labels: torch.Tensor
    probabilities: list[torch.Tensor] = field(default_factory=list)
    labels_seen: list[torch.Tensor] = field(default_factory=list)
    confidences: list[torch.Tensor] = field(default_factory=list)
    averages: list[torch.Tensor] = field(default_factory=list)


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    model = nn.Linear(32, 10).to(device)
    return State(model, torch.randn(16, 32, device=device), torch.randint(10, (16,), device=device))


@torch.no_grad()
def step(state: State) -> torch.Tensor:
    probabilities = state.model(state.inputs).softmax(dim=1)
    state.probabilities.append(probabilities)
    state.labels_seen.append(state.labels)
    state.confidences.append(probabilities.amax(dim=1))
    entropy = -(probabilities * probabilities.log()).sum(dim=1)
    state.averages.append(entropy.mean())
    if len(state.averages) % 1000 == 0:  # a checkpoint has to be copied
        torch.save({name: value.cpu() for name, value in state.model.state_dict().items()}, Path("model.pt"))
    priors = torch.ones(10).cpu()  # a tensor of the host is there already
    return probabilities.mean(dim=0) * priors.sum() / 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
