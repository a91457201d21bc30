"""What a use shows in a file that works with arrays, too."""

import numpy as np
import torch


def logged(metrics, names, solve, x) -> None:
    metrics["loss"].item()
    a = metrics["loss"]  # reveal: Tensor[any device]
    names["all"].tolist()
    b = names["all"]  # reveal: Unknown
    keep = torch.relu(x) > 0
    kept = solve(x)
    kept[keep].mean()
    c = kept  # reveal: Tensor[any device]
    rows = np.unique(names)
    table = solve(names)
    table[rows].mean()
    d = table  # reveal: Unknown
    sizes = x.new_full((3,), keep.sum())  # operation: Convert
