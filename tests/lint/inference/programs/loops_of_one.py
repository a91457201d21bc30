"""Loops over a list of one item, which is known, have one pass."""

import torch
from transformers import StoppingCriteria

ENDS = [0]
STARTS = [0, 1]


class Stops(StoppingCriteria):
    def __call__(self, ids: torch.Tensor, scores: torch.Tensor) -> bool:
        for end in ENDS:
            if ids[0, -1] == end:  # frequency: every step
                return True
        for start in STARTS:
            if ids[0, 0] == start:  # frequency: every pass of a loop in a step
                return False
        found = [ids]
        for each in found:
            found.append(each[1:])
            each.sum().item()  # frequency: every pass of a loop in a step
        return [ids[0, -1].item() for end in (ENDS[0],)][0] > 0  # frequency: every step
