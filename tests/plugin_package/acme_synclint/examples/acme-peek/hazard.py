"""A step that peeks at its loss."""

import acme_gpu
import torch


def setup(device: torch.device) -> torch.Tensor:
    torch.manual_seed(0)
    return torch.randn(8, device=device)


def step(state: torch.Tensor) -> torch.Tensor:
    loss = state.square().mean()
    acme_gpu.peek(loss)  # expect: ACME001
    return loss
