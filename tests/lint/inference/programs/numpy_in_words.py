"""A file that takes arrays from tensors, and imports neither NumPy nor jaxtyping's namesake."""

import torch
from jaxtyping import Float


def saved(scores, write) -> None:
    write(scores["all"].cpu().numpy())
    a = scores["all"]  # reveal: Tensor[any device]
    if scores["best"].any():
        pass
    b = scores["best"]  # reveal: Tensor[any device]


def encoded(points, valid_mask, encode) -> None:
    directions = points.directions
    encode(directions[valid_mask])
    a = directions  # reveal: Tensor[any device]
