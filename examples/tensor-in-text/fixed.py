"""The same step with the values kept as tensors; they become text once every 100 steps."""

import argparse
import logging
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F

logger = logging.getLogger(__name__)


@dataclass
class State:
    inputs: torch.Tensor
    weight: torch.Tensor
    labels: torch.Tensor
    losses: list[torch.Tensor] = field(default_factory=list)
    accuracies: list[torch.Tensor] = field(default_factory=list)
    shapes: dict[str, int] = field(default_factory=dict)


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    inputs, weight = torch.randn(16, 32, device=device), torch.randn(32, 10, device=device)
    return State(inputs, weight, torch.randint(10, (16,), device=device))


def step(state: State) -> torch.Tensor:
    logits = state.inputs @ state.weight
    loss = F.cross_entropy(logits, state.labels)
    accuracy = (logits.argmax(dim=1) == state.labels).float().mean()
    state.losses.append(loss.detach())
    state.accuracies.append(accuracy)
    logger.debug("loss is %s", loss)  # not formatted while the level is off
    shape = f"{tuple(logits.shape)} of {logits.dtype} on {logits.device}"  # known to the host
    state.shapes[shape] = state.shapes.get(shape, 0) + 1
    if len(state.losses) % 100 == 0:
        print(f"loss {torch.stack(state.losses).mean():.3f}, accuracy {torch.stack(state.accuracies).mean():.1%}")
    return loss


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
