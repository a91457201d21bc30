"""A page on which people ask for results."""

import streamlit
import torch


def shown(model, image: torch.Tensor):
    return model(image).tolist()  # frequency: evaluation (assumed)
