"""A training step that writes its loss into text, which reads the value from the device each time."""

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
    lines: list[str] = field(default_factory=list)


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    inputs, weight = torch.randn(16, 32, device=device), torch.randn(32, 10, device=device)
    return State(inputs, weight, torch.randint(10, (16,), device=device))


def step(state: State) -> torch.Tensor:
    logits = state.inputs @ state.weight
    loss = F.cross_entropy(logits, state.labels)
    accuracy = (logits.argmax(dim=1) == state.labels).float().mean()
    state.lines.append(f"loss {loss:.3f}")  # expect: SYNC106
    state.lines.append("accuracy {:.1%}".format(accuracy))  # noqa: UP032  # expect: SYNC106
    state.lines.append("loss %.3f" % loss)  # noqa: UP031  # expect: SYNC106
    state.lines.append(str(accuracy))  # expect: SYNC106
    state.lines.append(repr(loss))  # expect: SYNC106
    print("loss", loss)  # expect: SYNC106
    logger.warning("accuracy is %s", accuracy)  # expect: SYNC106
    return loss


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
