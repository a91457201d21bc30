"""`x or default` for a parameter that is None by default: what is passed for it is no tensor, whose truth it asks for."""

import torch


def best(scores: torch.Tensor, thresholds: torch.Tensor | None = None, found: torch.Tensor | None = None):
    thresholds = thresholds or torch.linspace(0, 1, 9, device=scores.device)  # operation: Call
    if found or thresholds.any():  # operation: Truth, Truth
        return scores
    found = found or scores  # operation: none
    found = found or scores  # operation: Truth
    return (scores > thresholds).float()  # operation: none


def required(scores: torch.Tensor, weight: torch.Tensor):
    return weight or scores  # operation: Truth


def summed(values: torch.Tensor, count=None):
    count = count or values.shape[0]  # operation: Truth
    return values.sum() / count


def selected(values, many=None):
    many = many or 3  # operation: none
    return values[:many]


def counted(values: torch.Tensor, mask: torch.Tensor):
    summed(values, mask.sum())
    selected(values, values.shape[0])
    return selected(values, mask)
