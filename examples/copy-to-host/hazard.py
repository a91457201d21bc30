"""An evaluation step that copies each batch's results to the host, in all the usual spellings."""

import argparse
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import nn


@dataclass
class State:
    model: nn.Linear
    inputs: torch.Tensor
    labels: torch.Tensor
    probabilities: list[torch.Tensor] = field(default_factory=list)
    labels_seen: list[torch.Tensor] = field(default_factory=list)
    confidences: list[np.ndarray] = field(default_factory=list)
    averages: list[torch.Tensor] = field(default_factory=list)


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    model = nn.Linear(32, 10).to(device)
    return State(model, torch.randn(16, 32, device=device), torch.randint(10, (16,), device=device))


@torch.no_grad()
def step(state: State) -> torch.Tensor:
    probabilities = state.model(state.inputs).softmax(dim=1)
    state.probabilities.append(probabilities.cpu())  # expect: SYNC103
    state.labels_seen.append(state.labels.to("cpu"))  # expect: SYNC103
    state.confidences.append(probabilities.amax(dim=1).numpy(force=True))  # expect: SYNC103
    entropy = -(probabilities * probabilities.log()).sum(dim=1)
    state.averages.append(entropy.mean().type("torch.FloatTensor"))  # expect: SYNC103
    row = torch.empty(10)
    row.copy_(probabilities.mean(dim=0))  # expect: SYNC103
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
