"""What has a method that no array has is a tensor, though the value may be an array elsewhere."""

import numpy as np
import torch


def to_host(x):
    return x.detach().cpu().numpy()  # operation: Call, Call


def run(env, net: torch.nn.Module):
    state = np.zeros(3)
    for _ in range(10):
        out, state = net(torch.from_numpy(env.state).cuda(), state)
        env.step(to_host(out.float()))
        kept = either(out.float(), state)
        state = np.array(np.split(to_host(state), 3))
    return kept


def either(x, state):
    both = x if len(state) else np.zeros(3)
    moved = both.detach()
    return moved  # reveal: Tensor[gpu, float]
