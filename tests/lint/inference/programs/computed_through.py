"""What computes on tensors that other functions make of what it is given, and masks that are named like intervals."""

import torch


def flatten(x, keep):
    shape = x.shape[:keep]
    return x.flatten(end_dim=keep), shape


def load(path):
    return torch.load(path)


def angles(quat, symmetric, i):
    quat, shape = flatten(quat, -2)
    a = quat[:, 3] if symmetric else quat[:, 3] - quat[:, i]
    b = quat[:, i] if symmetric else quat[:, i] + quat[:, 3]
    half = torch.atan2(b, a)
    half[half < 0] += 1  # frequency: every step (assumed)
    return half


def factors(m):
    m, shape = flatten(m, -3)
    u, _ = torch.linalg.qr(m.double())
    return u.max().item()  # frequency: every step (assumed)


class Layer(torch.nn.Module):
    def merge(self, dtype):
        weight, _ = flatten(self.weight, 1)
        return weight.unsqueeze(0).max().item()  # frequency: unknown


def shown(path):
    image = load(path)
    return image.unsqueeze(0).max().item()  # frequency: unknown


def spline(inputs, bound, interval):
    inside_interval_mask = (inputs >= -bound) & (inputs <= bound)
    outputs = torch.zeros_like(inputs)
    if torch.any(inside_interval_mask):
        outputs[inside_interval_mask] = inputs[inside_interval_mask]  # frequency: every step (assumed)
    if reached(interval):
        outputs.max().item()  # frequency: every N steps (assumed)
    return outputs
