"""What runs only if a model is asked for inference says so; that it is not asked for goes without saying in a step."""

import torch
from torch import nn


class Synthesizer(nn.Module):
    def forward(self, x: torch.Tensor, infer=False):
        if not infer:
            x.unique()  # where: nothing
        else:
            x.unique()  # where: infer
        return x


class Durations(nn.Module):
    def forward(self, x: torch.Tensor, mode: str, is_inference: bool):
        if mode != "inference":
            x.unique()  # where: nothing
        if mode == "inference":
            x.unique()  # where: mode == "inference"
        if is_inference:
            x.unique()  # where: is_inference
        return x
