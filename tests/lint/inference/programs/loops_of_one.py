"""Loops over a list, tuple or dict of one item, which is known, have one pass."""

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


def train(loader: torch.utils.data.DataLoader, name, other):
    model = torch.nn.Linear(2, 2).cuda()
    for x in loader:
        loss = model(x.cuda()).sum()
        loss.backward()
        losses = {"loss": loss}
        for _, value in losses.items():
            value.item()  # frequency: every step
        for key in losses:
            print(key, losses[key].item())  # frequency: every step
        for value in (loss,):
            value.item()  # frequency: every step
        for _, value in enumerate([loss]):
            value.item()  # frequency: every step
        for _, value in zip(other, [loss]):
            value.item()  # frequency: every step
        for _ in range(1):
            loss.item()  # frequency: every step
        several = {"loss": loss}
        several[name] = other
        for value in several.values():
            loss.item()  # frequency: every pass of a loop in a step
        filled = {"loss": loss}
        other.fill(filled)
        for value in filled.values():
            loss.item()  # frequency: every pass of a loop in a step
        spread = {"loss": loss, **other}
        for value in spread.values():
            loss.item()  # frequency: every pass of a loop in a step
        updated = {"loss": loss}
        updated.update(other)
        for value in updated.values():
            loss.item()  # frequency: every pass of a loop in a step
