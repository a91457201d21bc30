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


def grouped(points, encode, valid_mask=None) -> None:
    if valid_mask is None:
        valid_mask = torch.ones(3, device="cuda").bool()
    encode(points.colors[valid_mask])
    a = points.colors  # reveal: Tensor[any device]


def solved(sde, g, noise) -> None:
    sde.prod(torch.relu(g), noise)  # operation: none
